"""What visitors type, as a measure: words hidden in sentences, next words, pairs; all through the page's own path."""
