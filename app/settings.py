"""Everything a host can set, read from environment variables in one place. README's table is made from the fields."""

from __future__ import annotations

import difflib
import os
import re
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from functools import cache
from importlib.util import find_spec
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
BUNDLED = ROOT / "assets" / "models"
PREFIX = "PLAYGROUND_"
# Variables with this prefix that are not settings of a host: tests and scripts read them.
ELSEWHERE = ("PLAYGROUND_STRICT", "PLAYGROUND_FULL_SIZE")
FLOAT16 = "float16"
WEIGHTS = ("float32", FLOAT16)
CLASS = "class"
LOCAL, RAY = "local", "ray"


def _setting(default: object, meaning: str) -> object:
    return field(default=default, metadata={"meaning": meaning})


@dataclass(frozen=True)
class Settings:
    """A host's settings; field `memory_mb` is the variable `PLAYGROUND_MEMORY_MB`."""

    device: str = _setting("auto", "auto, cpu or cuda; auto takes CUDA where there is one")
    memory_mb: int = _setting(4000, "loaded checkpoints together; the least recently used goes first")
    models: str = _setting("", "a folder with checkpoints in Hub layout; a sub-folder with a catalog name is used")
    weights: str = _setting("float32", "float32, or float16: texts are written with smaller weights where quicker")
    first: str = _setting("", "checkpoints that answer first, by names with commas; empty: the best of those here")
    packs: bool = _setting(True, "use the checkpoints that installed packages carry (requirements-packs.txt)")
    cache: str = _setting(
        "", "where downloads and unpacked packages are kept; empty: the Hub's cache, on a Space its persistent storage"
    )
    offline: bool = _setting(False, "never ask the Hub; HF_HUB_OFFLINE=1 does the same")
    downloads: bool = _setting(True, "fetch checkpoints from the Hub when they are chosen")
    max_download_mb: int = _setting(7_000, "largest checkpoint that is fetched")
    any_checkpoint: bool = _setting(True, "visitors may name any checkpoint on the Hub as owner/name")
    max_characters: int = _setting(20_000, "longest text taken")
    max_texts: int = _setting(2_000, "most texts in one request")
    max_top_k: int = _setting(1_000, "most candidates in one answer")
    max_targets: int = _setting(20, "most words scored in one request")
    tuned_rows: int = _setting(5_000, "most labelled texts of one fine-tuning")
    tuned_parameters: int = _setting(40_000_000, "largest encoder that visitors may fine-tune, in weights")
    tuned_frozen_parameters: int = _setting(
        200_000_000, "largest model, in weights, beside which visitors may train a small layer while it stays frozen"
    )
    race: bool = _setting(True, "visitors may let several starting points learn from the same rows, one by one")
    tuned_epochs: int = _setting(20, "most epochs of one fine-tuning")
    tuned_minutes: int = _setting(10, "longest fine-tuning; what it has by then is kept")
    tuned_waiting: int = _setting(10, "most fine-tunings that may wait for the one slot")
    tuned_models: int = _setting(6, "models kept of one visitor; the least recently used goes first")
    tuned_mb: int = _setting(800, "all visitors' models together; the least recently used goes first")
    tuned_idle_minutes: int = _setting(60, "after so long without use a visitor's models are dropped")
    attention_mb: int = _setting(600, "attention weights kept of the last texts, so that a hover need not run a model")
    senses_mb: int = _setting(200, "word vectors kept of the last sets, so that a slider need not run a model")
    caches_mb: int = _setting(600, "these two and answers to examples together; the least recently used goes first")
    waiting: int = _setting(256, "most questions that wait; a further one is told how long that will take")
    waiting_per_visit: int = _setting(16, "most questions on their way of one visit; 0: no limit")
    waiting_per_address: int = _setting(
        160, "the same from one address, which a whole school may share; 0, as on a Space: no limit"
    )
    auth: str = _setting("", "user:password that the page and the API ask for; empty: open to everybody")
    frames: str = _setting("", "addresses whose pages may show this one in a frame, with spaces; on a Space the Hub's")
    mode: str = _setting("", "class: large type and no exports or hints, as for a projector; empty: the usual page")
    warm: bool = _setting(True, "load the default checkpoint in the background after start")
    engine: str = _setting(LOCAL, "local: this process runs the models; ray: a cluster does (CLUSTER.md)")
    ray_address: str = _setting("auto", "the cluster: auto for the one that this machine belongs to, or host:port")
    ray_least_replicas: int = _setting(1, "replicas that a family always has; 0: none until somebody asks")
    ray_most_replicas: int = _setting(4, "replicas that a family grows to while many ask")
    ray_cpus: float = _setting(1.0, "CPU cores of a replica, parts of one too")
    ray_gpus: float = _setting(0.0, "graphics cards of a replica, parts of one too: 0.25 puts four on a card")
    ray_checkpoints: int = _setting(4, "checkpoints in a replica's memory; the least recently used goes first")
    ray_ongoing: int = _setting(16, "questions that a replica works on together")
    ray_waiting: int = _setting(64, "most questions of a page process that wait for a family's replicas")

    @staticmethod
    def from_env(environment: Mapping[str, str] = os.environ) -> Settings:
        """Read `PLAYGROUND_*`.

        Raises:
            ValueError: a variable has an invalid value; the message names both.
        """
        given: dict[str, object] = {}
        for setting in fields(Settings):
            name = PREFIX + setting.name.upper()
            if name in environment:
                given[setting.name] = _read(name, environment[name], type(setting.default))
        if environment.get("SPACES_ZERO_GPU", "").lower() in TRUE:
            given.setdefault("warm", False)  # a GPU is only lent to a visitor's request
        if environment.get("SPACE_ID"):
            given.setdefault("waiting_per_address", 0)  # all visitors come from the Hub's proxy
        if environment.get("HF_HUB_OFFLINE", "").lower() in TRUE:
            given["offline"] = True
        return _checked(Settings(**given))


