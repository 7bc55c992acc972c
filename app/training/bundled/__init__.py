"""The bundled classifiers and taggers: what they learn from, how they are made and measured, their cards."""
