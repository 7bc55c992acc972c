"""Where checkpoints lie, how they come here, and what their folders lack."""
