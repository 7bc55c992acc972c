"""What the fine-tuning tab is made of: its form, what is done with a trained model, how it is taken home."""
