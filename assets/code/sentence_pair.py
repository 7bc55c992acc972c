import torch
from transformers import AutoModelForPreTraining, AutoTokenizer

model = "google-bert/bert-base-uncased"
first = "The dog barked at the postman."
second = "He dropped his letters and ran."

tokenizer = AutoTokenizer.from_pretrained(model)
network = AutoModelForPreTraining.from_pretrained(model, dtype=torch.float32).eval()
with torch.inference_mode():
    # [CLS] first [SEP] second [SEP]; the head reads the vector of [CLS].
    output = network(**tokenizer(first, second, return_tensors="pt"))
# BERT: the second follows, or is from elsewhere. ALBERT: the two are in order, or swapped.
logits = output.sop_logits if "sop_logits" in output else output.seq_relationship_logits
answer = logits[0].softmax(-1).tolist()
print(answer)
