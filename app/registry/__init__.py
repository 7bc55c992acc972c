"""The catalog of checkpoints: data only, no torch."""
