"""A report of what a visitor tried: collected in the browser, made into one file that opens without a network."""
