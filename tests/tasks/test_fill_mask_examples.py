"""The bundled models answer the page's examples as a reader would: at least 7 of 10; failures have a note."""

from __future__ import annotations

import pytest

from app.engine.storage.locate import BUNDLED
from app.registry.lookup import readers
from app.tasks.fill_mask.fill import fill_mask
from app.ui.texts import examples

# What a reader accepts as the missing word.
ACCEPTED = {
    "She opened the [MASK] and went into the house.": {"door", "gate", "window"},
    "He shook his [MASK] and said nothing.": {"head"},
    "They lived in a small [MASK] near the sea.": {"town", "village", "house", "city", "cottage"},
    "She was the mother of two [MASK].": {"children", "boys", "girls", "sons", "daughters"},
    "The team won the [MASK] in the last minute.": {"match", "game", "cup", "title", "race", "final"},
    "The prime [MASK] of the country resigned on Monday.": {"minister"},
    "The church was built in the 12th [MASK].": {"century"},
    "The island lies in the Pacific [MASK].": {"ocean"},
    "For the first [MASK] in his life he was happy.": {"time"},
    "He was born in New [MASK] City.": {"york"},
}
CHINESE = {
    "他毕业于北京[MASK]学。": {"大", "中"},
    "[MASK]京是中国的首都。": {"北"},
    "该校是一所公立大[MASK]。": {"学"},
    "这部电[MASK]于2015年上映。": {"影"},
    "她是一名中国女演[MASK]。": {"员"},
    "二战结束[MASK]，他回到了家乡。": {"后", "时"},
    "今天的[MASK]气很好。": {"天"},
}


@pytest.mark.parametrize(
    ("model", "language", "accepted"), [("bert-mini", "en", ACCEPTED), ("bert-mini-zh", "zh-CN", CHINESE)]
)
def test_the_bundled_model_answers_the_examples(model: str, language: str, accepted: dict[str, set[str]]) -> None:
    assert (BUNDLED / model / "model.safetensors").is_file()
    single = [e["text"] for e in examples(language, "fill_mask") if e["text"].count("[MASK]") == 1 and "note" not in e]
    assert {text for text in single if readers([model], text, "fill_mask") == [model]} == {*accepted}
    first = {text: fill_mask(text, model, 1).masks[0].candidates[0].token for text in accepted}
    right = [text for text, word in first.items() if word in accepted[text]]
    assert len(right) >= 0.7 * len(accepted), {text: word for text, word in first.items() if text not in right}
