import math

import torch
from transformers import AutoModelForMaskedLM, AutoTokenizer

model = "google-bert/bert-base-uncased"
first = "She poured hot water into the cup and made tea."

tokenizer = AutoTokenizer.from_pretrained(model)
network = AutoModelForMaskedLM.from_pretrained(model, dtype=torch.float32).eval()
tokens = tokenizer(first, return_tensors="pt").input_ids
answer = []
for place in range(1, tokens.shape[1] - 1):  # each token is hidden in its turn, and both sides are read
    hidden = tokens.clone()
    hidden[0, place] = tokenizer.mask_token_id
    with torch.inference_mode():
        shares = network(hidden).logits[0, place].log_softmax(-1)
    answer.append((tokenizer.decode(tokens[0, [place]]), -shares[tokens[0, place]].item() / math.log(2)))
print(answer)
