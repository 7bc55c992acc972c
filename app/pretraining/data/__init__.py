"""Text as arrays: which files, vocabularies, sentences in order."""
