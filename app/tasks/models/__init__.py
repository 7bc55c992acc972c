"""What models are made of: their parts, ALBERT's two changes one at a time, shapes of a pass, what was measured."""

__all__: list[str] = []
