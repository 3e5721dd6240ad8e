"""Conditions: ranges that measures must lie in."""

from __future__ import annotations

import math

from ctrlgraph.simulation.measures.registry import MEASURES

Conditions = dict[str, tuple[float, float]]


def arc(lower: float, upper: float) -> tuple[float, float]:
    """Return the middle of a range of angles on the circle, and how far it reaches to either side, rad.

    3.2 and 3.2 - 2 pi are the same angle: 2.8 to 3.5 is upside down, whichever way it came about. An infinite end
    stands for half a turn. The reach is infinite where every angle is within, and negative where none is.
    """
    lower, upper = (
        max(lower, -math.pi) if math.isinf(lower) else lower,
        min(upper, math.pi) if math.isinf(upper) else upper,
    )
    reach = (upper - lower) / 2
    return (lower + upper) / 2, reach if reach < math.pi else math.inf


def overshoot(name: str, value: float, lower: float, upper: float) -> float:
    """Return by how much a measure's value is beyond a range: above it positive, below it negative, 0 within it.

    An angle on the circle is beyond the end of the range's `arc` that is nearer.
    """
    if lower <= value <= upper:
        return 0.0
    if name not in MEASURES or not MEASURES[name].circular or not math.isfinite(value):
        return value - upper if value > upper else value - lower
    middle, reach = arc(lower, upper)
    way = math.remainder(value - middle, math.tau)
    return math.copysign(abs(way) - reach, way) if not abs(way) <= reach else 0.0


def in_turn(name: str, value: float, lower: float, upper: float) -> float:
    """Return a value as it is compared with a range.

    Of an angle on the circle that is the one, of all that are whole turns from it, that is nearest to the middle of the
    range: -3.1 is 3.18 beside a range from 2.8 to 3.5.
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
        told = next((text for digits in range(3, 9) if float(text := f"{value:.{digits}g}") != end), f"{value!r}")
        sentences.append(f"{name} {told} is {word} {end:g}")
    return sentences


def range_text(lower: float, upper: float, unit: str = "", *, number: str = "{:g}") -> str:
    """Return a range as people say it: "2 to 3 m", "at most 3 m", "at least 2 m", "2 m" where it is one value, "any".

    unit: of both ends, empty for a plain number; number: how an end is written.
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
    """Return the conditions that hold where both do; the ranges of a measure that both speak of are cut to what they
    have in common."""
    joined = dict(one)
    for name, (low, high) in other.items():
        lower, upper = one.get(name, (low, high))
        joined[name] = max(low, lower), min(high, upper)
    return joined


def scaled_conditions(conditions: Conditions, length: float) -> Conditions:
    """Return conditions for a body of other lengths: ranges of heights are scaled, the others stay."""
    return {
        name: (low * length, high * length) if name in MEASURES and MEASURES[name].scales else (low, high)
        for name, (low, high) in conditions.items()
    }
