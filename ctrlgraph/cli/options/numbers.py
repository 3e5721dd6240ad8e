"""click types of numbers on the command line."""

from __future__ import annotations

import math
from typing import Any

import click


class Finite(click.types.FloatParamType):
    """A number that is neither infinite nor NaN."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Convert a word to a number, or fail with a usage error."""
        number = float(super().convert(value, param, ctx))
        if not math.isfinite(number):
            self.fail(f"'{value}' is not a finite number.", param, ctx)
        return number


class FloatRange(click.FloatRange, Finite):
    """A finite number within bounds. click's own `FloatRange` accepts NaN."""


class Argument(click.ParamType):  # type: ignore[type-arg]
    """An argument of a controller: a number, which may be negative."""

    name = "number"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Convert a word to a number, or fail with a usage error. A word such as "-x" is reported as unknown option."""
        try:
            return float(value)
        except ValueError:
            if str(value).startswith("-"):
                raise click.NoSuchOption(str(value), ctx=ctx) from None
            self.fail(f"'{value}' is not a number", param, ctx)


FINITE = Finite()
