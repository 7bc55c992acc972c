"""What is written about a bundle: its model card, and one table of all."""
