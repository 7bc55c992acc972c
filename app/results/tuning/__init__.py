"""Results of trainings, single and side by side."""
