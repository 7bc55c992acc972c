"""Text as arrays: files, vocabularies, sentences in order."""
