import math

import torch
from transformers import AutoModelForCausalLM, AutoTokenizer

model = "openai-community/gpt2"
first = "She poured hot water into the cup and made tea."

tokenizer = AutoTokenizer.from_pretrained(model)
network = AutoModelForCausalLM.from_pretrained(model, dtype=torch.float32).eval()
tokens = tokenizer(first, add_special_tokens=False).input_ids
begin = [network.config.bos_token_id or tokenizer.eos_token_id]
with torch.inference_mode():
    shares = network(torch.tensor([begin + tokens])).logits[0].log_softmax(-1)
# What stands at a place is predicted at the one before.
answer = [(tokenizer.decode([token]), -shares[place, token].item() / math.log(2)) for place, token in enumerate(tokens)]
print(answer)
