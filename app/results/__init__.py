"""What tasks return and views draw: frozen dataclasses, one module a tab; `text` has what several share. Numpy only."""
