"""The two language-model heads: what they can see, their losses, training."""

from pathlib import Path

import pytest
import torch
from torch.nn import functional
from torch.testing import assert_close

from app.models.elmo import ElmoConfig, ElmoForLanguageModeling, ElmoModel, ElmoTokenizer
from app.models.elmo.language import sampled_softmax_loss

VOCABULARY = ["<S>", "</S>", "<UNK>", "the", "a", "cat", "dog", "sat", "ran", "."]
SENTENCES = [["the", "cat", "sat", "."], ["a", "dog", "ran"], ["the", "bird", "sat", "."]]


@pytest.fixture
def tokenizer() -> ElmoTokenizer:
    return ElmoTokenizer(VOCABULARY)


@pytest.fixture
def model(elmo_config: ElmoConfig) -> ElmoForLanguageModeling:
    torch.manual_seed(0)
    return ElmoForLanguageModeling(ElmoConfig(**{**elmo_config.to_diff_dict(), "vocab_size": len(VOCABULARY)})).eval()


def test_each_direction_sees_only_its_own_side(model: ElmoForLanguageModeling, tokenizer: ElmoTokenizer) -> None:
    one, two = [["the", "cat", "sat", "."]], [["the", "dog", "sat", "."]]
    with torch.no_grad():
        one, two = model(**tokenizer(one)), model(**tokenizer(two))
    assert one.forward_logits.shape == one.backward_logits.shape == (1, 5, 10)
    forward = (one.forward_logits - two.forward_logits).abs().amax(dim=2)[0]
    backward = (one.backward_logits - two.backward_logits).abs().amax(dim=2)[0]
    # The words differ at position 2: place i of forward has read 0..i, place i of backward has read i + 1 on.
    assert (forward == 0).tolist() == [True, True, False, False, False]
    assert (backward == 0).tolist() == [False, False, True, True, True]


def test_losses_are_the_mean_over_what_is_predicted(model: ElmoForLanguageModeling, tokenizer: ElmoTokenizer) -> None:
    """In a batch of sentences of unequal length, against the logits of each sentence alone, where nothing is padded."""
    losses = model(**tokenizer(SENTENCES, return_labels=True))
    forward, backward = [], []
    for sentence in SENTENCES:
        batch = tokenizer([sentence], return_labels=True)
        labels = batch.pop("labels")
        logits = model(**batch)
        forward.append(functional.cross_entropy(logits.forward_logits[0], labels[0, 1:], reduction="none"))
        backward.append(functional.cross_entropy(logits.backward_logits[0], labels[0, :-1], reduction="none"))
    means = torch.cat(forward).mean().item(), torch.cat(backward).mean().item()
    assert (losses.forward_loss.item(), losses.backward_loss.item()) == pytest.approx(means, abs=1e-5)
    assert losses.loss.item() == pytest.approx(sum(means) / 2, abs=1e-5)
    assert losses.forward_logits is None and logits.loss is None


@pytest.mark.parametrize("num_sampled_words", [0, 6])
def test_training_reaches_every_weight_and_learns(
    model: ElmoForLanguageModeling, tokenizer: ElmoTokenizer, num_sampled_words: int
) -> None:
    model.config.num_sampled_words = num_sampled_words
    batch = tokenizer(SENTENCES, return_labels=True)
    before = model(**batch).loss.item()
    optimizer = torch.optim.Adam(model.parameters(), lr=0.02)
    model.train()
    for step in range(80):
        model(**batch).loss.backward()
        if step == 0:
            still = [name for name, weight in model.named_parameters() if not weight.grad.abs().max() > 0]
            assert still == []
        optimizer.step()
        optimizer.zero_grad()
    model.eval()
    with torch.no_grad():
        assert model(**batch).loss < 0.4 * before


def test_gradient_of_the_recurrence(model: ElmoForLanguageModeling, tokenizer: ElmoTokenizer) -> None:
    """Against finite differences, where the rows of a batch end at different steps."""
    model = model.double()
    batch = tokenizer(SENTENCES, return_labels=True)
    weight = model.elmo.encoder.layers[0].hidden_weight
    model(**batch).loss.backward()
    for place in [(0, 1, 2), (1, 3, 40), (0, 5, 95)]:
        with torch.no_grad():
            weight[place] += 1e-5
            above = model(**batch).loss
            weight[place] -= 2e-5
            below = model(**batch).loss
            weight[place] += 1e-5
        assert weight.grad[place].item() == pytest.approx(((above - below) / 2e-5).item(), rel=1e-4, abs=1e-9)


def test_stateful_training_carries_no_graph(model: ElmoForLanguageModeling, tokenizer: ElmoTokenizer) -> None:
    batch = tokenizer(SENTENCES, return_labels=True)
    for _ in range(2):  # a carried graph would fail at the second backward
        model(**batch, stateful=True).loss.backward()
    assert not model.elmo.carried.hidden.requires_grad


def test_sampled_softmax_tends_to_the_whole_one() -> None:
    torch.manual_seed(0)
    softmax, vectors, labels = torch.nn.Linear(8, 50), torch.randn(200, 8), torch.randint(0, 50, (200,))
    whole = functional.cross_entropy(softmax(vectors), labels)
    sampled = sampled_softmax_loss(vectors, labels, softmax, 200_000)
    assert sampled.item() == pytest.approx(whole.item(), abs=0.01)


def test_round_trip_and_the_encoder_within(
    model: ElmoForLanguageModeling, tokenizer: ElmoTokenizer, tmp_path: Path
) -> None:
    model.save_pretrained(tmp_path)
    batch = tokenizer(SENTENCES)
    loaded, report = ElmoForLanguageModeling.from_pretrained(tmp_path, output_loading_info=True)
    assert not any(report.values())
    with torch.no_grad():
        assert_close(loaded(**batch).forward_logits, model(**batch).forward_logits)
        encoder = ElmoModel.from_pretrained(tmp_path)
        assert_close(encoder(**batch).last_hidden_state, model.elmo(**batch).last_hidden_state)


def test_needs_a_vocabulary(elmo_config: ElmoConfig) -> None:
    with pytest.raises(ValueError, match="vocab_size is 0"):
        ElmoForLanguageModeling(elmo_config)
