"""What a model attends to, and what its layers predict."""

from app.tasks.attention.attend import attention as attention
