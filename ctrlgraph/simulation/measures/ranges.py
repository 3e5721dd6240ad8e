"""Conditions: ranges in which the values of measures must be."""

from __future__ import annotations

import math

from ctrlgraph.simulation.measures.registry import MEASURES

Conditions = dict[str, tuple[float, float]]
"""Required ranges (lower, upper) of measures, by name of the measure, in the units of the measures."""


def arc(lower: float, upper: float) -> tuple[float, float]:
    """Return the middle and the half-width of a range of angles on the circle, rad.

    Angles that differ by 2 pi are equal, so the range 2.8 to 3.5 contains 3.2 and also 3.2 - 2 pi.

    Args:
        lower: lower end of the range, rad; -inf means -pi.
        upper: upper end of the range, rad; inf means pi.

    Returns:
        Middle and half-width. The half-width is infinite if every angle is in the range, and negative if none is.
    """
    lower, upper = (
        max(lower, -math.pi) if math.isinf(lower) else lower,
        min(upper, math.pi) if math.isinf(upper) else upper,
    )
    reach = (upper - lower) / 2
    return (lower + upper) / 2, reach if reach < math.pi else math.inf


def overshoot(name: str, value: float, lower: float, upper: float) -> float:
    """Return by how much a measure's value is outside a range: positive above, negative below, 0 inside.

    For an angle on the circle, it is the distance on the circle from the nearer end of the range.

    Args:
        name: name of the measure.
        value: value of the measure.
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
    """Shift a measure's angle by a multiple of 2 pi so that it is nearest to the middle of a range.

    For example, -3.1 becomes 3.18 for the range 2.8 to 3.5. The value is returned unchanged if it is in the range, or
    if the measure is not an angle on the circle.

    Args:
        name: name of the measure.
        value: value of the measure.
        lower: lower end of the range.
        upper: upper end of the range.
    """
    if name not in MEASURES or not MEASURES[name].circular or not math.isfinite(value):
        return value
    middle, _ = arc(lower, upper)
    return value if lower <= value <= upper else middle + math.remainder(value - middle, math.tau)


def broken(values: dict[str, float], conditions: Conditions) -> list[str]:
    """Return a message such as "torso 1.32 is above 1" for each condition that is not fulfilled.

    Args:
        values: values of measures by name. A condition on a missing measure is not fulfilled.
        conditions: required ranges by name of the measure.
    """
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
        number: format string for a single end.
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
    """Return the conditions of both mappings. If both contain a measure, its two ranges are intersected."""
    joined = dict(one)
    for name, (low, high) in other.items():
        lower, upper = one.get(name, (low, high))
        joined[name] = max(low, lower), min(high, upper)
    return joined


def scaled_conditions(conditions: Conditions, length: float) -> Conditions:
    """Return conditions, adapted to a character whose lengths are scaled by the factor `length`.

    The ranges of measures that are lengths (`Measure.scales`) are multiplied by the factor. Other ranges are kept.
    """
    return {
        name: (low * length, high * length) if name in MEASURES and MEASURES[name].scales else (low, high)
        for name, (low, high) in conditions.items()
    }
