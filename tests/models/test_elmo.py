"""ElmoModel with random weights: reproducible vectors, shapes, state, cache, round trip, mix."""

from copy import deepcopy
from pathlib import Path

import pytest
import torch
from safetensors import safe_open
from torch.testing import assert_close
from transformers import AutoModel, AutoTokenizer

from app.models.elmo import ElmoConfig, ElmoModel, ElmoScalarMix, ElmoTokenizer, encode
from app.models.elmo.characters import WordVectorCache
from app.models.elmo.encoding import batches_by_length
from app.models.elmo.recurrence import affine
from tests.benchmarks.bench_elmo import make_sentences, plain_encode

BANKS = [["The", "bank", "of", "the", "river"], ["A", "bank"], ["money", "in", "the", "bank", "."]]


def test_equals_the_plain_loop(elmo: ElmoModel, tokenizer: ElmoTokenizer) -> None:
    """One sentence, one step, one direction at a time gives the same top layer; both clips act."""
    elmo, sentences = elmo.double(), make_sentences()[:6]  # in float32 large random weights blow up the rounding
    plain, _ = plain_encode(elmo, tokenizer, sentences)
    for layers, top in zip(encode(elmo, tokenizer, sentences), plain, strict=True):
        assert (layers[-1] - top).abs().max() < 1e-10
        assert layers[1].abs().max() == pytest.approx(0.7)  # the projection's clip


@pytest.mark.slow
@pytest.mark.parametrize("size", [{}, {"cell_size": 1024, "projection_size": 128}])
def test_a_sentence_has_the_same_vectors_alone_and_in_a_batch_of_100(
    elmo_config: ElmoConfig, tokenizer: ElmoTokenizer, size: dict[str, int]
) -> None:
    torch.manual_seed(0)
    elmo = ElmoModel(ElmoConfig(**{**elmo_config.to_diff_dict(), **size})).eval()
    sentences = [*(make_sentences(1) + make_sentences(2))[:99], ["one"]]
    with torch.no_grad():
        batch = torch.stack(elmo(**tokenizer(sentences)).hidden_states, dim=1)
    for number in (0, 50, 98, 99):
        elmo.cache.clear()
        (alone,) = encode(elmo, tokenizer, [sentences[number]])
        assert (batch[number, :, : alone.size(1)] - alone).abs().max() < 2e-5
    again = encode(elmo, tokenizer, sentences[::-1], places_per_batch=200)[::-1]
    for number, layers in enumerate(again):
        assert (batch[number, :, : layers.size(1)] - layers).abs().max() < 2e-5


def test_as_many_vectors_as_words_and_zeros_at_the_padding(elmo: ElmoModel, tokenizer: ElmoTokenizer) -> None:
    with torch.no_grad():
        output = elmo(**tokenizer([["one"], [], ["three", "words", "here"]]))
    assert output.attention_mask.tolist() == [[1, 0, 0], [0, 0, 0], [1, 1, 1]]
    assert len(output.hidden_states) == 3
    assert torch.equal(output.hidden_states[-1], output.last_hidden_state)
    for layer in output.hidden_states:
        assert layer.shape == (3, 3, 16)
        assert torch.equal(layer.abs().sum(dim=2) > 0, output.attention_mask.bool())


def test_boundaries_kept_are_the_same_run(elmo: ElmoModel, tokenizer: ElmoTokenizer) -> None:
    with torch.no_grad():
        words, marks = elmo(**tokenizer(BANKS)), elmo(**tokenizer(BANKS), keep_boundaries=True)
    assert marks.attention_mask.sum(dim=1).tolist() == [7, 4, 7]
    for inner, whole in zip(words.hidden_states, marks.hidden_states, strict=True):
        assert_close(inner[1, :2], whole[1, 1:3])


def test_layer_0_knows_no_context_and_the_others_do(elmo: ElmoModel, tokenizer: ElmoTokenizer) -> None:
    river, _, money = encode(elmo, tokenizer, BANKS)
    assert_close(river[0, 1], money[0, 3])
    assert torch.equal(river[0, :, :8], river[0, :, 8:])  # the token vector, written twice
    for layer in (1, 2):
        assert (river[layer, 1] - money[layer, 3]).abs().max() > 0.01


