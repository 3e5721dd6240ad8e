"""Names in pictures: letters, whatever they hold, and no formulas."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager

import matplotlib


@contextmanager
def plain_lettering() -> Iterator[None]:
    """Draw texts as they are: `$` begins no formula, nothing is set by TeX, and a letter that the font lacks is a box.

    Both the making of texts and the drawing belong inside.
    """
    with matplotlib.rc_context({"text.parse_math": False, "text.usetex": False}), warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph .* missing from")
        # a name that leaves a drawing no room is drawn over its edge
        warnings.filterwarnings("ignore", message="constrained_layout not applied")
        yield
