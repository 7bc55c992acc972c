import torch
from transformers import AutoModel, AutoTokenizer

model = "google-bert/bert-base-uncased"
text = "The dog barked because it was hungry."

tokenizer = AutoTokenizer.from_pretrained(model)
network = AutoModel.from_pretrained(model, dtype=torch.float32, attn_implementation="eager").eval()
inputs = tokenizer(text, return_tensors="pt")
with torch.inference_mode():
    layers = network(**inputs, output_attentions=True).attentions
layer, head = 0, 0
answer = layers[layer][0, head]  # from each token (row) to each token (column); each row adds up to one
print(tokenizer.convert_ids_to_tokens(inputs.input_ids[0]))
print(answer)
