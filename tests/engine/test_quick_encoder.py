"""The encoders' second copy: transformers' own numbers; made at the second pass, counted, and the first to go."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from app.engine.adapters import blocks, quick_encoder
from app.engine.adapters.blocks import ANY, TRIED_ROWS, Blocks, has_blocks, most_rows
from app.engine.adapters.quick_encoder import QuickEncoder
from app.engine.base import MaskedRow
from app.engine.families.decoding.layers import Linear
from app.engine.heads import (
    ATTENTION,
    CLASSIFICATION,
    MASKED_LM,
    PAIR_HEADS,
    QUESTION_ANSWERING,
    TOKEN_CLASSIFICATION,
    TOKEN_VECTORS,
)
from app.engine.runtime.loaded import Loaded
from app.engine.runtime.loader import loader
from app.engine.text.text_tokenizer import EncodedPair
from app.metrics import CHECKPOINT_BYTES, value_of
from app.registry.lookup import BY_NAME
from tests.checkpoints import (
    ANSWERER,
    CLASSIFIER,
    TAGGER,
    build,
    build_classifier,
    build_span_finder,
    build_tagger,
    save,
    tiny_tokenizers,
)
from tests.conftest import SetSetting

FAMILIES = ("bert", "roberta", "albert")
ENCODER = "bert-base-uncased"
MAKES = {ENCODER: build, CLASSIFIER: build_classifier, TAGGER: build_tagger, ANSWERER: build_span_finder}
TEXTS = ["The dog barked at the cat.", "Lima!", "I love you because you are wonderful and kind, said Lima."]


@pytest.fixture(autouse=True)
def quicker(monkeypatch: pytest.MonkeyPatch) -> None:
    """In blocks everything is quicker."""
    if not has_blocks():
        pytest.skip("this torch has no weights in blocks")
    monkeypatch.setattr(quick_encoder, "most_rows", lambda inputs, outputs: ANY)


Load = Callable[[str], Loaded]


@pytest.fixture(params=FAMILIES)
def load(request: pytest.FixtureRequest, tmp_path: Path, set_setting: SetSetting) -> Load:
    """From a catalog name to a tiny checkpoint of the family, loaded."""
    family, tokenizer = request.param, tiny_tokenizers()[request.param]
    set_setting(models=str(tmp_path))
    loader.cache_clear()

    def loaded(name: str) -> Loaded:
        torch.manual_seed(7)
        save(tmp_path / name, MAKES[name](family, tokenizer), tokenizer)
        return loader().get(replace(BY_NAME[name], family=family))

    return loaded


@pytest.fixture
def multiplied(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """One number for each multiplication in blocks."""
    counted: list[int] = []
    multiplies = Blocks.__call__

    def counting(layer: Blocks, states: torch.Tensor) -> torch.Tensor:
        counted.append(1)
        return multiplies(layer, states)

    monkeypatch.setattr(Blocks, "__call__", counting)
    return counted


def assert_same(found: np.ndarray, plain: torch.Tensor) -> None:
    """Within a hundred-thousandth of the largest number."""
    expected = plain.detach().numpy()
    assert found.shape == expected.shape
    assert np.abs(found - expected).max() <= 1e-5 * np.abs(expected).max()


def inputs(loaded: Loaded, text: str) -> dict[str, torch.Tensor]:
    row = loaded.text.encode(text)
    return {"input_ids": torch.tensor([row.input_ids]), "token_type_ids": torch.tensor([row.token_type_ids])}


def test_masked_words(load: Load, multiplied: list[int]) -> None:
    loaded = load(ENCODER)
    head, rows = loaded.head(MASKED_LM), [loaded.text.encode(text) for text in TEXTS]
    asked = [MaskedRow(row.input_ids, row.token_type_ids, [1, 2]) for row in rows]
    list(head.masked_log_probabilities(asked))
    assert not multiplied and loaded.second is None  # who asks once waits for no copy
    for found, text in zip(head.masked_log_probabilities(asked), TEXTS, strict=True):
        output = loaded.model(**inputs(loaded, text))
        logits = output.logits if hasattr(output, "logits") else output.prediction_logits
        assert_same(found, logits[0, [1, 2]].log_softmax(-1))
    assert multiplied
    before = len(multiplied)
    layers = list(head.layer_log_probabilities(asked[0]))
    assert_same(layers[0], torch.tensor(next(head.masked_log_probabilities(asked[:1]))))
    assert len(layers) == 3 and len(multiplied) > before


def test_pairs(load: Load, multiplied: list[int]) -> None:
    loaded = load(ENCODER)
    heads = [head for name, head in PAIR_HEADS.items() if name in loaded.heads]
    rows = [loaded.text.encode(text, TEXTS[0]) for text in TEXTS]
    pairs = [EncodedPair(row.input_ids, row.token_type_ids) for row in rows]
    for head in heads:
        judge = loaded.head(head)
        judge.pair_logits(pairs)
        for found, row in zip(judge.pair_logits(pairs), rows, strict=True):
            ids, types = torch.tensor([row.input_ids]), torch.tensor([row.token_type_ids])
            output = loaded.model(input_ids=ids, token_type_ids=types)
            plain = output.sop_logits if hasattr(output, "sop_logits") else output.seq_relationship_logits
            assert_same(found, plain[0])
    assert bool(multiplied) == bool(heads)


def test_vectors_of_all_layers(load: Load, multiplied: list[int]) -> None:
    loaded = load(ENCODER)
    encoder, rows = loaded.head(TOKEN_VECTORS), [loaded.text.encode(text) for text in TEXTS]
    dict(encoder.hidden_states(rows, range(3)))
    for index, found in encoder.hidden_states(rows, range(3)):
        output = loaded.model.base_model(**inputs(loaded, TEXTS[index]), output_hidden_states=True)
        assert_same(found, torch.stack(output.hidden_states)[:, 0])
    assert multiplied


def test_labels(load: Load, multiplied: list[int]) -> None:
    loaded = load(CLASSIFIER)
    classifier, rows = loaded.head(CLASSIFICATION), [loaded.text.encode(text) for text in TEXTS]
    explained = classifier.attribute(rows[0], 1)
    list(classifier.label_logits(rows))
    for indices, found in classifier.label_logits(rows):
        plain = [loaded.model(**inputs(loaded, TEXTS[index])).logits[0] for index in indices]
        assert_same(found, torch.stack(plain))
    assert multiplied
    before = len(multiplied)
    again = classifier.attribute(rows[0], 1)
    assert np.allclose(again.tokens, explained.tokens, atol=1e-6) and len(multiplied) == before


def test_labels_of_words_and_spans(load: Load, multiplied: list[int]) -> None:
    tagged, spanned = load(TAGGER), load(ANSWERER)
    rows = [tagged.text.encode(text) for text in TEXTS]
    tagger, finder = tagged.head(TOKEN_CLASSIFICATION), spanned.head(QUESTION_ANSWERING)
    for _ in range(2):
        before, tags, spans = len(multiplied), dict(tagger.tag_logits(rows)), dict(finder.span_logits(rows))
    assert len(multiplied) - before == 2 * 2 * 4  # models, layers, multiplications of a layer
    for index, text in enumerate(TEXTS):
        assert_same(tags[index], tagged.model(**inputs(tagged, text)).logits[0])
        output = spanned.model(**inputs(spanned, text))
        assert_same(spans[index], torch.cat([output.start_logits, output.end_logits]))


def test_attentions_and_gradients_are_transformers_own(load: Load, multiplied: list[int]) -> None:
    loaded = load(ENCODER)
    row, encoder, inside = loaded.text.encode(TEXTS[0]), loaded.head(TOKEN_VECTORS), loaded.head(ATTENTION)
    before, weights = inside.attentions(row), {n: w.clone() for n, w in loaded.model.state_dict().items()}
    for _ in range(2):
        dict(encoder.hidden_states([row], [0]))
    assert loaded.second is not None
    multiplied.clear()
    assert np.array_equal(inside.attentions(row), before)
    for model in (loaded.model, loaded.second):
        states = model.base_model(**inputs(loaded, TEXTS[0])).last_hidden_state
        states.sum().backward()
        assert loaded.model.get_input_embeddings().weight.grad.abs().sum() > 0
        loaded.model.zero_grad()
    assert not multiplied
    assert loaded.model.state_dict().keys() == weights.keys()
    assert all(torch.equal(weight, weights[name]) for name, weight in loaded.model.state_dict().items())


def used_twice(loaded: Loaded) -> None:
    for _ in range(2):
        dict(loaded.head(TOKEN_VECTORS).hidden_states([loaded.text.encode(TEXTS[0])], [0]))


def test_a_copy_is_counted_and_the_first_to_go(tiny: Path, set_setting: SetSetting) -> None:
    first, second = (loader().get(BY_NAME[name]) for name in (ENCODER, "bert-mini"))
    used_twice(first)
    linears = [module for module in first.model.bert.encoder.modules() if isinstance(module, torch.nn.Linear)]
    assert first.second_bytes == sum(4 * module.weight.numel() for module in linears)
    assert value_of(CHECKPOINT_BYTES) == first.bytes + first.second_bytes + second.bytes
    loader().budget_bytes = first.bytes + first.second_bytes + second.bytes
    used_twice(second)
    assert second.second is None  # it would push something out
    stays = second.bytes + loader().get(BY_NAME["roberta-base"]).bytes
    assert first.second is None and first.second_bytes == 0
    kept = [first] if ENCODER in loader().names() else []
    assert value_of(CHECKPOINT_BYTES) == stays + sum(one.bytes for one in kept)


def test_a_checkpoint_that_nobody_keeps_gets_none(tiny: Path) -> None:
    loaded = loader().get(BY_NAME[ENCODER])
    loader().clear()
    used_twice(loaded)
    assert loaded.second is None and loaded.second_bytes == 0


@pytest.mark.parametrize("lacking", ["has_blocks", "most_rows"])
def test_without_blocks_or_a_gain_there_is_no_copy(tiny: Path, monkeypatch: pytest.MonkeyPatch, lacking: str) -> None:
    monkeypatch.setattr(quick_encoder, lacking, lambda *sizes: 0)
    loaded = loader().get(BY_NAME[ENCODER])
    used_twice(loaded)
    assert loaded.second is None


def test_a_torch_without_the_operation_has_no_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    has_blocks.cache_clear()
    monkeypatch.setattr(torch.ops, "mkldnn", object())
    assert not has_blocks()
    has_blocks.cache_clear()


def test_more_tokens_than_blocks_are_good_for_take_the_plain_way(tiny: Path, multiplied: list[int]) -> None:
    loaded = loader().get(BY_NAME[ENCODER])
    used_twice(loaded)
    encoder = loaded.second.base_model
    assert isinstance(encoder, QuickEncoder)
    encoder.most_rows = 3
    for tokens, quick in ((3, True), (4, False)):
        multiplied.clear()
        with torch.inference_mode():
            encoder(torch.tensor([[5] * tokens]))
        assert bool(multiplied) == quick


@pytest.mark.parametrize("lost", [*TRIED_ROWS, ANY])
def test_blocks_are_used_up_to_the_first_size_that_they_lose(monkeypatch: pytest.MonkeyPatch, lost: int) -> None:
    def seconds(run: object, states: torch.Tensor) -> float:
        return (2.0 if len(states) >= lost else 0.5) if isinstance(run, Blocks) else 1.0

    assert isinstance(Blocks(Linear(torch.ones(8, 8), None)), Blocks)
    monkeypatch.setattr(blocks, "_seconds", seconds)
    most_rows.cache_clear()
    won = [rows for rows in TRIED_ROWS if rows < lost]
    assert most_rows(8, 8) == (ANY if lost == ANY else max(won, default=0))
    most_rows.cache_clear()
