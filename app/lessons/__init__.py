"""Lessons as data: read from `assets/lessons`, and checked against what the models answer.

`python -m app.lessons check` reports faults in sentences. Knows no page.
"""
