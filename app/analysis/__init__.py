"""Mathematics on plain arrays: arrays in, arrays out. Knows no model, no task and no view."""
