"""The bundled classifiers: their training sets, making and measuring them, their cards."""
