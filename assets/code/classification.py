import torch
from transformers import AutoModelForSequenceClassification, AutoTokenizer

model = "distilbert/distilbert-base-uncased-finetuned-sst-2-english"
text = "The story is warm, the actors are wonderful."

tokenizer = AutoTokenizer.from_pretrained(model)
network = AutoModelForSequenceClassification.from_pretrained(model, dtype=torch.float32).eval()
with torch.inference_mode():
    logits = network(**tokenizer(text, return_tensors="pt", truncation=True)).logits[0]
shares = logits.softmax(-1).tolist()
answer = {network.config.id2label[number]: share for number, share in enumerate(shares)}
print(answer)
