"""A word in several sentences: its vectors, and whether a model separates its meanings."""

from app.tasks.word_sense.occurrence_vectors import word_sense as word_sense
