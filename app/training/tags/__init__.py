"""Labels of words: what learns them, and how well whole entities are found."""
