"""Answers to a question from a passage."""

from app.tasks.answering.answer import answer as answer
