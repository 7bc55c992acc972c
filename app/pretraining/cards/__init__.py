"""A bundle's documents: its model card, and one table of all bundles."""
