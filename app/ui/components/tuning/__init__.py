"""The parts of the fine-tuning tab: its form, what is done with a trained model, how it is taken home."""
