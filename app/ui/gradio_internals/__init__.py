"""Every private part of Gradio that is used here, so that the next upgrade has one folder to look at.

`tests/ui/test_gradio_internals.py` has a test for each against a running server.
"""
