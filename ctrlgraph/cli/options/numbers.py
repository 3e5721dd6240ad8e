"""Types of numbers on the command line, for click."""

from __future__ import annotations

import math
from typing import Any

import click


class Finite(click.types.FloatParamType):
    """Type of an option whose value is a number other than infinity and NaN."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Convert a word of the command line to a number. Other words are usage errors."""
        number = float(super().convert(value, param, ctx))
        if not math.isfinite(number):
            self.fail(f"'{value}' is not a finite number.", param, ctx)
        return number


class FloatRange(click.FloatRange, Finite):
    """Type of an option whose value is a finite number in a range. click's own `FloatRange` also accepts NaN."""


class Argument(click.ParamType):  # type: ignore[type-arg]
    """Type of an argument of a controller: a number, which may be negative."""

    name = "number"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Convert a word of the command line to a number. A word such as "-x" is reported as an unknown option."""
        try:
            return float(value)
        except ValueError:
            if str(value).startswith("-"):
                raise click.NoSuchOption(str(value), ctx=ctx) from None
            self.fail(f"'{value}' is not a number", param, ctx)


class GroundPlace(click.ParamType):  # type: ignore[type-arg]
    """Type of an option whose value is a place on the ground, X,Y in m."""

    name = "place"
    most_m = 1e4
    """Maximum of both coordinates, m."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[float, float]:
        """Convert a word of the command line to a place. Other words are usage errors."""
        try:
            x, y = (float(word) for word in str(value).split(","))
        except ValueError:
            x = y = math.nan
        if not (abs(x) < self.most_m and abs(y) < self.most_m):
            self.fail(f"'{value}' is not a place X,Y, such as 6,-2.5.", param, ctx)
        return x, y


FINITE = Finite()
