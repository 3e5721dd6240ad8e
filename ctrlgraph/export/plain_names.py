"""Names of links and joints for formats that only know letters, digits and underscores."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable


def plain_names(names: Iterable[str], keywords: Collection[str] = ()) -> list[str]:
    """Convert names to unique names of ASCII letters, digits and _, which do not begin with a digit.

    Args:
        names: Names to convert.
        keywords: Words in upper case that are no names, in any case of letters.

    >>> plain_names(["left arm", "left-arm", "JOINT"], {"JOINT"})
    ['left_arm', 'left_arm_2', 'JOINT_']
    """
    found: list[str] = []
    for name in names:
        plain = re.sub(r"[^A-Za-z0-9_]", "_", name) or "_"
        plain = f"_{plain}" if plain[0].isdigit() else plain
        plain = f"{plain}_" if plain.upper() in keywords else plain
        once, number = plain, 2
        while plain in found:
            plain, number = f"{once}_{number}", number + 1
        found.append(plain)
    return found
