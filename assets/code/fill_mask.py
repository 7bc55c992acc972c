import torch
from transformers import AutoModelForMaskedLM, AutoTokenizer

model = "google-bert/bert-base-uncased"
text = "The church was built in the 12th [MASK]."

tokenizer = AutoTokenizer.from_pretrained(model)
network = AutoModelForMaskedLM.from_pretrained(model, dtype=torch.float32).eval()
inputs = tokenizer(text.replace("[MASK]", tokenizer.mask_token), return_tensors="pt")
with torch.inference_mode():
    logits = network(**inputs).logits[0]

answer = []
for place in (inputs.input_ids[0] == tokenizer.mask_token_id).nonzero().flatten():
    best = logits[place].softmax(-1).topk(5)  # every piece of the vocabulary has a probability
    answer.append([(tokenizer.decode([token]), share.item()) for share, token in zip(*best, strict=True)])
print(answer)
