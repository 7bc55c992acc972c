"""Labels of words: learning them, and scoring whole entities."""
