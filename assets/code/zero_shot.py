import torch
from transformers import AutoModelForCausalLM, AutoTokenizer

model = "openai-community/gpt2"
text = "A warm film with a clever story."
labels = "good\nbad"
template = "{text} It was"

tokenizer = AutoTokenizer.from_pretrained(model)
network = AutoModelForCausalLM.from_pretrained(model, dtype=torch.float32).eval()
asked = template.replace("{text}", text)
prompt = tokenizer(asked, add_special_tokens=False).input_ids
answer = {}
for label in labels.splitlines():
    space = " " if (asked + label).isascii() else ""  # none in Chinese
    tokens = tokenizer(space + label, add_special_tokens=False).input_ids
    with torch.inference_mode():
        shares = network(torch.tensor([prompt + tokens])).logits[0].log_softmax(-1)
    # What stands at a place is predicted at the one before.
    answer[label] = sum(shares[len(prompt) - 1 + place, token].item() for place, token in enumerate(tokens))
print(answer)
