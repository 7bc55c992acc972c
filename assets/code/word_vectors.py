from pathlib import Path

import numpy as np
from safetensors.numpy import load_file

model = "assets/models/word-vectors-mini"
word = "king"
first = "man"
second = "king"
third = "woman"

words = Path(model, "vocab.txt").read_text(encoding="utf-8").split("\n")[:-1]
stored = load_file(Path(model, "vectors.safetensors"))  # 8 bits a number, and each row's scale
vectors = stored["vectors"].astype(np.float32) * stored["scale"].astype(np.float32)[:, None]
vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
row = {word.lower(): place for place, word in reversed([*enumerate(words)])}


def nearest(vector, left_out, count):
    cosines = vectors @ (vector / np.linalg.norm(vector))
    best = [place for place in np.argsort(-cosines) if place not in left_out]
    return [(words[place], float(cosines[place])) for place in best[:count]]


at = row[word.lower()]
neighbours = nearest(vectors[at], [at], 10)
a, b, c = (row[one.lower()] for one in (first, second, third))
fourth = nearest(vectors[b] - vectors[a] + vectors[c], [a, b, c], 5)  # 3CosAdd
answer = {"neighbours": neighbours, "analogy": fourth}
print(answer)
