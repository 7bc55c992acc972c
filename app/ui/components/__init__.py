"""Small components of our own, made of `gr.HTML` with a template and a few lines of JavaScript."""
