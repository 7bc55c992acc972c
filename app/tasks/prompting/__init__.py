"""A causal model continues a text, token by token."""

from app.tasks.prompting.write import generate as generate
from app.tasks.prompting.write import next_token as next_token
