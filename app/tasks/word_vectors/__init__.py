"""One vector per word: nearest words, analogies, a map, and what a single vector cannot show."""

from app.tasks.word_vectors.analogy import analogy as analogy
from app.tasks.word_vectors.neighbours import word_vectors as word_vectors
