"""Results of trainings, one by one and beside each other."""
