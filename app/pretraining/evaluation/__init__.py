"""What is measured for which family, with its counting rivals."""
