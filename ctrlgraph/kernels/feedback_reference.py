"""Reference points of feedback laws; apart from the kernels, so that reading a script needs no compiler."""

from __future__ import annotations

import enum


class FeedbackReference(enum.IntEnum):
    """Point that a feedback law measures from."""

    NONE = 0
    PART = 1
    JOINT = 2
    COP = 3  # mean x of the links in contact
    COPF = 4  # force-weighted centre of pressure
