"""Answers to a question out of a passage."""

from app.tasks.answering.answer import answer as answer
