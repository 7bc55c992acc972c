"""Which words speak for a label."""

from app.tasks.attribution.attribute import attribute as attribute
