"""How probable a model finds a text, token by token, and pairs of texts."""
