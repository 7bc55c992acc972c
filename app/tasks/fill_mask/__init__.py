"""Masked words: each blank alone, all together, and the exact score of any word."""

from app.tasks.fill_mask.fill import fill_mask as fill_mask
