"""What a model is trained to predict: batches of arrays, no model."""
