"""A model as cards in tests introduce it."""

from app.results.about import About

ABOUT = About("m", "A model", "How far it can be trusted.", "What is it?")
