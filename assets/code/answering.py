import torch
from transformers import AutoModelForQuestionAnswering, AutoTokenizer

model = "deepset/minilm-uncased-squad2"
question = "Who found the ship?"
passage = "In 1912 a fisherman named Olaf Berg found a wooden ship."

tokenizer = AutoTokenizer.from_pretrained(model)
network = AutoModelForQuestionAnswering.from_pretrained(model, dtype=torch.float32).eval()
encoded = tokenizer(question, passage, return_tensors="pt", truncation="only_second")
with torch.inference_mode():
    made = network(**encoded)
possible = torch.tensor([place == 0 or side == 1 for place, side in enumerate(encoded.sequence_ids())])
begins, ends = (logits[0].where(possible, -torch.inf).softmax(-1) for logits in (made.start_logits, made.end_logits))
no_answer = float(begins[0] * ends[0])
begins[0] = ends[0] = 0.0  # [CLS] stands for no answer
both = torch.outer(begins, ends).triu().tril(14)  # at most 15 tokens
first, last = divmod(int(both.argmax()), len(ends))
answer = (passage[encoded.token_to_chars(first).start : encoded.token_to_chars(last).end], float(both.max()), no_answer)
print(answer)
