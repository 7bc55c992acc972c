"""What the tabs share in Gradio: shell, events, texts, widgets, components, theme. Knows no model and no task."""
