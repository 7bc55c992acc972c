"""Makes the folder of texts that pre-training needs, from public sources."""
