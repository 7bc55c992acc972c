"""Further checkpoints of the Hub: large ones, other languages, classifiers. One row each; `catalog.py` joins them.

A row whose commit nobody has looked up says UNPINNED; `python -m app.registry pin` fills it in where the Hub answers.
Weights are counted from the published configurations; a download is about 4 bytes for each until `pin` has asked.
"""

from __future__ import annotations

from app.registry.checkpoint import CAUSAL_LM, CLASSIFICATION, MASKED_LM, NEXT_SENTENCE, UNPINNED, Checkpoint


def _hub(
    name: str, repo_id: str, revision: str, family: str, language: str, heads: tuple[str, ...], parameters: int,
    licence: str, download_bytes: int = 0,
) -> Checkpoint:  # fmt: skip
    return Checkpoint(
        name=name,
        family=family,
        language=language,
        source="hub",
        repo_id=repo_id,
        revision=revision,
        heads=heads,
        parameters=parameters,
        download_bytes=download_bytes or 4 * parameters,
        licence=licence,
    )


BOTH = (MASKED_LM, NEXT_SENTENCE)
# fmt: off
FURTHER = (
    _hub("bert-large-uncased", "google-bert/bert-large-uncased", "6da4b6a26a1877e173fca3225479512db81a5e5b",
         "bert", "en", BOTH, 336_226_108, "Apache-2.0"),
    # to do: the commit
    _hub("bert-large-cased", "google-bert/bert-large-cased", UNPINNED,
         "bert", "en", BOTH, 334_661_958, "Apache-2.0"),
    _hub("bert-base-multilingual-cased", "google-bert/bert-base-multilingual-cased",
         "3f076fdb1ab68d5b2880cb87a0886f315b8146f8", "bert", "multi", BOTH, 178_566_653, "Apache-2.0"),
    _hub("roberta-large", "FacebookAI/roberta-large", "722cf37b1afa9454edce342e7895e588b6ff1d59",
         "roberta", "en", (MASKED_LM,), 355_412_057, "MIT"),
    # Trained as RoBERTa was, built as BERT is. To do: the commit.
    _hub("chinese-roberta-wwm-ext", "hfl/chinese-roberta-wwm-ext", UNPINNED,
         "bert", "zh", (MASKED_LM,), 102_290_312, "Apache-2.0"),
    # to do: the commit
    _hub("albert-chinese-base", "voidful/albert_chinese_base", UNPINNED,
         "albert", "zh", (MASKED_LM,), 10_077_192, "not stated"),
    _hub("gpt2-medium", "openai-community/gpt2-medium", "6dcaa7a952f72f9298047fd5137cd6e4f05f41da",
         "gpt2", "en", (CAUSAL_LM,), 354_823_168, "MIT"),
    _hub("gpt2-large", "openai-community/gpt2-large", "32b71b12589c2f8d625668d2335a01cac3249519",
         "gpt2", "en", (CAUSAL_LM,), 774_030_080, "MIT"),
    _hub("gpt2-xl", "openai-community/gpt2-xl", "15ea56dee5df4983c59b2538573817e1667135e2",
         "gpt2", "en", (CAUSAL_LM,), 1_557_611_200, "MIT"),
    # to do: the commit
    _hub("openai-gpt", "openai-community/openai-gpt", UNPINNED,
         "openai_gpt", "en", (CAUSAL_LM,), 116_534_784, "MIT"),
    # to do: the commit
    _hub("gpt2-chinese", "uer/gpt2-chinese-cluecorpussmall", UNPINNED,
         "gpt2", "zh", (CAUSAL_LM,), 102_068_736, "not stated"),
    # to do: the commit
    _hub("sentiment-roberta-large", "siebert/sentiment-roberta-large-english", UNPINNED,
         "roberta", "en", (CLASSIFICATION,), 355_361_794, "not stated"),
    # to do: the commit
    _hub("stars-bert-multilingual", "nlptown/bert-base-multilingual-uncased-sentiment", UNPINNED,
         "bert", "multi", (CLASSIFICATION,), 167_360_261, "MIT"),
    # to do: the commit
    _hub("topics-bert-ag-news", "textattack/bert-base-uncased-ag-news", UNPINNED,
         "bert", "en", (CLASSIFICATION,), 109_485_316, "not stated"),
    # to do: the commit
    _hub("sentiment-roberta-chinese", "uer/roberta-base-finetuned-jd-binary-chinese", UNPINNED,
         "bert", "zh", (CLASSIFICATION,), 102_269_186, "not stated"),
    # to do: the commit
    _hub("topics-roberta-chinese", "uer/roberta-base-finetuned-chinanews-chinese", UNPINNED,
         "bert", "zh", (CLASSIFICATION,), 102_273_031, "not stated"),
)
# fmt: on
