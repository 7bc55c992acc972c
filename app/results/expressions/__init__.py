"""Regular expressions that every part shares: words and scripts, blanks."""
