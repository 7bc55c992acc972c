"""Which words support a label."""

from app.tasks.attribution.attribute import attribute as attribute
