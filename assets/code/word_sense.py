import torch
from transformers import AutoModel, AutoTokenizer

model = "google-bert/bert-base-uncased"
lines = "The bank lent us the money.\nWe sat on the bank of the river."
word = "bank"

tokenizer = AutoTokenizer.from_pretrained(model)
network = AutoModel.from_pretrained(model, dtype=torch.float32).eval()
vectors = []
for line in lines.splitlines():
    sentence = line.rpartition(" | ")[2]  # a sense may stand in front
    inputs = tokenizer(sentence, return_tensors="pt", return_offsets_mapping=True)
    start = sentence.lower().index(word.lower())
    end = start + len(word)
    pieces = [i for i, (a, b) in enumerate(inputs.pop("offset_mapping")[0].tolist()) if a < end and b > start and a < b]
    with torch.inference_mode():
        states = network(**inputs, output_hidden_states=True).hidden_states  # embeddings, then each layer
    vectors.append(states[-1][0, pieces].mean(0))
vectors = torch.nn.functional.normalize(torch.stack(vectors), dim=-1)
answer = (vectors @ vectors.T).tolist()  # cosines between all uses of the word, last layer
print(answer)
