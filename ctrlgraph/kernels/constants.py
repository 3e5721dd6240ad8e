"""Constants of kernels that are also used without a compiler, for example by the reader of scripts."""

from __future__ import annotations

import enum

GRAVITY = 9.81
"""Default acceleration of gravity, m/s^2, downward."""


class FeedbackReference(enum.IntEnum):
    """Point that a feedback law measures from."""

    NONE = 0
    PART = 1
    JOINT = 2
    COP = 3  # mean x of the links in contact
    COPF = 4  # force-weighted centre of pressure
