"""Files that people send: their encoding, their rows, which column holds what."""
