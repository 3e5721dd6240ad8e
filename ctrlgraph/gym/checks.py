"""Checks of the arguments, actions and options of an environment, before they are simulated or drawn."""

from __future__ import annotations

import math
import operator
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ctrlgraph.errors import CtrlGraphError, near_names, quoted, suggestion

if TYPE_CHECKING:
    from ctrlgraph.character.model import Character

LEAST_PIXELS, MOST_PIXELS = 16, 4096
"""Range of the width and height of a picture, pixels."""


class InvalidValue(CtrlGraphError, ValueError):
    """An action, size, pose, option or argument is invalid."""


def checked_count(name: str, value: object, low: int, high: int) -> int:
    """Return an argument as a whole number.

    Args:
        name: name of the argument, for the error message.
        value: the argument.
        low: least value.
        high: greatest value.

    Raises:
        InvalidValue: The argument is not a whole number, or is out of range.
    """
    wanted = f"{name} is a whole number from {low} to {high}"
    try:
        count = operator.index(value)  # type: ignore[arg-type]  # as in `checked_index`
    except TypeError:
        raise InvalidValue(f"{wanted}, not {_shown(value)}") from None
    if isinstance(value, bool) or not low <= count <= high:
        raise InvalidValue(f"{wanted}, not {_shown(value)}")
    return count


def checked_number(name: str, value: object, low: float, high: float, of: str = "") -> float:
    """Return an argument as a number.

    Args:
        name: name of the argument, for the error message.
        value: the argument.
        low: least value.
        high: greatest value.
        of: the quantity and its unit, for the error message.

    Raises:
        InvalidValue: The argument is not a number, or is out of range.
    """
    is_number = isinstance(value, int | float | np.integer | np.floating) and not isinstance(value, bool)
    if not is_number or not low <= float(value) <= high:  # type: ignore[arg-type]  # checked above
        raise InvalidValue(f"{name} is {of or 'a number'} from {low:g} to {high:g}, not {_shown(value)}")
    return float(value)  # type: ignore[arg-type]


def checked_flag(name: str, value: object) -> bool:
    """Return an argument as a bool.

    Raises:
        InvalidValue: The argument is neither True nor False. Other types are refused because any text is truthy.
    """
    if not isinstance(value, bool | np.bool_):
        raise InvalidValue(f"{name} is True or False, not {_shown(value)}")
    return bool(value)


def checked_word(name: str, value: object, words: Sequence[str] = ()) -> str:
    """Return an argument as a text.

    Args:
        name: name of the argument, for the error message.
        value: the argument.
        words: the valid texts; any text if empty.

    Raises:
        InvalidValue: The argument is not a text, or not one of the words.
    """
    if not isinstance(value, str) or (words and value not in words):
        wanted = " or ".join(map(repr, words)) or "a text"
        raise InvalidValue(f"{name} is {wanted}, not {_shown(value)}")
    return value


def check_reward(reward: object, of: type) -> None:
    """Check that a reward is a function.

    Raises:
        InvalidValue: The reward is not callable.
    """
    if not callable(reward):
        raise InvalidValue(f"reward is a function of {of.__name__}, not {_shown(reward)}")


def check_names(given: Mapping[str, object], known: Sequence[str]) -> None:
    """Check that all keyword arguments of an environment are known.

    Raises:
        InvalidValue: An argument is unknown.
    """
    for name in given:
        if name not in known:
            hint = suggestion(name, known) or f"of its world it takes {', '.join(known)}"
            raise InvalidValue(f"an environment takes no {quoted(name)}; {hint}")


def checked_index(action: object, number: int) -> int:
    """Return an action as an index from 0 to number - 1.

    Raises:
        InvalidValue: The action is not a whole number, or is out of range.
    """
    try:
        index = operator.index(action)  # type: ignore[arg-type]  # operator.index checks the type itself
    except TypeError:
        index = -1
    if not 0 <= index < number:
        raise InvalidValue(f"an action is a number from 0 to {number - 1}, not {_shown(action)}")
    return index


