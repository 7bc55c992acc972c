"""Small components built from `gr.HTML` with a template and a few lines of JavaScript."""
