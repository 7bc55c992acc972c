"""One file per tab; each runs alone with `python -m demos.<slug>`."""
