from transformers import AutoTokenizer

model = "google-bert/bert-base-uncased"
text = "Unbelievable! The playful dog was playing."

tokenizer = AutoTokenizer.from_pretrained(model)
encoded = tokenizer(text, return_offsets_mapping=True)
pieces = tokenizer.convert_ids_to_tokens(encoded.input_ids)
answer = [(piece, text[start:end]) for piece, (start, end) in zip(pieces, encoded.offset_mapping, strict=True)]
print(answer)
