"""A visitor's model to take home: as a zip in Hub layout, or on the Hub under the visitor's own name."""

from __future__ import annotations

import json
import secrets
import shutil
import threading
import time
from collections.abc import Iterator
from pathlib import Path

from app.engine.runtime.loaded import Loaded
from app.engine.runtime.visitor_models import visitor_models
from app.engine.storage.publish import check_repo_id, publish
from app.engine.text.text_tokenizer import TextTokenizer
from app.errors import PlaygroundError
from app.results.tuning.fine_tune import PushState
from app.tasks.fine_tune.keeping import is_portable
from app.tasks.fine_tune.page import check_chosen
from app.visits import visits

SECONDS_BETWEEN_LOOKS, LONGEST_SECONDS = 1.0, 300.0
# The folder for zips among the visit's files; apart, because a model may have the name of any other file.
TAKEN = "taken"


def save_folder(name: str, visitor: str, card: str, place: str) -> Path:
    """Save the model as a folder in Hub layout, at a place among the files of this visit.

    Raises:
        PlaygroundError: `unknown_model`, it is gone; `bad_value`, none was chosen, or no library but this one could
            read its kind.
    """
    loaded = visitor_models().get(visitor, check_chosen(name))
    if loaded is None:
        raise PlaygroundError("unknown_model", names=", ".join(visitor_models().names(visitor)) or "—")
    if not is_portable(loaded):
        raise PlaygroundError("bad_value", "not_portable", model=name)
    folder = visits().get(visitor).new_file(place)
    with loaded.lock:
        loaded.model.save_pretrained(folder)
    loaded.tokenizer(TextTokenizer).tokenizer.save_pretrained(folder)
    _name_tokenizer(folder / "tokenizer_config.json", loaded)
    (folder / "README.md").write_text(card, encoding="utf-8")
    return folder


def _name_tokenizer(path: Path, loaded: Loaded) -> None:
    """Name the class with which every version of transformers reads a tokenizer.json unchanged.

    A model that reads its last token must find the end of the text, so its batches must be padded with the token that
    its configuration names.
    """
    said = json.loads(path.read_text(encoding="utf-8")) | {"tokenizer_class": "PreTrainedTokenizerFast"}
    if loaded.family.classifier_reads == "last":
        padding = loaded.tokenizer(TextTokenizer).tokenizer.convert_ids_to_tokens(loaded.model.config.pad_token_id)
        said |= {"pad_token": padding, "padding_side": "right"}
    path.write_text(json.dumps(said, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


def take_home(name: str, visitor: str, card: str) -> str:
    """Zip the folder; returns the file's path.

    Raises:
        PlaygroundError: `unknown_model`, it is gone.
    """
    folder = save_folder(name, visitor, card, f"{TAKEN}/{name}")
    path = shutil.make_archive(str(folder), "zip", folder.parent, name)
    shutil.rmtree(folder)
    return path


def drop_taken(name: str, visitor: str) -> None:
    """Delete a model's zip, if there is one."""
    visits().get(visitor).new_file(f"{TAKEN}/{name}.zip").unlink(missing_ok=True)


def push(name: str, visitor: str, card: str, repo_id: str, token: str, private: bool = True) -> Iterator[PushState]:
    """Send the model to the Hub with the visitor's own token: yields the progress and finally its address.

    Args:
        name: of the visitor's model.
        visitor: key of the visit.
        card: the model card.
        repo_id: `owner/name` of the target; created if missing.
        token: of the signed-in visitor; used only for this and not kept.
        private: whether a new repository is private.

    Raises:
        PlaygroundError: `unknown_model`; `bad_value`, not a usable name; `not_sent`, with the reason.
    """
    check_chosen(name)
    check_repo_id(repo_id)
    folder = save_folder(name, visitor, card, f"{name}-{secrets.token_hex(4)}")
    size = sum(path.stat().st_size for path in folder.iterdir())
    started, addresses, errors = time.monotonic(), list[str](), list[Exception]()

    def work() -> None:
        try:
            addresses.append(publish(folder, repo_id, token, private=private))
        except Exception as error:  # raised in the waiting thread, below
            errors.append(error)
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    thread = threading.Thread(target=work, name="push", daemon=True)
    thread.start()
    while thread.is_alive():
        seconds = time.monotonic() - started
        if seconds > LONGEST_SECONDS:
            raise PlaygroundError("not_sent", "slow", repo=repo_id)
        yield PushState(repo_id, size, seconds, "")
        thread.join(SECONDS_BETWEEN_LOOKS)
    if errors:
        raise errors[0]
    yield PushState(repo_id, size, time.monotonic() - started, addresses[0])
