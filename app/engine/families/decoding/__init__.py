"""How causal models run here: our own pass over their weights, sampling, and streams that share each pass."""
