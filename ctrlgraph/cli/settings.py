"""What was said before the command's name; commands receive it through `click.pass_obj`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from ctrlgraph.errors import CtrlGraphError

if TYPE_CHECKING:
    from ctrlgraph.project.project import Project

Function = TypeVar("Function", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True)
class Settings:
    """`project_directory` is --project (None: search upwards); `verbose` counts -v; `engine` is --engine of the command
    (None: the project's own)."""

    project_directory: Path | None = None
    verbose: int = 0
    engine: str | None = None

    def project(self) -> Project:
        """Return the project of --project, or of the nearest directory upwards.

        Raises:
            CtrlGraphError: there is none.
        """
        from ctrlgraph.project.project import Project

        if self.project_directory is None:
            return Project.find(engine=self.engine)
        return Project(self.project_directory, engine=self.engine)


MAX_JOBS = 256
"""More processes than that are a slip of the finger; how many of them are started `parallel.most_workers` decides."""


success_option = click.option(
    "--success",
    multiple=True,
    metavar="MEASURE=LOW:HIGH",
    help="What the success of a script is, with one end open if you like; may be given several times.",
)


def jobs_option(text: str, default: int | None = None) -> Callable[[Function], Function]:
    """Add --jobs; the command receives the number of processes, None where neither it nor a default is given."""
    return click.option(
        "--jobs", type=click.IntRange(1, MAX_JOBS), default=default, show_default=default is not None, help=text
    )


ENGINE_HELP = "The physics engine: ode, mujoco, or one of an installed package.  [default: the project's]"


def engine_option(function: Function, text: str = ENGINE_HELP) -> Function:
    """Add --engine; the command's project simulates on it. That it is not installed is said before any work is done."""

    def choose(ctx: click.Context, parameter: click.Parameter, name: str | None) -> None:
        if name is not None:
            _installed(name)
            ctx.obj = replace(ctx.obj, engine=name)
            _require_one(ctx, parameter)

    return click.option("--engine", metavar="NAME", expose_value=False, callback=choose, help=text)(function)


def engines_option(text: str) -> Callable[[Function], Function]:
    """Add --engines, several engines at once; the command receives their names, none where it is not given."""

    def choose(ctx: click.Context, parameter: click.Parameter, words: str | None) -> tuple[str, ...]:
        if words is None:
            return ()
        names = tuple(dict.fromkeys(word.strip() for word in words.split(",")))
        for name in names:
            _installed(name)
        _require_one(ctx, parameter)
        return names

    return click.option("--engines", metavar="NAME,NAME...", callback=choose, help=text)


def require_one_place(engines: Sequence[str], given: Iterable[str]) -> None:
    """Check that of --engines and --with only one says on which engine something is tried.

    Raises:
        CtrlGraphError: both do.
    """
    if engines and any(word.partition("=")[0] == "engine" for word in given):
        raise CtrlGraphError("--engines and --with engine=NAME both say where it is tried: give one of them")


def _installed(name: str) -> None:
    """
    Raises:
        CtrlGraphError: there is no such engine, or it is not installed.
    """
    from ctrlgraph.engine.engine import ENGINES

    ENGINES[name].load()


def _require_one(ctx: click.Context, parameter: click.Parameter) -> None:
    """
    Raises:
        click.UsageError: --engine and --engines are both given, in whatever order.
    """
    given = ctx.meta.setdefault("ctrlgraph.engines", set())
    given.add(parameter.name)
    if len(given) > 1:
        raise click.UsageError("give --engine, or --engines for several at once, not both", ctx)
