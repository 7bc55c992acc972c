"""Models that use another family's tokenizer: Chinese GPT-2 and Chinese ALBERT split texts like BERT."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.engine.runtime.loader import load
from app.engine.runtime.vocabulary import load_vocabulary
from app.engine.text.tokenizers import is_wordpiece
from app.registry.lookup import BY_NAME
from app.tasks.fill_mask.fill import fill_mask
from app.tasks.surprise.score import score
from tests.checkpoints import build, save, tiny_tokenizers
from tests.conftest import SetSetting


@pytest.fixture
def borrowed(tmp_path: Path, set_setting: SetSetting) -> Path:
    """`gpt2` and `albert-base-v2` with BERT's vocabulary, as its authors publish it: vocab.txt alone."""
    bert = tiny_tokenizers()["bert"]
    for name, family in (("gpt2", "gpt2"), ("albert-base-v2", "albert")):
        save(tmp_path / name, build(family, bert), bert)
        for path in (tmp_path / name).glob("*token*.json"):
            path.unlink()
        words = sorted(bert.get_vocab().items(), key=lambda entry: entry[1])
        (tmp_path / name / "vocab.txt").write_text("\n".join(word for word, _ in words), encoding="utf-8")
    set_setting(models=str(tmp_path))
    yield tmp_path


def test_they_are_cut_as_bert_cuts(borrowed: Path) -> None:
    for name in ("gpt2", "albert-base-v2"):
        vocabulary = load_vocabulary(BY_NAME[name])
        assert vocabulary.kind == "wordpiece"
        ids = vocabulary.text.encode("the dog", add_special_tokens=False).input_ids
        assert ids == tiny_tokenizers()["bert"]("the dog", add_special_tokens=False)["input_ids"]


def test_they_answer(borrowed: Path) -> None:
    scored = score("the dog ran", "gpt2")
    assert len(scored.tokens) == 3  # the first one too, given the mark that such a model was trained to begin with
    assert load(BY_NAME["gpt2"]).text.begin_id == tiny_tokenizers()["bert"].cls_token_id
    assert fill_mask("the [MASK] ran", "albert-base-v2").masks


def test_files_tell_what_they_are(borrowed: Path, tiny_models: Path) -> None:
    assert is_wordpiece(borrowed / "gpt2") and is_wordpiece(tiny_models / "bert-mini")
    assert not any(is_wordpiece(tiny_models / name) for name in ("gpt2", "roberta-base", "albert-base-v2"))
