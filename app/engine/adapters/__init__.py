"""How a loaded model answers as each head's protocol wants it, whatever its family; batches, and layers in blocks."""
