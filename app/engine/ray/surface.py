"""The parts of a head that are sent between processes: its attributes once, its methods' answers on request.

The protocols define them; methods that return an iterator are streamed.
"""

from __future__ import annotations

from types import FunctionType

from app.engine.base import Attentive, CausalLM, Explaining, MaskedLM, PairJudge, SpanFinder, Tagger, TokenEncoder
from app.engine.text.words import TwoWayLM, VocabularyNeighbours

PROTOCOLS: tuple[type, ...] = (
    *(MaskedLM, PairJudge, CausalLM, Explaining, Tagger, SpanFinder),
    *(Attentive, TokenEncoder, TwoWayLM, VocabularyNeighbours),
)
_MEMBERS = {
    name: member
    for protocol in PROTOCOLS
    for part in protocol.__mro__
    if part.__module__.startswith("app.")
    for name, member in {**vars(part).get("__annotations__", {}), **vars(part)}.items()
    if not name.startswith("_")
}
METHODS = {name: member for name, member in _MEMBERS.items() if isinstance(member, FunctionType)}
ATTRIBUTES = frozenset(_MEMBERS) - set(METHODS)
STREAMED = frozenset(
    name for name, method in METHODS.items() if method.__annotations__["return"].startswith(("Iterator", "Generator"))
)
