"""A host's settings, and that README's table agrees."""

from __future__ import annotations

from dataclasses import fields

import pytest

from app.settings import PREFIX, ROOT, Settings


def test_readme_lists_every_setting_with_its_default() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    for setting in fields(Settings):
        default = int(setting.default) if isinstance(setting.default, bool) else setting.default
        shown = f" {default} " if default != "" else " "
        assert f"| `{PREFIX}{setting.name.upper()}` |{shown}| {setting.metadata['meaning']} |" in readme


def test_values_are_read_by_their_kind() -> None:
    read = Settings.from_env(
        {"PLAYGROUND_MEMORY_MB": "100", "PLAYGROUND_OFFLINE": "yes", "PLAYGROUND_MODELS": str(ROOT)}
    )
    assert (read.memory_mb, read.offline, read.models) == (100, True, str(ROOT))
    assert Settings.from_env({"HF_HUB_OFFLINE": "1"}).offline
    assert not Settings.from_env({"HF_HUB_OFFLINE": "0"}).offline


@pytest.mark.parametrize(
    "name",
    [
        *("PLAYGROUND_MEMORY_MB", "PLAYGROUND_OFFLINE", "PLAYGROUND_DEVICE", "PLAYGROUND_WEIGHTS", "PLAYGROUND_MODELS"),
        *("PLAYGROUND_ENGINE", "PLAYGROUND_RAY_GPUS"),
    ],
)
def test_a_wrong_value_is_named(name: str) -> None:
    with pytest.raises(ValueError, match=name):
        Settings.from_env({name: "lots"})


def test_a_cluster_needs_its_package_and_bounds_that_hold(monkeypatch: pytest.MonkeyPatch) -> None:
    from app import settings

    monkeypatch.setattr(settings, "find_spec", lambda name: None)
    with pytest.raises(ValueError, match="requirements-ray.txt"):
        Settings.from_env({"PLAYGROUND_ENGINE": "ray"})
    monkeypatch.setattr(settings, "find_spec", lambda name: name)
    assert Settings.from_env({"PLAYGROUND_ENGINE": "ray", "PLAYGROUND_RAY_GPUS": "0.25"}).ray_gpus == 0.25
    with pytest.raises(ValueError, match="RAY_MOST_REPLICAS"):
        Settings.from_env({"PLAYGROUND_RAY_LEAST_REPLICAS": "5"})
    with pytest.raises(ValueError, match="RAY_ONGOING"):
        Settings.from_env({"PLAYGROUND_RAY_ONGOING": "0"})
