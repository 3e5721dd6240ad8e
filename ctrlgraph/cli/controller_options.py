"""The words by which commands are told what to run from where, and for how long."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from ctrlgraph.bounds import MAX_CYCLES
from ctrlgraph.cli import completion
from ctrlgraph.cli.numbers import FINITE

Function = TypeVar("Function", bound=Callable[..., Any])

SETTINGS: dict[str, Any] = {"ignore_unknown_options": True}
"""For click, of a command with ARGS: negative numbers look like options to it, and what is none, it hands on."""


class Arguments(click.ParamType):  # type: ignore[type-arg]
    """A controller's argument: a number, also a negative one."""

    name = "number"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        try:
            return float(value)
        except ValueError:
            if str(value).startswith("-"):
                raise click.NoSuchOption(str(value), ctx=ctx) from None
            self.fail(f"'{value}' is not a number", param, ctx)


arguments_argument = click.argument("args", nargs=-1, type=Arguments(), metavar="[ARGS]...")
after_option = click.option(
    "--from",
    "after",
    metavar="NODE",
    shell_complete=completion.nodes,
    help="Begin where this node ends, instead of in the start pose.",
)
time_option = click.option(
    "--time", "duration", type=FINITE, metavar="S", help="Let it go on for so many simulated seconds."
)


def cycles_option(most: int = 10**6) -> Callable[[Function], Function]:
    """Add --cycles, of no more than `most`."""
    help = "How often it runs. [default: the node's least number]"
    return click.option("--cycles", type=click.IntRange(1, most), help=help)


def recording_options(function: Function) -> Function:
    """Add what every command has that records a node or a script into a file of its own kind."""
    parts = (
        click.argument("controller", metavar="NODE_OR_SCRIPT", shell_complete=completion.scripts),
        arguments_argument,
        click.option(
            "-o", "--output", type=click.Path(path_type=Path), required=True, metavar="FILE.yaml", help="To write."
        ),
        after_option,
        cycles_option(MAX_CYCLES),
        time_option,
    )
    for part in reversed(parts):
        function = part(function)
    return function
