"""Models that visitors trained: each belongs to one visitor, none outlives the visit, all together fit a budget."""

from __future__ import annotations

from functools import cache
from typing import Protocol

from app.engine.runtime.loaded import Loaded
from app.engine.visitors.kept import Kept
from app.engine.visitors.packed_model import PackedModels, pack, unpack
from app.engine.visitors.shared import shared
from app.settings import LOCAL, Settings, settings
from app.visits import visits


class ModelKeeper(Protocol):
    """Where visitors' models lie."""

    def add(self, owner: str, loaded: Loaded, base: Loaded | None = None) -> None:
        """Keep a model for its owner, under the name of its checkpoint entry.

        Args:
            owner: key of a visit.
            loaded: the model.
            base: what it was trained from; it may share weights with that.
        """
        ...

    def get(self, owner: str, name: str) -> Loaded | None:
        """The owner's model of that name, if it is still there."""
        ...

    def names(self, owner: str) -> list[str]:
        """The owner's models, the most recently used last."""
        ...

    def rename(self, owner: str, name: str, new: str) -> bool:
        """Keep the owner's model under another name; whether it is there, and the name was free."""
        ...

    def drop(self, owner: str, name: str) -> bool:
        """Drop one of the owner's models; whether it was there."""
        ...

    def leave(self, owner: str) -> None:
        """The visit has ended in this process."""
        ...

    def forget(self, owner: str) -> None:
        """Drop everything of an owner."""
        ...


class VisitorModels(Kept[Loaded]):
    """Answers `ModelKeeper` for a single page process."""

    def add(self, owner: str, loaded: Loaded, base: Loaded | None = None) -> None:
        """See `ModelKeeper`."""
        self.put(owner, loaded.checkpoint.name, loaded)

    def get(self, owner: str, name: str) -> Loaded | None:
        """See `ModelKeeper`."""
        loaded = super().get(owner, name)
        if loaded is not None:
            visits().touch(owner)
        return loaded

    def leave(self, owner: str) -> None:
        """See `ModelKeeper`; there is no other process."""
        self.forget(owner)


class SharedModels:
    """Answers `ModelKeeper` for all page processes of a cluster: models lie packed in one place, with copies here.

    A copy counts while the thing that it was made of is there. What ends in one process may go on in another: then
    only copies go, and the models when nobody has used them for as long as the host allows.

    Args:
        packed: that place.
        host: the limits of the copies.
    """

    def __init__(self, packed: PackedModels, host: Settings) -> None:
        self._packed, self._copies = packed, _empty(host)  # a copy's name is the stamp of what it was made of

    def add(self, owner: str, loaded: Loaded, base: Loaded | None = None) -> None:
        """See `ModelKeeper`."""
        packed = pack(loaded, base)
        self._packed.put(owner, loaded.checkpoint.name, packed)
        self._copies.put(owner, packed.stamp, loaded)

    def get(self, owner: str, name: str) -> Loaded | None:
        """See `ModelKeeper`."""
        stamp = self._packed.stamp(owner, name)
        if not stamp:
            return None
        copy = self._copies.get(owner, stamp)
        if copy is None:
            packed = self._packed.get(owner, name)
            if packed is None or packed.stamp != stamp:  # it was dropped this moment
                return None
            copy = unpack(packed)
            self._copies.put(owner, stamp, copy)
        if copy.checkpoint.name != name:
            copy = copy.renamed(name)
            self._copies.put(owner, stamp, copy)
        return copy

    def names(self, owner: str) -> list[str]:
        """See `ModelKeeper`."""
        return self._packed.names(owner)

    def rename(self, owner: str, name: str, new: str) -> bool:
        """See `ModelKeeper`."""
        return self._packed.rename(owner, name, new)

    def drop(self, owner: str, name: str) -> bool:
        """See `ModelKeeper`."""
        return self._packed.drop(owner, name)

    def leave(self, owner: str) -> None:
        """See `ModelKeeper`; only the copies go."""
        self._copies.forget(owner)

    def forget(self, owner: str) -> None:
        """See `ModelKeeper`."""
        self._copies.forget(owner)
        self._packed.forget(owner)


def _empty(host: Settings) -> VisitorModels:
    return VisitorModels(host.tuned_mb * 1_000_000, host.tuned_models, host.tuned_idle_minutes * 60.0)


@cache
def visitor_models() -> ModelKeeper:
    """Those that this process finds."""
    host = settings()
    return _empty(host) if host.engine == LOCAL else SharedModels(shared(PackedModels), host)
