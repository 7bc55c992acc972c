"""The bundled classifiers: what they learn from, how they are made and measured, their cards."""