def checked_numbers(action: object, number: int) -> NDArray[np.float64]:
    """Return an action as finite numbers, shape (number,).

    Raises:
        InvalidValue: The action has another shape or type, or a number is not finite.
    """
    wanted = f"an action has {number} finite numbers"
    try:
        given = np.asarray(action)
    except ValueError:  # rows of different lengths
        raise InvalidValue(f"{wanted}, not {_shown(action)}") from None
    if given.dtype.kind not in "iuf":
        raise InvalidValue(f"{wanted}, not {_shown(action)}")
    if given.shape != (number,):
        raise InvalidValue(f"{wanted} in the shape ({number},), not {given.shape}")
    numbers = given.astype(np.float64)
    if not np.isfinite(numbers).all():
        i = int(np.flatnonzero(~np.isfinite(numbers))[0])
        raise InvalidValue(f"{wanted}, and number {i} is {numbers[i]:g}")
    return numbers


def check_pictures(render_mode: object, modes: Sequence[str], size: object) -> None:
    """Check the render mode and the size of pictures.

    Args:
        render_mode: None or one of the modes.
        modes: the modes of the environment.
        size: width and height, pixels.

    Raises:
        InvalidValue: The mode is unknown, or the size is invalid.
    """
    if render_mode is not None and render_mode not in modes:
        listed = " or ".join(f"'{mode}'" for mode in modes)
        raise InvalidValue(f"the render mode is None, {listed}, not {_shown(render_mode)}")
    sides = size if isinstance(size, tuple | list) else ()
    fits = [isinstance(side, int | np.integer) and LEAST_PIXELS <= side <= MOST_PIXELS for side in sides]
    if fits != [True, True]:
        wanted = f"a width and a height of {LEAST_PIXELS} to {MOST_PIXELS} pixels"
        raise InvalidValue(f"the size of a picture is {wanted}, not {_shown(size)}")


def check_options(options: object, known: Sequence[str] = ()) -> Mapping[str, Any]:
    """Return the options of a reset; an empty mapping for None.

    Raises:
        InvalidValue: The options are not a mapping, or one is not in `known`.
    """
    if options is None:
        return {}
    if not isinstance(options, Mapping):
        raise InvalidValue(f"the options of a reset are a dictionary, not {_shown(options)}")
    for name in options:
        if name not in known:
            there = f"it knows {', '.join(map(repr, known))}" if known else "it takes none"
            raise InvalidValue(f"a reset has no option {_shown(name)}: {there}")
    return options


def checked_pose(pose: object, character: Character) -> dict[str, float]:
    """Return an initial pose: angles in rad by joint name, and `root` for the angle of the root link.

    Raises:
        InvalidValue: The pose is not a mapping, a joint is unknown, or an angle exceeds its limits.
    """
    if not isinstance(pose, Mapping):
        raise InvalidValue(f"a pose is a dictionary of angles by joint, not {_shown(pose)}")
    limits = {joint.name: (joint.lower, joint.upper) for joint in character.joints} | {"root": (-math.tau, math.tau)}
    angles = {}
    for name, angle in pose.items():
        if name not in limits:
            raise InvalidValue(
                f"the character {character.name} has no joint {_shown(name)} {near_names(str(name), limits, 'joints')}"
            )
        lower, upper = limits[name]
        if not isinstance(angle, int | float | np.integer | np.floating) or not lower <= angle <= upper:
            within = f"from {lower:g} to {upper:g} rad"
            raise InvalidValue(f"the angle of '{name}' in a pose is a number {within}, not {_shown(angle)}")
        angles[name] = float(angle)
    return angles


def _shown(value: object) -> str:
    """Return a short text of a value."""
    return quoted(value) if isinstance(value, str) else f"{value!r:.40}"
