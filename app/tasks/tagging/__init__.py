"""Labels of words, and the entities they form."""

from app.tasks.tagging.tag import tag as tag
