import torch
from transformers import AutoModelForTokenClassification, AutoTokenizer

model = "dslim/bert-base-NER"
text = "Marie Curie was born in Warsaw and worked in Paris."

tokenizer = AutoTokenizer.from_pretrained(model)
network = AutoModelForTokenClassification.from_pretrained(model, dtype=torch.float32).eval()
encoded = tokenizer(text, return_tensors="pt", truncation=True)
with torch.inference_mode():
    shares = network(**encoded).logits[0].softmax(-1)
words = encoded.word_ids()
answer = [
    (text[slice(*encoded.word_to_chars(word))], network.config.id2label[int(share.argmax())], float(share.max()))
    for place, (word, share) in enumerate(zip(words, shares, strict=True))
    if word is not None and word not in words[:place]  # a word's first token
]
print(answer)
