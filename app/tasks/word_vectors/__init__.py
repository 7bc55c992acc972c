"""One vector for each word: its nearest words, analogies, a map, and what one vector cannot tell."""

from app.tasks.word_vectors.analogy import analogy as analogy
from app.tasks.word_vectors.neighbours import word_vectors as word_vectors
