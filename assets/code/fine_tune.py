import random

import torch
from transformers import AutoModelForSequenceClassification, AutoTokenizer, get_linear_schedule_with_warmup

model = "google-bert/bert-base-uncased"
lines = "The staff were friendly. | positive\nThe room was dirty. | negative\nGreat! | positive\nSo rude. | negative"
epochs = 6
learning_rate = "5e-5"  # of a model as large as BERT; one of a few million weights learns better with 1e-3
batch_size = 16
validation_share = 0.25
seed = 0

rows = [line.rpartition("|")[::2] for line in lines.splitlines() if "|" in line]
random.Random(seed).shuffle(rows)
back, labels = round(validation_share * len(rows)), sorted({label.strip() for _, label in rows})
train, kept_back = rows[back:], rows[:back]

torch.manual_seed(seed)
tokenizer = AutoTokenizer.from_pretrained(model)
network = AutoModelForSequenceClassification.from_pretrained(model, dtype=torch.float32, num_labels=len(labels))
steps = epochs * -(-len(train) // batch_size)
# All weights learn.
optimizer = torch.optim.AdamW(network.parameters(), lr=float(learning_rate), weight_decay=0.01)
schedule = get_linear_schedule_with_warmup(optimizer, round(0.06 * steps), steps)


def loss_and_right(some):
    inputs = tokenizer([text.strip() for text, _ in some], return_tensors="pt", padding=True, truncation=True)
    wanted = torch.tensor([labels.index(label.strip()) for _, label in some])
    made = network(**inputs, labels=wanted)
    return made.loss, (made.logits.argmax(-1) == wanted).tolist()


answer = 0.0
for epoch in range(epochs):  # `from_pretrained` leaves dropout off: with so few rows the model learns better without
    random.Random(seed + epoch).shuffle(train)
    for at in range(0, len(train), batch_size):
        loss, _ = loss_and_right(train[at : at + batch_size])
        loss.backward()
        torch.nn.utils.clip_grad_norm_(network.parameters(), 1.0)
        optimizer.step()
        schedule.step()
        optimizer.zero_grad()
    with torch.inference_mode():
        parts = [kept_back[at : at + batch_size] for at in range(0, back, batch_size)]
        right = [one for part in parts for one in loss_and_right(part)[1]]
    answer = max(answer, sum(right) / max(1, back))  # share of the rows kept back that the best epoch gets right
    print(epoch + 1, loss.item(), answer)
