"""What was said before the command's name; commands receive it through `click.pass_obj`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

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


def engine_option(function: Function) -> Function:
    """Add --engine; the command's project simulates on it."""

    def choose(ctx: click.Context, parameter: click.Parameter, name: str | None) -> None:
        if name is not None:
            from ctrlgraph.engine.engine import known_engine

            ctx.obj = replace(ctx.obj, engine=known_engine(name))

    text = "The physics engine: ode, mujoco, or one of an installed package.  [default: the project's]"
    return click.option("--engine", metavar="NAME", expose_value=False, callback=choose, help=text)(function)
