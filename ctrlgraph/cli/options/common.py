"""Options that many commands have: --engine, --jobs, --seed, --json, --output, and those before the command's name."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from ctrlgraph.bounds import MAX_SEED
from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.extras import require

if TYPE_CHECKING:
    from ctrlgraph.project.project import Project

Function = TypeVar("Function", bound=Callable[..., Any])
Decorator = Callable[[Function], Function]

MAX_JOBS = 256
"""Maximum value of --jobs. `parallel.most_workers` further limits the number of processes that are started."""


@dataclass(frozen=True, slots=True)
class Settings:
    """Values of the options --project, -v and --engine. Commands receive this object through `click.pass_obj`."""

    project_directory: Path | None = None
    """Value of --project. None: the project is the nearest directory upwards that has a graph.yaml."""
    verbose: int = 0
    """How many times -v was given."""
    engine: str | None = None
    """Engine that --engine names. None: the project's engine."""

    def project(self) -> Project:
        """Open the project in --project or else in the nearest directory upwards with a graph.yaml.

        Raises:
            CtrlGraphError: There is no project.
        """
        from ctrlgraph.project.project import Project

        if self.project_directory is None:
            return Project.find(engine=self.engine)
        return Project(self.project_directory, engine=self.engine)


def add_options(*options: Decorator[Any]) -> Decorator[Any]:
    """Return a decorator that adds several options to a command. The help lists the options in the given order."""

    def decorate(function: Function) -> Function:
        for option in reversed(options):
            function = option(function)
        return function

    return decorate


def json_option(keys: str) -> Decorator[Any]:
    """Return a decorator that adds the option --json. The command receives the parameter `as_json` (True or False).

    Args:
        keys: Keys of the printed JSON object, for the help.
    """
    return click.option("--json", "as_json", is_flag=True, help=f"Print one JSON object: {keys}.")


success_option = click.option(
    "--success",
    multiple=True,
    metavar="MEASURE=LOW:HIGH",
    help="Success condition of a script; either bound may be omitted. Repeatable.",
)


def output_option(text: str, *, required: bool = False, metavar: str = "FILE", type: Any = None) -> Decorator[Any]:
    """Return a decorator that adds the option -o/--output. The command receives the path as `output`.

    Args:
        text: Help text of the option.
        required: Whether the option must be given.
        metavar: Name of the value in the help.
        type: click's type of the value. None: the path of a file.
    """
    type = type or click.Path(dir_okay=False, path_type=Path)
    return click.option("-o", "--output", type=type, required=required, metavar=metavar, help=text)


def seed_option(
    text: str = "Seed of all random numbers.", *, default: int | None = None, drawn: bool = True
) -> Decorator[Any]:
    """Return a decorator that adds the option --seed. The command receives the parameter `seed`.

    Args:
        text: Help text of the option.
        default: Seed if the option is not given. None: there is no default.
        drawn: If the option is not given and has no default: True chooses a random seed, and with False the command
            receives None.
    """

    def choose(ctx: click.Context, _: click.Parameter, seed: int | None) -> int | None:
        return drawn_seed(seed) if drawn and not ctx.resilient_parsing else seed

    text += "  [default: a new one]" if drawn and default is None else ""
    kind = click.IntRange(0, MAX_SEED)
    return click.option("--seed", type=kind, default=default, callback=choose, help=text)


def drawn_seed(seed: int | None) -> int:
    """Return the given seed. If it is None, return a random seed of at most six digits."""
    return secrets.randbelow(10**6) if seed is None else seed


def jobs_option(text: str = "Worker processes.", default: int | None = None) -> Decorator[Any]:
    """Return a decorator that adds the option --jobs. The command receives the number of processes as `jobs`.

    Args:
        text: Help text of the option.
        default: Number of processes if the option is not given. None: the command receives None, for one process per
            core.
    """
    text += "" if default else "  [default: one for each core]"
    return click.option("--jobs", type=click.IntRange(1, MAX_JOBS), default=default, help=text)


def _checked_cluster(ctx: click.Context, parameter: click.Parameter, address: str | None) -> str | None:
    if address is not None:
        require("cluster")
    return address


pool_options = add_options(
    jobs_option(),
    click.option(
        "--cluster", metavar="ADDRESS", callback=_checked_cluster, help="Run the trials on this dask scheduler."
    ),
)
"""Decorator that adds the options --jobs and --cluster. The command receives the parameters `jobs` and `cluster`."""


def engines_option(text: str, *, several: bool = True) -> Decorator[Any]:
    """Return a decorator that adds the option --engine, the name of one or several physics engines.

    If one engine is named, `Settings.project` opens the project with this engine. If several are named, the command
    receives their names as `engines`, which is empty otherwise. An engine that is not installed is reported before any
    work is done.

    Args:
        text: Help text of the option.
        several: Accept several names, separated by commas. If False, the command has no parameter `engines`.
    """

    def choose(ctx: click.Context, parameter: click.Parameter, words: str | None) -> tuple[str, ...]:
        names = () if words is None else tuple(dict.fromkeys(word.strip() for word in words.split(",")))
        if len(names) > 1 and not several:
            raise click.BadParameter(
                "this command simulates on a single engine: give only one --engine", ctx, parameter
            )
        if names:
            from ctrlgraph.engine.engine import ENGINES

            for name in names:
                ENGINES[name].load()
        if len(names) == 1:
            ctx.obj = replace(ctx.obj, engine=names[0])
        return names if len(names) > 1 else ()

    return click.option(
        "--engine",
        "engines",
        metavar="NAME[,NAME...]" if several else "NAME",
        expose_value=several,
        callback=choose,
        help=text,
    )


engine_option = engines_option(
    "Physics engine: ode, mujoco, or one of a plugin.  [default: the project's]", several=False
)


def require_one_place(engines: Sequence[str], perturbations: Iterable[str]) -> None:
    """Check that the engine is named by --engine or by --with engine=NAME, not by both.

    Args:
        engines: Names of the engines from --engine.
        perturbations: Values of --with, as NAME=VALUE.

    Raises:
        CtrlGraphError: Both options choose the engine.
    """
    if engines and any(word.partition("=")[0] == "engine" for word in perturbations):
        raise CtrlGraphError("--engine and --with engine=NAME both choose the engine: give one of them")
