"""Every family as a starting point: it learns, batches answer like single texts, the base is unchanged."""

from __future__ import annotations

import math
import random
from pathlib import Path

import numpy as np
import pytest
import torch

from app.engine.adapters.classifier import told_vectors
from app.engine.runtime.loaded import Loaded
from app.engine.runtime.loader import loader
from app.engine.text.text_tokenizer import TextTokenizer
from app.models.small_heads import MixedHead
from app.registry.lookup import BY_NAME
from app.tasks.fine_tune.starting import BAG, load_start
from app.training.classifier_model import build_classifier
from app.training.fine_tune import FineTuned, Plan, fine_tune, mix_of
from app.training.labelled import Example
from app.training.learners.bag_of_words import BagOfWords
from app.training.learners.start import learner_for
from app.training.reading import Reader
from tests.checkpoints import tiny_tokenizers

STARTS = (
    ("bert-base-uncased", "full"),
    ("roberta-base", "frozen"),
    ("albert-base-v2", "full"),
    ("gpt2", "full"),
    ("gpt2", "frozen"),
    ("tiny-llama", "frozen"),
    ("tiny-llama", "lora"),
    ("elmo-original", "mix"),
    ("word-vectors-mini", "regression"),
    (BAG.name, "regression"),
)
RATES = {"full": 3e-3, "lora": 3e-2, "frozen": 1e-1, "mix": 3e-1, "regression": 1e-3}
EPOCHS = {"full": 12, "lora": 12, "frozen": 40, "mix": 40, "regression": 1}


def rows(count: int = 40) -> list[Example]:
    """Rows of very different lengths that one word tells apart."""
    drawn, made = random.Random(5), []
    for index in range(count):
        word, label = (("dog", "animal"), ("soup", "food"))[index % 2]
        made.append(Example(f"the {word} " + "and you " * drawn.randint(0, 6) + f"is {word}", label))
    return made


