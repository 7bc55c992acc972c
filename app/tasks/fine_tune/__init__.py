"""Fine-tuning on a visitor's own rows."""

from app.tasks.fine_tune.tune import fine_tune as fine_tune
