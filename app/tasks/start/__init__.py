"""The start page's task: one word of a sentence is hidden at a time."""

from app.tasks.start.one_blank import hide_another as hide_another
