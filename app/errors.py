"""The one kind of error that is meant for visitors."""

from __future__ import annotations


class PlaygroundError(Exception):
    """Something that the visitor can put right.

    It carries no sentence: `assets/tabs/errors.json` has them in every language, and `app/ui/events.py` puts them
    together at the edge.

    Args:
        code: the code of the public API, e.g. `too_long`.
        reason: which sentence of that code, where it has several; key `code.reason` in the file.
        values: what is put into the sentence.
    """

    def __init__(self, code: str, reason: str = "", **values: object) -> None:
        super().__init__(f"{code} {reason} {values}")
        self.code, self.reason = code, reason
        self.key = f"{code}.{reason}" if reason else code
        self.values = values

    def number(self, name: str) -> int:
        """One of the values that is a whole number.

        Raises:
            TypeError: it is none.
        """
        value = self.values[name]
        if not isinstance(value, int):
            raise TypeError(f"{name} of {self.key} is no whole number")
        return value

    def __reduce__(self) -> tuple[object, ...]:
        """Comes out of a pickle as it went in: it may cross from one process to another."""
        return _again, (self.code, self.reason, self.values)


def _again(code: str, reason: str, values: dict[str, object]) -> PlaygroundError:
    return PlaygroundError(code, reason, **values)
