"""Chinese passages with questions, made of templates and of written rows: more than anyone can write."""
