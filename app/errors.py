"""The one kind of error meant for visitors."""

from __future__ import annotations


class PlaygroundError(Exception):
    """An error that the visitor can fix.

    It has no sentence: `assets/tabs/errors.json` has the sentences in every language, and `app/ui/events.py` fills them
    in just before they are shown.

    Args:
        code: the code of the public API, e.g. `too_long`.
        reason: which sentence of that code, if it has several; key `code.reason` in the file.
        values: to insert into the sentence.
    """

    def __init__(self, code: str, reason: str = "", **values: object) -> None:
        super().__init__(f"{code} {reason} {values}")
        self.code, self.reason = code, reason
        self.key = f"{code}.{reason}" if reason else code
        self.values = values

    def number(self, name: str) -> int:
        """One of the values that is an integer.

        Raises:
            TypeError: it is not.
        """
        value = self.values[name]
        if not isinstance(value, int):
            raise TypeError(f"{name} of {self.key} is no whole number")
        return value

    def __reduce__(self) -> tuple[object, ...]:
        """Survive pickling unchanged, since errors may be sent between processes."""
        return _again, (self.code, self.reason, self.values)


def _again(code: str, reason: str, values: dict[str, object]) -> PlaygroundError:
    return PlaygroundError(code, reason, **values)
