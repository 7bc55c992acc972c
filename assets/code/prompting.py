import torch
from transformers import AutoModelForCausalLM, AutoTokenizer

model = "openai-community/gpt2"
prompt = "The best way to learn a language is"

tokenizer = AutoTokenizer.from_pretrained(model)
network = AutoModelForCausalLM.from_pretrained(model, dtype=torch.float32).eval()
inputs = tokenizer(prompt, return_tensors="pt")
with torch.inference_mode():
    # At temperature 0: the most probable token each time.
    written = network.generate(**inputs, max_new_tokens=20, do_sample=False, pad_token_id=tokenizer.eos_token_id)
answer = tokenizer.decode(written[0, inputs.input_ids.shape[1] :], skip_special_tokens=True)
print(prompt + answer)
