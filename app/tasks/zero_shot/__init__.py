"""Labels as continuations of a prompt."""

from app.tasks.zero_shot.predict import zero_shot as zero_shot
