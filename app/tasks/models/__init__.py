"""The anatomy of models: their parts, ALBERT's two changes one at a time, shapes of a pass, what was measured."""

__all__: list[str] = []
