"""Trains the bundled checkpoints: `python -m app.pretraining --recipe bert_mini`.

corpus -> tokenizers -> objectives -> train -> export, and evaluate for the model card. Nothing that serves
visitors imports this package; it needs `requirements-dev.txt` and a folder of training text.
"""
