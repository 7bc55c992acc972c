import torch
from captum.attr import IntegratedGradients
from transformers import AutoModelForSequenceClassification, AutoTokenizer

model = "distilbert/distilbert-base-uncased-finetuned-sst-2-english"
text = "It is not a bad film."

tokenizer = AutoTokenizer.from_pretrained(model)
network = AutoModelForSequenceClassification.from_pretrained(model, dtype=torch.float32).eval()
inputs = tokenizer(text, return_tensors="pt", truncation=True, return_special_tokens_mask=True)
ids, special = inputs.pop("input_ids"), inputs.pop("special_tokens_mask").bool()
hidden = torch.where(special, ids, tokenizer.mask_token_id)  # the same text with every token hidden


def logits_of(vectors):
    others = {name: row.expand(len(vectors), -1) for name, row in inputs.items()}
    return network(inputs_embeds=vectors, **others).logits


with torch.no_grad():
    vectors, baseline = map(network.get_input_embeddings(), (ids, hidden))
    label = logits_of(vectors)[0].argmax().item()
added = IntegratedGradients(logits_of).attribute(vectors, baseline, target=label, n_steps=128).sum(-1)[0]
# What each token adds to the label's logit, on the way from the hidden text to the text.
answer = list(zip(tokenizer.convert_ids_to_tokens(ids[0]), added.tolist(), strict=True))
print(network.config.id2label[label], answer)
