"""What tasks return and views draw: frozen dataclasses, one module per tab; several use `text`. Numpy only."""
