"""Where checkpoints are stored, how they are fetched, and what their folders lack."""
