"""A model's introduction, as cards in tests show it."""

from app.results.about import About

ABOUT = About("m", "A model", "How far it can be trusted.", "What is it?")
