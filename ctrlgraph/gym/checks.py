"""Checks of the arguments, actions and options that a caller passes to a Gymnasium environment."""

from __future__ import annotations

import math
import operator
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ctrlgraph.character.planar_model import PLANAR
from ctrlgraph.errors import CtrlGraphError, near_names, quoted

if TYPE_CHECKING:
    from ctrlgraph.character.model import Character

LEAST_PIXELS, MOST_PIXELS = 16, 4096
"""Minimum and maximum width, and height, of a picture, pixels."""


class InvalidValue(CtrlGraphError, ValueError):
    """Error: an action, size, pose, option or argument that was passed to an environment is invalid."""


def check_range(name: str, value: float, low: float, high: float, of: str = "a number") -> None:
    """Check that an argument of an environment is in a range.

    Args:
        name: name of the argument, for the error message.
        value: value of the argument.
        low: minimum.
        high: maximum.
        of: what the value must be, for the error message, such as "a whole number".

    Raises:
        InvalidValue: The argument is out of range.
    """
    if not low <= value <= high:
        raise InvalidValue(f"{name} must be {of} from {low:g} to {high:g}, not {value}")


def checked_index(action: object, number: int) -> int:
    """Return an action as an index, after a check.

    Args:
        action: action of the agent.
        number: number of possible actions, which the index must be below.

    Raises:
        InvalidValue: The action is not a whole number, or is out of range.
    """
    try:
        index = operator.index(action)  # type: ignore[arg-type]  # operator.index checks the type itself
    except TypeError:
        index = -1
    if not 0 <= index < number:
        raise InvalidValue(f"'action' must be a whole number from 0 to {number - 1}, not {_shown(action)}")
    return index


def checked_numbers(action: object, number: int) -> NDArray[np.float64]:
    """Return an action as an array of finite numbers (number,), after a check.

    Args:
        action: action of the agent.
        number: required number of elements.

    Raises:
        InvalidValue: The action has another shape or type, or a number is not finite.
    """
    wanted = f"'action' must consist of {number} finite numbers"
    try:
        given = np.asarray(action)
    except ValueError:  # rows of different lengths
        raise InvalidValue(f"{wanted}, not {_shown(action)}") from None
    if given.dtype.kind not in "iuf":
        raise InvalidValue(f"{wanted}, not {_shown(action)}")
    if given.shape != (number,):
        raise InvalidValue(f"{wanted} in an array of the shape ({number},), not {given.shape}")
    numbers = given.astype(np.float64)
    if not np.isfinite(numbers).all():
        i = int(np.flatnonzero(~np.isfinite(numbers))[0])
        raise InvalidValue(f"{wanted}, but the number with the index {i} is {numbers[i]:g}")
    return numbers


def check_pictures(render_mode: str | None, size: Sequence[int]) -> None:
    """Check the render mode and the size of pictures.

    Args:
        render_mode: None or "rgb_array".
        size: width and height, pixels.

    Raises:
        InvalidValue: The render mode is unknown, or the size is out of range.
    """
    if render_mode not in (None, "rgb_array"):
        raise InvalidValue(f"'render_mode' must be None or 'rgb_array', not {_shown(render_mode)}")
    if not all(LEAST_PIXELS <= side <= MOST_PIXELS for side in size):
        wanted = f"a width and a height of {LEAST_PIXELS} to {MOST_PIXELS} pixels"
        raise InvalidValue(f"'size' of a picture must be {wanted}, not {_shown(size)}")


def check_options(options: object, known: Sequence[str] = ()) -> Mapping[str, Any]:
    """Return the options of an environment's reset, after a check; an empty mapping for None.

    Args:
        options: options by name, as the caller gave them, or None.
        known: names of the options that the environment has.

    Raises:
        InvalidValue: The options are not a mapping, or contain a name that is not in `known`.
    """
    if options is None:
        return {}
    if not isinstance(options, Mapping):
        raise InvalidValue(f"'options' of reset() must be a dictionary, not {_shown(options)}")
    for name in options:
        if name not in known:
            there = f"its options are {', '.join(map(repr, known))}" if known else "it has no options"
            raise InvalidValue(f"reset() has no option {_shown(name)}: {there}")
    return options


def checked_pose(pose: object, character: Character) -> dict[str, float]:
    """Return an initial pose with its angles as floats, after a check.

    Args:
        pose: angles by name of the joint, rad, and in the plane optionally `root`, the global angle of the root link,
            rad.
        character: character with the joints and their limits.

    Raises:
        InvalidValue: The pose is not a mapping, a joint is unknown, or an angle exceeds its limits.
    """
    if not isinstance(pose, Mapping):
        raise InvalidValue(f"'pose' must be a dictionary of angles by joint, not {_shown(pose)}")
    limits = {joint.name: (joint.lower, joint.upper) for joint in character.joints}
    if character.morphology == PLANAR:
        limits["root"] = (-math.tau, math.tau)
    for name, angle in pose.items():
        if name not in limits:
            raise InvalidValue(
                f"the character {character.name} has no joint {_shown(name)} {near_names(str(name), limits, 'joints')}"
            )
        lower, upper = limits[name]
        if not isinstance(angle, int | float | np.integer | np.floating) or not lower <= angle <= upper:
            within = f"from {lower:g} to {upper:g} rad"
            raise InvalidValue(f"the angle of '{name}' in a pose must be a number {within}, not {_shown(angle)}")
    return {name: float(angle) for name, angle in pose.items()}


def _shown(value: object) -> str:
    """Return a value that the caller gave as a short text for an error message."""
    return quoted(value) if isinstance(value, str) else f"{value!r:.40}"
