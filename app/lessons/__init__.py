"""Lessons as data: read from `assets/lessons`, and checked against what the models answer.

`python -m app.lessons check` says in sentences what is wrong with one. Knows no page.
"""
