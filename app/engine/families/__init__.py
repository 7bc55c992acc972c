"""One file per architecture family, found by its name. This is where transformers is imported."""
