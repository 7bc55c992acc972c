"""Scores on what visitors type: words hidden in sentences, next words, pairs, all asked the way the page asks."""
