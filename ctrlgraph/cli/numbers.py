"""Numbers on the command line: those that can be counted with."""

from __future__ import annotations

import math
from typing import Any

import click


class Finite(click.types.FloatParamType):
    """A number; neither infinite nor none (`nan`)."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        number = float(super().convert(value, param, ctx))
        if not math.isfinite(number):
            self.fail(f"'{value}' is not a finite number.", param, ctx)
        return number


class FloatRange(click.FloatRange, Finite):
    """A finite number within bounds: no comparison refuses `nan`."""


FINITE = Finite()
