"""The one training loop, shared by pre-training and fine-tuning. Knows no model and no Gradio."""