def test_input_without_marks_or_axes_is_refused(elmo: ElmoModel, tokenizer: ElmoTokenizer) -> None:
    input_ids = tokenizer(BANKS)["input_ids"]
    with pytest.raises(ValueError, match="mark"):
        elmo(input_ids[:, 1:])
    with pytest.raises(ValueError, match="sentence, word, character"):
        elmo(input_ids[0])
    with pytest.raises(TypeError, match="split_words"):
        encode(elmo, tokenizer, ["The bank."])
    assert encode(elmo, tokenizer, []) == []


def test_stateful_calls_go_on_and_others_do_not(elmo: ElmoModel, tokenizer: ElmoTokenizer) -> None:
    batch = tokenizer(BANKS)
    with torch.no_grad():
        fresh, first = elmo(**batch).last_hidden_state, elmo(**batch, stateful=True).last_hidden_state
        second, between = elmo(**batch, stateful=True).last_hidden_state, elmo(**batch).last_hidden_state
        elmo.reset_state()
        after_reset = elmo(**batch, stateful=True).last_hidden_state
    for other in (first, between, after_reset):
        assert_close(fresh, other)
    assert (second - first).abs().max() > 0.01


def test_rows_carry_their_own_states(elmo: ElmoModel, tokenizer: ElmoTokenizer) -> None:
    """Rows of different lengths in one batch go on as each of them would alone; a missing row waits."""
    elmo = elmo.double()
    runs = [[["a"], ["the", "river", "bank"], ["one", "two"]], [["x", "y"], ["z"]], [["b", "c", "d"], ["e"], ["f"]]]
    with torch.no_grad():
        together = [elmo(**tokenizer(batch), stateful=True).last_hidden_state for batch in runs]
        for row in range(3):
            elmo.reset_state()
            for batch, vectors in zip(runs, together, strict=True):
                for words in batch[row : row + 1]:
                    alone = elmo(**tokenizer([words]), stateful=True).last_hidden_state[0]
                    assert (vectors[row, : len(words)] - alone).abs().max() < 1e-10


@pytest.mark.parametrize(("cell", "projection"), [(64, 16), (1024, 128), (4096, 512)])
def test_rows_are_multiplied_alike_alone_and_among_128(cell: int, projection: int) -> None:
    """Matrix libraries choose a routine by size and by processor; what differs is rounding."""
    torch.manual_seed(0)
    weight, rows = torch.randn(2, cell, projection), torch.randn(2, 128, cell)
    exact = torch.bmm(rows.double(), weight.double())
    for count in (1, 2, 3, 17, 128):
        apart = (affine(rows[:, :count], weight) - exact[:, :count]).norm() / exact[:, :count].norm()
        assert apart < 1e-5


def test_batches_hold_at_most_128_rows_and_the_places_given() -> None:
    """Longest first; a sentence that is longer than a batch goes alone."""
    assert list(batches_by_length([3, 9, 2, 3], places=6)) == [[1], [0, 3], [2]]
    assert [len(batch) for batch in batches_by_length([2] * 300, places=4096)] == [128, 128, 44]


def test_stored_start_state(elmo: ElmoModel, tokenizer: ElmoTokenizer, tmp_path: Path) -> None:
    """It is the state after the given sentences, one after another; every sentence starts there; it is saved."""
    elmo = elmo.double()
    with torch.no_grad():
        for words in BANKS[:2]:
            elmo(**tokenizer([words]), stateful=True)
        warm = elmo(**tokenizer(BANKS[2:]), stateful=True).last_hidden_state
        cold = elmo(**tokenizer(BANKS[2:])).last_hidden_state
        elmo.store_start_state(**tokenizer(BANKS[:2]))
        elmo.save_pretrained(tmp_path)
        for model in (elmo, ElmoModel.from_pretrained(tmp_path)):
            started = model(**tokenizer(BANKS)).last_hidden_state[2:]
            assert (started - warm).abs().max() < 1e-10
    assert (warm - cold).abs().max() > 0.01


