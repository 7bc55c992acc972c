"""The bundled classifiers and taggers: their training sets, making and measuring them, their cards."""
