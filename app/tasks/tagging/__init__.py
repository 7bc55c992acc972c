"""Labels of words, and the entities that they spell."""

from app.tasks.tagging.tag import tag as tag
