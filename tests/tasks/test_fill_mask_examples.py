"""The bundled model answers the page's examples as a reader would: at least 7 of 10; those that fail have a note."""

from __future__ import annotations

from app.engine.files import BUNDLED
from app.tasks.fill_mask import fill_mask
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


def test_the_bundled_model_answers_the_examples() -> None:
    assert (BUNDLED / "bert-mini" / "model.safetensors").is_file()
    single = [e for e in examples("en", "fill_mask") if e["text"].count("[MASK]") == 1 and "note" not in e]
    assert [example["text"] for example in single] == list(ACCEPTED)
    first = {text: fill_mask(text, "bert-mini", 1).masks[0].candidates[0].token for text in ACCEPTED}
    right = [text for text, word in first.items() if word in ACCEPTED[text]]
    assert len(right) >= 7, {text: word for text, word in first.items() if text not in right}
