"""Files that people send: encoding, rows, and the meaning of columns."""
