"""The start page's question: one word of a sentence hidden at a time."""

from app.tasks.start.one_blank import hide_another as hide_another
