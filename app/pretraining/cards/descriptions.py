"""The parts of each model card that are written by hand."""

from __future__ import annotations

from dataclasses import dataclass, replace


@dataclass(frozen=True)
class About:
    """What a reader must know about one checkpoint besides its numbers."""

    title: str
    licence: str  # a Hub licence key
    what: str
    limits: str
    base_model: str = ""  # repo id of the base, for a delta
    pipeline: str = "fill-mask"  # a Hub task key
    library: str = "transformers"  # the well-known library that loads it, if there is one


_SMALL_WORLD = (
    "It knows few facts, follows grammar and topic better than meaning, and was taught mostly by encyclopaedia, news "
    "and old novels. It repeats the biases of its texts. Use it to see how such a model works, not for its answers."
)

_WORD_VECTORS = About(
    title="word-vectors-mini",
    licence="cc-by-sa-4.0",
    pipeline="feature-extraction",
    library="",
    what=(
        "One vector a word, counted by this project in the text that its other mini models saw: which words stand near "
        "which (positive pointwise mutual information), and the leading directions of that (singular value "
        "decomposition), as Levy, Goldberg and Dagan (2015) found it to equal skip-gram. A word has the same vector in "
        "every sentence, whatever it means there: ELMo set out to change that. It is **not** word2vec's or GloVe's "
        "published set, which saw a hundred times its text or more."
    ),
    limits="Words outside its list have no vector, and a word's senses share one. It repeats the biases of its texts.",
)

ABOUT = {
    "bert-mini": About(
        title="bert-mini",
        licence="cc-by-sa-4.0",
        what=(
            "A small BERT with both its pre-training heads (masked words, next sentence), trained from nothing by this "
            "project's own code. It is **not** BERT base: it has a seventeenth of its weights and saw less than a "
            "hundredth of its text."
        ),
        limits=_SMALL_WORLD,
    ),
    "roberta-mini": About(
        title="roberta-mini",
        licence="cc-by-sa-4.0",
        what=(
            "A small RoBERTa (masked words; no sentence pairs, another masking in each pass), trained from nothing by "
            "this project's own code. It is **not** RoBERTa base."
        ),
        limits=_SMALL_WORLD,
    ),
    "bert-mini-zh": About(
        title="bert-mini-zh",
        licence="cc-by-sa-4.0",
        what=(
            "A small BERT for Chinese, each character a token, with both its pre-training heads, trained from nothing "
            "by this project's own code on the openings of Wikipedia articles and on everyday sentences of this "
            "project. The weights are the mean of two states of one run, after 58.4 M tokens (0.4) and at its end "
            "(0.6). It is **not** BERT base Chinese."
        ),
        limits=_SMALL_WORLD.replace("encyclopaedia, news and old novels", "encyclopaedia"),
    ),
    "minilm-l6": About(
        title="MiniLM L6: a distilled BERT; heads trained here",
        licence="apache-2.0",
        base_model="sentence-transformers/all-MiniLM-L6-v2",
        what=(
            "A delta for the encoder `sentence-transformers/all-MiniLM-L6-v2` (Apache 2.0; by its authors distilled "
            "from BERT and tuned for sentence embeddings, after which no pre-training heads were left). This folder "
            "holds only what was trained here: a masked-LM head, a pooler and a next-sentence head, the changes of "
            "the encoder's matrices in 8 bits, its biases and layer norms, a low-rank change of the word embeddings, "
            "and the vector of `[MASK]`. "
            "`app.models.delta.merge_delta` adds it to the base's weights."
        ),
        limits=(
            "It is neither BERT nor the published sentence encoder: merged, its sentence embeddings differ from the "
            "published ones, so use the base without the delta for those. " + _SMALL_WORLD
        ),
    ),
    "albert-mini": About(
        title="albert-mini",
        licence="cc-by-sa-4.0",
        what=(
            "A small ALBERT with both its pre-training heads (masked words, **sentence order**), trained from nothing "
            "by this project's own code: factorised embeddings, one layer's weights used by all layers. It is **not** "
            "ALBERT base."
        ),
        limits=(
            "Its order head learnt how texts open: a thing is named before *it* or *he* stands for it. Between two "
            "sentences from the middle of a text it guesses. " + _SMALL_WORLD
        ),
    ),
    "gpt2-mini": About(
        title="gpt2-mini",
        licence="cc-by-sa-4.0",
        pipeline="text-generation",
        what=(
            "A small GPT-2 (predicts the next piece of a text), trained from nothing by this project's own code. It is "
            "**not** GPT-2: it has a twentieth of its weights and saw a hundredth of its text or less."
        ),
        limits=(
            "It writes grammatical half-sentences that lose their thread, and follows no instructions. " + _SMALL_WORLD
        ),
    ),
    "gpt2-mini-zh": About(
        title="gpt2-mini-zh",
        licence="cc-by-sa-4.0",
        pipeline="text-generation",
        what=(
            "A small GPT-2 for Chinese (predicts the next character of a text), trained from nothing by this project's "
            "own code on the openings of Wikipedia articles and on everyday sentences. It is **not** GPT-2."
        ),
        limits=(
            "It finishes short sentences, some of which it has read, and stops; longer texts are an encyclopaedia's "
            "and lose their thread within a sentence. It follows no instructions. "
            + _SMALL_WORLD.replace("encyclopaedia, news and old novels", "encyclopaedia")
        ),
    ),
    "elmo-mini": About(
        title="elmo-mini",
        licence="cc-by-sa-4.0",
        pipeline="feature-extraction",
        what=(
            "A small ELMo (word vectors in context, from the characters of the words), trained from nothing by this "
            "project's own code, with the softmax that its training needs: it can say which word comes next and which "
            "came before. It is **not** the published ELMo, whose small version has four and a half times its weights "
            "(the softmax not counted) and saw more than a hundred times its text. `app.models.elmo` loads it, and the "
            "published files too."
        ),
        limits=_SMALL_WORLD,
    ),
    "word-vectors-mini": _WORD_VECTORS,
    "word-vectors-mini-zh": replace(
        _WORD_VECTORS,
        title="word-vectors-mini-zh",
        what=(
            "One vector for each Chinese word, counted by this project in openings of Wikipedia articles and everyday "
            "sentences, cut into words by jieba's dictionary. A word has the same vector in every sentence, whatever "
            "it means there. It is **not** word2vec's or GloVe's published set, which saw a thousand times its text."
        ),
        limits="It has read five million words only, most of them about places, people and works. "
        + _WORD_VECTORS.limits,
    ),
}
