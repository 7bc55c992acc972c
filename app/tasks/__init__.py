"""Turns text and names into frozen results. Knows the engine and the registry, nothing of pages or plots.

A program that calls tasks calls `answer_registry` first.
"""

from app.engine.answer_registry import answer_registry as answer_registry
