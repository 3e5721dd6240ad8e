"""Colours for names: the same names in the same order get the same colours."""

from __future__ import annotations

from collections.abc import Iterable

COLOURS = (
    "#3a6ea5",
    "#5b8e7d",
    "#b5651d",
    "#7b5ea7",
    "#a23b54",
    "#2a7f86",
    "#8a7a2f",
    "#4f5d75",
    "#c0562f",
    "#3f7d4e",
    "#94577e",
    "#6b705c",
)


def label_colours(names: Iterable[str]) -> dict[str, str]:
    """Return a colour for each name, by order of first appearance; after the last colour the first again."""
    return {name: COLOURS[i % len(COLOURS)] for i, name in enumerate(dict.fromkeys(names))}
