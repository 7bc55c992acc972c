"""Regular expressions that all parts share: words and scripts, blanks."""
