"""A text as tokens."""

from app.tasks.tokenization.tokenize import tokenize as tokenize
