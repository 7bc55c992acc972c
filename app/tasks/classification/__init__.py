"""Labels of texts and pairs, and texts as points."""

from app.tasks.classification.classify import classify as classify
