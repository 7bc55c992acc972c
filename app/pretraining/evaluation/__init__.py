"""What is measured for each family, and its counting baselines."""
