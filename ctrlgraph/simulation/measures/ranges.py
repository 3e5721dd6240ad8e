"""Conditions: ranges that measures must lie in."""

from __future__ import annotations

import math

from ctrlgraph.simulation.measures.registry import MEASURES

Conditions = dict[str, tuple[float, float]]
"""Ranges by the name of their measure."""


def arc(lower: float, upper: float) -> tuple[float, float]:
    """Return the middle and half-width of a range of angles on the circle, rad.

    3.2 and 3.2 - 2 pi are the same angle, so 2.8 to 3.5 is upside down in both directions. An infinite end stands for
    half a turn. The half-width is infinite if every angle is in range, and negative if none is.
    """
    lower, upper = (
        max(lower, -math.pi) if math.isinf(lower) else lower,
        min(upper, math.pi) if math.isinf(upper) else upper,
    )
    reach = (upper - lower) / 2
    return (lower + upper) / 2, reach if reach < math.pi else math.inf


def overshoot(name: str, value: float, lower: float, upper: float) -> float:
    """Return the distance of a measure's value from a range: positive above, negative below, 0 inside.

    Args:
        name: name of the measure; for an angle on the circle, the nearer end of the `arc` counts.
        value: its value.
        lower: lower end of the range.
        upper: upper end of the range.
    """
    if lower <= value <= upper:
        return 0.0
    if name not in MEASURES or not MEASURES[name].circular or not math.isfinite(value):
        return value - upper if value > upper else value - lower
    middle, reach = arc(lower, upper)
    way = math.remainder(value - middle, math.tau)
    return math.copysign(abs(way) - reach, way) if not abs(way) <= reach else 0.0


def in_turn(name: str, value: float, lower: float, upper: float) -> float:
    """Return the equivalent value that is compared with a range.

    For an angle on the circle, whole turns are added until the value is nearest to the middle of the range. For
    example, -3.1 becomes 3.18 for a range from 2.8 to 3.5.

    Args:
        name: name of the measure.
        value: its value.
        lower: lower end of the range.
        upper: upper end of the range.
    """
    if name not in MEASURES or not MEASURES[name].circular or not math.isfinite(value):
        return value
    middle, _ = arc(lower, upper)
    return value if lower <= value <= upper else middle + math.remainder(value - middle, math.tau)


def broken(values: dict[str, float], conditions: Conditions) -> list[str]:
    """Return the conditions that do not hold, each as a sentence."""
    sentences = []
    for name, (lower, upper) in conditions.items():
        value = values.get(name, math.nan)
        if overshoot(name, value, lower, upper) == 0.0:
            continue
        word, end = ("above", upper) if value > upper else ("below", lower)
        shown = next((text for digits in range(3, 9) if float(text := f"{value:.{digits}g}") != end), f"{value!r}")
        sentences.append(f"{name} {shown} is {word} {end:g}")
    return sentences


def range_text(lower: float, upper: float, unit: str = "", *, number: str = "{:g}") -> str:
    """Return a range as text: "2 to 3 m", "at most 3 m", "at least 2 m", "2 m" for a single value, or "any".

    Args:
        lower: lower end, -inf for none.
        upper: upper end, inf for none.
        unit: unit of both ends, "" for none.
        number: format of an end.
    """
    low, high = number.format(lower), number.format(upper)
    unit = f" {unit}" if unit else ""
    if math.isinf(lower) and math.isinf(upper):
        return "any"
    if math.isinf(lower):
        return f"at most {high}{unit}"
    if math.isinf(upper):
        return f"at least {low}{unit}"
    return f"{low}{unit}" if lower == upper else f"{low} to {high}{unit}"


def joined_conditions(one: Conditions, other: Conditions) -> Conditions:
    """Return the conjunction of two sets of conditions; ranges of the same measure are intersected."""
    joined = dict(one)
    for name, (low, high) in other.items():
        lower, upper = one.get(name, (low, high))
        joined[name] = max(low, lower), min(high, upper)
    return joined


def scaled_conditions(conditions: Conditions, length: float) -> Conditions:
    """Return conditions for a body scaled by `length`: ranges of lengths are scaled, the others are not."""
    return {
        name: (low * length, high * length) if name in MEASURES and MEASURES[name].scales else (low, high)
        for name, (low, high) in conditions.items()
    }