def test_round_trip(elmo: ElmoModel, tokenizer: ElmoTokenizer, tmp_path: Path) -> None:
    elmo.save_pretrained(tmp_path)
    tokenizer.save_pretrained(tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == {"config.json", "model.safetensors", "tokenizer_config.json"}
    with safe_open(tmp_path / "model.safetensors", "pt") as file:
        assert set(file.keys()) == set(elmo.state_dict())
    loaded, report = ElmoModel.from_pretrained(tmp_path, output_loading_info=True)
    assert not any(report.values())
    for model in (loaded, AutoModel.from_pretrained(tmp_path)):
        again = encode(model, AutoTokenizer.from_pretrained(tmp_path), BANKS)
        assert not model.training
        assert_close(again, encode(elmo, tokenizer, BANKS))


def test_cache_is_bounded_and_keeps_the_last_words(elmo: ElmoModel, tokenizer: ElmoTokenizer) -> None:
    cache, rows = WordVectorCache(capacity=3), torch.tensor([tokenizer.character_ids(word) for word in "abcdef"])
    encoded: list[int] = []

    class Counting(torch.nn.Module):
        def forward(self, character_ids: torch.Tensor) -> torch.Tensor:
            encoded.append(len(character_ids))
            return elmo.characters(character_ids)

    counting = Counting()
    with torch.no_grad():
        direct = elmo.characters(rows)
        assert_close(cache.look_up(rows, counting), direct)
        assert len(cache) == 3
        assert_close(cache.look_up(rows[3:], counting), direct[3:])
        assert_close(cache.look_up(rows[2:4], counting), direct[2:4])
    assert encoded == [6, 1]


def test_cache_forgets_changed_weights(elmo: ElmoModel, tokenizer: ElmoTokenizer) -> None:
    before = encode(elmo, tokenizer, BANKS)[0][0]
    assert len(elmo.cache) > 0
    with torch.no_grad():
        elmo.characters.projection.weight.mul_(2)
        elmo.characters.projection.bias.mul_(2)
    assert (encode(elmo, tokenizer, BANKS)[0][0] - 2 * before).abs().max() < 1e-6
    other = deepcopy(elmo)
    other.load_state_dict({name: torch.zeros_like(value) for name, value in elmo.state_dict().items()})
    assert encode(other, tokenizer, BANKS)[0].abs().max() == 0
    assert (encode(elmo, tokenizer, BANKS)[0][0] - 2 * before).abs().max() < 1e-6


def test_scalar_mix() -> None:
    torch.manual_seed(0)
    layers, mask = list(torch.randn(3, 2, 4, 6)), torch.tensor([[1, 1, 1, 1], [1, 1, 0, 0]])
    mix = ElmoScalarMix(3)
    assert torch.allclose(mix(layers, mask)[0], sum(layers)[0] / 3, atol=1e-6)
    assert mix(layers, mask)[1, 2:].abs().max() == 0
    with torch.no_grad():
        mix.weights.copy_(torch.tensor([0.0, 2.0, 1.0]).log())
        mix.gamma.fill_(3.0)
    assert torch.allclose(mix(layers, mask)[0], 2 * layers[1][0] + layers[2][0], atol=1e-5)
    with pytest.raises(ValueError, match="takes 3 layers, got 2"):
        mix(layers[:2], mask)


def test_layer_norm_is_over_all_real_words_at_once() -> None:
    torch.manual_seed(0)
    layer, mask = 5 + 3 * torch.randn(2, 4, 6), torch.tensor([[1, 1, 1, 1], [1, 1, 0, 0]])
    mixed = ElmoScalarMix(1, layer_norm=True)([layer], mask)
    real = layer[mask.bool()]
    expected = (real - real.mean()) / real.std(correction=0)
    assert torch.allclose(mixed[mask.bool()], expected, atol=1e-5)
    assert mixed[1, 2:].abs().max() == 0
