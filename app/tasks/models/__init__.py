"""The anatomy of models: parts, ALBERT's two changes one at a time, tensor shapes of a pass, measured scores."""

__all__: list[str] = []
