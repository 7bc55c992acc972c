"""Several starting points that learn from the same rows, one by one."""