def unknown_settings(environment: Mapping[str, str] = os.environ) -> dict[str, str]:
    """`PLAYGROUND_*` variables that nothing reads, each with the name that was probably meant, or an empty string."""
    known = [*(PREFIX + setting.name.upper() for setting in fields(Settings)), *ELSEWHERE]
    unknown = [name for name in environment if name.startswith(PREFIX) and name not in known]
    return {name: next(iter(difflib.get_close_matches(name, known, n=1, cutoff=0.85)), "") for name in unknown}


TRUE = frozenset({"1", "true", "yes", "on"})
FALSE = frozenset({"0", "false", "no", "off", ""})


def _read(name: str, value: str, kind: type) -> object:
    if kind is bool:
        if value.lower() not in TRUE | FALSE:
            raise ValueError(f"{name} must be 1 or 0, not {value!r}.")
        return value.lower() in TRUE
    if kind is int:
        if not value.isdecimal():
            raise ValueError(f"{name} must be a whole number, not {value!r}.")
        return int(value)
    if kind is float:
        if not re.fullmatch(r"\d+(\.\d+)?", value):
            raise ValueError(f"{name} must be a number such as 0.5, not {value!r}.")
        return float(value)
    return value


def _checked(read: Settings) -> Settings:
    """The same settings, after checking their values."""
    if not re.fullmatch(r"auto|cpu|cuda(:\d+)?", read.device):
        raise ValueError(f"PLAYGROUND_DEVICE must be auto, cpu or cuda, not {read.device!r}.")
    if read.weights not in WEIGHTS:
        raise ValueError(f"PLAYGROUND_WEIGHTS must be {' or '.join(WEIGHTS)}, not {read.weights!r}.")
    if read.mode not in ("", CLASS):
        raise ValueError(f"PLAYGROUND_MODE must be {CLASS} or empty, not {read.mode!r}.")
    if read.models and not Path(read.models).is_dir():
        raise ValueError(f"PLAYGROUND_MODELS must be a folder; there is none at {read.models!r}.")
    if read.auth and not all(read.auth.partition(":")[::2]):
        raise ValueError("PLAYGROUND_AUTH must be user:password.")
    _check_engine(read)
    return read


def _check_engine(read: Settings) -> None:
    if read.engine not in (LOCAL, RAY):
        raise ValueError(f"PLAYGROUND_ENGINE must be {LOCAL} or {RAY}, not {read.engine!r}.")
    if read.engine == RAY and find_spec("ray") is None:
        raise ValueError("PLAYGROUND_ENGINE=ray needs more packages: pip install -r requirements-ray.txt.")
    if not max(1, read.ray_least_replicas) <= read.ray_most_replicas:
        raise ValueError("PLAYGROUND_RAY_MOST_REPLICAS must be 1 or more, and no less than RAY_LEAST_REPLICAS.")
    for name in ("ray_checkpoints", "ray_ongoing", "ray_waiting"):
        if getattr(read, name) < 1:
            raise ValueError(f"{PREFIX}{name.upper()} must be 1 or more.")


@cache
def settings() -> Settings:
    """The settings of this process, read once; an invalid one ends the program with a sentence that names it."""
    try:
        return Settings.from_env()
    except ValueError as error:
        raise SystemExit(f"{error} README.md lists the settings.") from None


def cache_folder() -> Path:
    """The folder for what this program makes once; a temporary one if the wanted folder is read-only."""
    wanted = Path(settings().cache) if settings().cache else Path.home() / ".cache" / "plm-playground"
    try:
        wanted.mkdir(parents=True, exist_ok=True)
        writable = os.access(wanted, os.W_OK)
    except OSError:  # a read-only home
        writable = False
    if writable:
        return wanted
    return Path(tempfile.gettempdir()) / f"plm-playground-{os.getuid() if hasattr(os, 'getuid') else 0}"
