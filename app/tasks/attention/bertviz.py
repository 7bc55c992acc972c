"""bertviz on our weights: the data for its views, the longest text it can draw, the size of its page.

Only the package's scripts are used, as files: importing it would bring in IPython, boto3 and a CDN. bertviz writes the
weights twice, with about twenty digits each; here they are sent once, as ten-thousandths, finer than its colours.
"""

from __future__ import annotations

import math

import numpy as np

from app.errors import PlaygroundError
from app.registry.packages import BERTVIZ_HEAD, BERTVIZ_MODEL, D3, JQUERY, PackagedFile
from app.results.attention import BertvizPage, BertvizReach
from app.tasks.attention.attend import Seen, see

SCRIPTS: dict[str, tuple[PackagedFile, ...]] = {
    "head": (JQUERY, D3, BERTVIZ_HEAD),
    "model": (JQUERY, D3, BERTVIZ_MODEL),
}
# SVG lines that a view draws at once; more take a browser several seconds.
MOST_LINES = {"head": 50_000, "model": 60_000}
PARTS = 10_000  # of a weight of 1


def bertviz_reach(text: str, second: str = "", model: str = "") -> list[BertvizReach]:
    """For each view: the longest text it can draw with this model, and the size of the page for this text.

    Raises:
        PlaygroundError: as `/attention`.
    """
    seen = see(text, second, model)
    return [_reach(seen, view) for view in SCRIPTS]


def _reach(seen: Seen, view: str) -> BertvizReach:
    layers, heads, tokens, _ = seen.weights.shape
    pictures = heads if view == "head" else layers * heads
    most = math.isqrt(MOST_LINES[view] // pictures)
    files = [script.find() for script in SCRIPTS[view]]
    size = sum(file.stat().st_size for file in files if file)
    if tokens <= most:
        weights = _parts(seen.weights)
        digits = sum(int((weights >= bound).sum()) for bound in (0, 10, 100, 1_000, 10_000))
        size += digits + weights.size + 3 * weights.size // tokens  # including commas and brackets
    return BertvizReach(view, None not in files, tokens, most, size)


def bertviz_page(text: str, second: str = "", model: str = "", view: str = "head") -> BertvizPage | None:
    """The parts of one of bertviz's views; None if a package with its scripts is not installed.

    Args:
        text: first or only text.
        second: second text of a pair; empty for none.
        model: catalog name; empty for the default.
        view: `head` or `model`.

    Raises:
        PlaygroundError: `too_long`, more lines than a browser draws; and as `/attention`.
    """
    if view not in SCRIPTS:
        raise PlaygroundError("bad_value", "choice", field="view", choices=", ".join(SCRIPTS))
    seen = see(text, second, model)
    reach = _reach(seen, view)
    if not reach.installed:
        return None
    if reach.tokens > reach.most_tokens:
        raise PlaygroundError("too_long", "drawn", count=reach.tokens, limit=reach.most_tokens)
    return BertvizPage(
        view=view,
        model=seen.checkpoint.name,
        scripts=[script.checked().read_text(encoding="utf-8") for script in SCRIPTS[view]],
        tokens=[token.token for token in seen.tokens],
        second_start=seen.segments.index(1) if 1 in seen.segments else None,
        parts=PARTS,
        weights=_parts(seen.weights).tolist(),
    )


def _parts(weights: np.ndarray) -> np.ndarray:
    return np.rint(weights.astype(np.float64) * PARTS).astype(int)