def start(name: str) -> Loaded:
    """The starting point; a Llama with GPT-2's tokenizer, as the catalog's is too large to be made tiny of."""
    if name != "tiny-llama":
        return load_start(BAG) if name == BAG.name else loader().get(BY_NAME[name])
    from dataclasses import replace

    from transformers import LlamaConfig, LlamaForCausalLM

    from app.engine.runtime.device import RunLock
    from app.engine.runtime.loader import load_family

    tokenizer = tiny_tokenizers()["gpt2"]
    torch.manual_seed(4)
    size = {"hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 2, "num_attention_heads": 2}
    model = LlamaForCausalLM(LlamaConfig(vocab_size=len(tokenizer), initializer_range=0.3, **size)).eval()
    entry = replace(BY_NAME["smollm2-135m"], name=name, parameters=1)
    family = load_family("llama")
    return Loaded(entry, family, model, TextTokenizer(tokenizer), frozenset({"causal_lm"}), 1, RunLock())


def trained(name: str, method: str, **changed: object) -> FineTuned:
    """A short training."""
    plan = {"epochs": EPOCHS[method], "learning_rate": RATES[method], "method": method, "batch_size": 8, **changed}
    return fine_tune(start(name), rows(), Plan(**plan))


def answer(tuned: FineTuned, texts: list[str]) -> np.ndarray:
    """Logits [text, label] by the adapter that answers visitors, all texts asked at once."""
    from app.engine.runtime.device import RunLock

    made = tuned.made
    kept = Loaded(BAG, made.family, made.model, made.text, made.heads, made.bytes, RunLock())
    classifier = kept.head("classification")
    found = {}
    for done, logits in classifier.label_logits([classifier.encode(text) for text in texts]):
        found.update(zip(done, logits, strict=True))
    return np.stack([found[place] for place in range(len(texts))])


@pytest.mark.parametrize(("name", "method"), STARTS)
def test_it_learns_answers_and_leaves_the_base_alone(tiny: Path, name: str, method: str) -> None:
    base = start(name)
    before = {key: weight.clone() for key, weight in base.model.state_dict().items()}
    modes = [module.training for module in base.model.modules()]
    plan = Plan(epochs=EPOCHS[method], learning_rate=RATES[method], method=method, batch_size=8)
    tuned = fine_tune(base, rows(), plan)
    # Random weights may learn the rows by heart and understand nothing; of the tiny ELMo all vectors are nearly alike.
    assert tuned.history[-1].loss < 0.6 < math.log(2) or tuned.validation.accuracy > 0.7
    assert all(torch.equal(before[key], weight) for key, weight in base.model.state_dict().items())
    assert modes == [module.training for module in base.model.modules()]
    assert all(weight.requires_grad for weight in base.model.parameters()) or name in ("word-vectors-mini", BAG.name)
    texts = [judged.text for judged in tuned.judged]
    shares = torch.from_numpy(answer(tuned, texts)).softmax(-1)
    for judged, share in zip(tuned.judged, shares.tolist(), strict=True):
        assert share[tuned.labels.index(judged.label)] == pytest.approx(judged.probability, abs=1e-5)


@pytest.mark.parametrize(("name", "method"), STARTS)
def test_a_batch_answers_as_single_texts_do(tiny: Path, name: str, method: str) -> None:
    tuned = trained(name, method, epochs=3)
    texts = ["the dog", "the soup is hot and you ran away and you said it was hot", "soup", "! the dog !"]
    together = answer(tuned, texts)
    alone = np.concatenate([answer(tuned, [text]) for text in texts])
    np.testing.assert_allclose(together, alone, atol=1e-5, rtol=0)
    assert np.abs(together[0] - together[1]).max() > 1e-3, "the texts differ, and so do the answers"


@pytest.mark.parametrize("name", ["gpt2", "tiny-llama"])
def test_the_last_token_is_the_last_real_one(tiny: Path, name: str) -> None:
    """Whatever a batch is filled with: here with a token that stands at the end of the texts as well."""
    base = start(name)
    model = build_classifier(base, ["A", "B"], 0, from_scratch=False).eval()
    reader = Reader(base.text, 64)
    given = [Example(text, "A") for text in ("the dog", "the soup is hot and you ran away!", "you ran!!")]
    inputs = reader.inputs(given, torch.device("cpu"))
    mask = inputs["attention_mask"]
    with torch.no_grad():
        padded = told_vectors(model, inputs, "last")[:, 0]
        for number, row in enumerate(given):
            ids = base.text.encode(row.text).input_ids
            alone = model.base_model(input_ids=torch.tensor([ids])).last_hidden_state[0, -1]
            torch.testing.assert_close(padded[number], alone, atol=1e-5, rtol=0)
        filled = inputs["input_ids"].masked_fill(mask == 0, base.text.encode("ran!").input_ids[-1])
        again = told_vectors(model, {"input_ids": filled, "attention_mask": mask}, "last")[:, 0]
    torch.testing.assert_close(padded, again, atol=1e-5, rtol=0)


def test_transformers_own_class_says_the_same_of_a_gpt_taken_home(tiny: Path, tmp_path: Path) -> None:
    from transformers import AutoModelForSequenceClassification

    tuned = trained("gpt2", "full", epochs=2)
    tuned.model.save_pretrained(tmp_path)
    again = AutoModelForSequenceClassification.from_pretrained(tmp_path).eval()
    rows = [tuned.made.text.encode(text).input_ids for text in ("the dog", "the soup is hot and you ran")]
    width, padding = max(map(len, rows)), again.config.pad_token_id
    assert padding not in {token for row in rows for token in row}
    ids = torch.tensor([row + [padding] * (width - len(row)) for row in rows])
    with torch.no_grad():
        theirs = again(input_ids=ids, attention_mask=(ids != padding).long()).logits.numpy()
    np.testing.assert_allclose(answer(tuned, ["the dog", "the soup is hot and you ran"]), theirs, atol=1e-5)


def test_a_frozen_gpt_is_shared_and_only_its_layer_is_kept(tiny: Path) -> None:
    base = start("gpt2")
    tuned = fine_tune(base, rows(), Plan(epochs=2, method="frozen", learning_rate=1e-2))
    assert tuned.model.base_model is base.model.base_model
    assert tuned.made.trained == 2 * base.model.config.n_embd and tuned.made.bytes == 4 * tuned.made.trained


def test_elmo_learns_gamma_and_the_mix_and_nothing_else(tiny: Path) -> None:
    tuned = trained("elmo-original", "mix")
    mix = mix_of(tuned.model)
    layers = start("elmo-original").model.elmo.config.num_hidden_layers + 1
    assert isinstance(tuned.model, MixedHead) and len(mix.weights) == layers
    assert sum(mix.weights) == pytest.approx(1.0, abs=1e-6)
    assert mix.gamma != 1.0 and max(mix.weights) - min(mix.weights) > 1e-3
    assert tuned.made.trained == sum(one.numel() for one in tuned.model.parameters())
    assert mix_of(trained("bert-base-uncased", "full", epochs=1).model) is None


def test_the_mix_of_means_is_the_mean_of_the_mix(tiny: Path) -> None:
    """Equation 1 word by word, then the mean, against what the small head is given."""
    tuned, base = trained("elmo-original", "mix"), start("elmo-original")
    text = "the soup is hot and you ran"
    states = base.model.elmo(**base.text([text.split()])).hidden_states  # of each layer [1, word, hidden]
    mixed = tuned.model.mix(states, torch.ones(1, states[0].size(1)))  # [1, word, hidden]
    expected = tuned.model.linear(mixed.mean(dim=1))[0].detach().numpy()
    np.testing.assert_allclose(answer(tuned, [text])[0], expected, atol=1e-5)


@pytest.mark.parametrize("labels", [2, 3])
def test_a_bag_of_words_is_scikit_learns(labels: int) -> None:
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline

    words = ("dog", "soup", "door")[:labels]
    given = [
        Example(f"the {words[index % labels]} {'and you ' * (index % 4)}", words[index % labels]) for index in range(30)
    ]
    tuned = fine_tune(load_start(BAG), given, Plan(method="regression", validation_share=0.0))
    peer = make_pipeline(TfidfVectorizer(token_pattern=r"\b\w+\b"), LogisticRegression(max_iter=1000))
    peer.fit([row.text for row in given], [row.label for row in given])
    asked = ["the dog and you", "soup soup", "a house", "door and dog"]
    shares = torch.from_numpy(answer(tuned, asked)).double().softmax(-1).numpy()
    np.testing.assert_allclose(shares, peer.predict_proba(asked), atol=1e-5)


def test_word_vectors_are_scikit_learns_regression_on_their_means(tiny: Path) -> None:
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    base = start("word-vectors-mini")
    tuned = fine_tune(base, rows(), Plan(method="regression", validation_share=0.0))

    def means(texts: list[str]) -> np.ndarray:
        return np.stack([base.model(text.split()).mean(dim=0).numpy() for text in texts])

    peer = make_pipeline(StandardScaler(), LogisticRegression(max_iter=1000))
    peer.fit(means([row.text for row in rows()]), [row.label for row in rows()])
    asked = ["the dog and you", "soup", "you is the soup"]
    shares = torch.from_numpy(answer(tuned, asked)).double().softmax(-1).numpy()
    np.testing.assert_allclose(shares, peer.predict_proba(means(asked)), atol=1e-4)


def test_a_text_without_a_known_word_is_answered_by_the_bias_alone(tiny: Path) -> None:
    for name in ("word-vectors-mini", BAG.name):
        tuned = trained(name, "regression")
        expected = tuned.model.linear.bias.detach().numpy()
        np.testing.assert_allclose(answer(tuned, ["qqqqz"])[0], expected, atol=1e-6)


def test_a_bag_of_chinese_takes_characters() -> None:
    bag = BagOfWords()
    bag.learn_words(["房间很干净", "太吵了"])
    assert bag.encode("房间吵不吵").offsets == [(0, 1), (1, 2), (2, 3), (4, 5)]


def test_frozen_vectors_are_made_once_for_several_trainings(tiny: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    base, vectors, given = start("elmo-original"), {}, rows()
    plan, labels = Plan(method="mix", epochs=1), ["animal", "food"]
    learner_for(base, labels, plan, vectors).learn(given, [], plan, lambda report: None)
    asked = []
    monkeypatch.setattr("app.engine.adapters.words_classifier.MeansOfWords.vectors", lambda _, rows: asked.append(rows))
    learner_for(base, labels, plan, vectors).learn(given[:10], [], plan, lambda report: None)
    assert asked == [] and len(vectors) == len(set(given))
