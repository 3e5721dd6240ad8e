"""Constants of kernels that are also used without a compiler, for example by the reader of scripts."""

from __future__ import annotations

import enum

GRAVITY = 9.81
"""Default acceleration of gravity, m/s^2, downward."""

BEARING = 0.5
"""Minimum vertical component of the ground's unit normal at a contact that supports. Steeper ground is a wall."""


class FeedbackReference(enum.IntEnum):
    """Kind of the point from which a feedback law measures the horizontal position of the centre of mass."""

    NONE = 0  # no feedback
    PART = 1  # centre of mass of a link
    JOINT = 2  # anchor of a joint
    COP = 3  # mean x of the links in contact
    COPF = 4  # force-weighted centre of pressure
