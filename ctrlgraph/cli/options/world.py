"""The option `--with NAME=VALUE`: the world in which motions are simulated, or the perturbations of trials.

The world is the ground, the engine's settings, factors that scale the body, and random disturbances.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import click
from click.shell_completion import CompletionItem

from ctrlgraph.errors import CtrlGraphError, quoted, suggestion

if TYPE_CHECKING:
    from ctrlgraph.project.project import Project
    from ctrlgraph.simulation.environment import Environment
    from ctrlgraph.simulation.simulation import Push

GROUND = ("terrain", "slope", "friction")
"""Names in `--with NAME=VALUE` that describe the ground."""
WORLD = (*GROUND, "gravity", "dt", "engine.solver")
"""Names in `--with NAME=VALUE` that describe the ground and the engine's settings."""
RUN = (*WORLD, "engine.seed", "push")
"""Names in `--with NAME=VALUE` that `ctrlgraph run` accepts."""
BODY = ("mass", "length", "torque", "max_speed", "rise_time")
"""Names in `--with NAME=VALUE` of factors that scale the body, and of limits of its muscles."""
WALK = (*WORLD, *BODY, "actuator_noise", "pushes")
"""Names in `--with NAME=VALUE` that commands for walks accept."""
TERRAINS = (
    "flat, slope=DEGREES, box=..., stairs=..., random:SEED[:LENGTH], in space rough=AMPLITUDE, or a course file (.yaml)"
)

_MEANINGS = {
    "terrain": f"terrain=TEXT ({TERRAINS})",
    "slope": "slope=DEGREES",
    "friction": "friction=MU",
    "gravity": "gravity=M/S2",
    "dt": "dt=S (time step)",
    "engine.solver": "engine.solver=exact|quick[:ITERATIONS]",
    "engine.seed": "engine.seed=N (of the quick solver)",
    "mass": "mass=FACTOR",
    "length": "length=FACTOR",
    "torque": "torque=FACTOR (of the torque limits)",
    "max_speed": "max_speed=RAD/S (at which joints have no torque left)",
    "rise_time": "rise_time=S (of torques)",
    "actuator_noise": "actuator_noise=SHARE (random torques, as a share of their limits)",
    "pushes": "pushes=LOW:HIGH[:GAP] (random pushes of the trunk, N; mean gap, s)",
    "push": "push=LINK:FX[,FY]@T+DURATION (N, s; repeatable)",
}
_NUMBER = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?"
_PUSH = re.compile(rf"(\w+):({_NUMBER})(?:,({_NUMBER}))?@({_NUMBER})\+({_NUMBER})")
_PUSHES = re.compile(rf"({_NUMBER}):({_NUMBER})(?::({_NUMBER}))?")
_SOLVER = re.compile(r"exact|quick(?::(\d{1,9}))?", flags=re.ASCII)


@dataclass(frozen=True, slots=True)
class WorldOptions:
    """The world in which a motion is simulated, as the values of the option --with describe it."""

    terrain: str = "flat"
    """Description of the terrain, such as "slope=3", or path of a course file."""
    friction: float = 1.0
    """Friction coefficient of the ground."""
    settings: dict[str, Any] = field(default_factory=dict)
    """Engine settings: values of fields of `WorldSettings`, by name of the field."""
    body: dict[str, float] = field(default_factory=dict)
    """Factors that scale mass, length and torque limits, and limits of the muscles, by the names in `BODY`."""
    disturbances: dict[str, float] = field(default_factory=dict)
    """Random disturbances: values of fields of `Disturbances`, by name of the field."""
    seed: int = 0
    """Seed of the engine's quick solver."""
    pushes: tuple[Push, ...] = ()
    """Pushes at given times."""
    given: tuple[str, ...] = ()
    """Names that --with was given on the command line, except `push`."""

    def environment(self, project: Project, *, predicts_falls: bool = False) -> Environment:
        """Return the environment of a simulation in this world, with the project's engine and character.

        Args:
            project: Project whose engine is used.
            predicts_falls: Whether walks leave motions before predicted falls.

        Raises:
            CtrlGraphError: A setting is out of range.
            SourceError: The course file has errors.
            TerrainError: The terrain is not valid.
        """
        from ctrlgraph.engine.world_settings import WorldSettings
        from ctrlgraph.robustness.perturbation import NO_SPEED_LIMIT
        from ctrlgraph.simulation.disturbances import Disturbances
        from ctrlgraph.simulation.environment import BodyScaling

        body = {name: value for name, value in self.body.items() if value != NO_SPEED_LIMIT}
        mass = body.pop("mass", 1.0)
        return project.environment(
            self.terrain,
            self.friction,
            settings=WorldSettings(**self.settings),
            body=BodyScaling((("", mass),) if mass != 1.0 else (), **body),
            disturbances=Disturbances(**self.disturbances),
            predicts_falls=predicts_falls,
        )


def world_option(names: Sequence[str] = WORLD, text: str = "World") -> Callable[[Any], Any]:
    """Return a decorator that adds the option --with NAME=VALUE. The command receives `world`, a `WorldOptions`.

    Args:
        names: Names that the command accepts before the `=`.
        text: Beginning of the help text.
    """

    def read(ctx: click.Context, parameter: click.Parameter, words: tuple[str, ...]) -> WorldOptions:
        return WorldOptions() if ctx.resilient_parsing or not words else read_world(words, names)

    listed = "; ".join(_MEANINGS[name] for name in names)
    return click.option(
        "--with",
        "world",
        multiple=True,
        metavar="NAME=VALUE",
        callback=read,
        shell_complete=_offering(names),
        help=f"{text}: {listed}. Repeatable.",
    )


def read_world(words: Sequence[str], names: Sequence[str]) -> WorldOptions:
    """Convert the values of --with to the world that they describe.

    Args:
        words: Values of the option, as NAME=VALUE.
        names: Names that the command accepts before the `=`.

    Raises:
        CtrlGraphError: A name is unknown or given twice, slope and terrain are both given, or a value is not valid.
    """
    values: dict[str, str] = {}
    pushes: list[Push] = []
    for word in words:
        name, equals, value = word.partition("=")
        if not (name and equals and value):
            raise CtrlGraphError(f"{quoted(word)} is not NAME=VALUE: give --with values such as friction=0.8")
        if name not in names:
            raise CtrlGraphError(_unknown(name, names))
        if name == "push":
            pushes.append(_push(value))
        elif name in values:
            raise CtrlGraphError(f"{name} must be given only once with --with, not as {values[name]} and {value}")
        else:
            values[name] = value
    if "slope" in values and "terrain" in values:
        raise CtrlGraphError("--with slope and --with terrain both describe the ground: give one of them")
    settings: dict[str, Any] = {name: _number(name, values[name]) for name in ("dt", "gravity") if name in values}
    if "engine.solver" in values:
        settings |= _solver(values["engine.solver"])
    return WorldOptions(
        terrain=values.get("terrain") or _slope(values.get("slope")),
        friction=_number("friction", values["friction"]) if "friction" in values else 1.0,
        settings=settings,
        body={name: _number(name, values[name]) for name in BODY if name in values},
        disturbances=_disturbances(values),
        seed=_seed(values.get("engine.seed", "0")),
        pushes=tuple(pushes),
        given=tuple(values),
    )


def _unknown(name: str, names: Sequence[str]) -> str:
    from ctrlgraph.robustness.perturbation import AXES, MASS_OF

    if name in (*RUN, "pushes"):
        return f"this command does not accept --with {name} (available: {', '.join(names)})"
    if name in AXES or name.startswith(MASS_OF):
        return f"{name} perturbs the trials of `ctrlgraph robustness`; here --with accepts {', '.join(names)}"
    return f"--with has no name {quoted(name)} ({suggestion(name, names) or 'available: ' + ', '.join(names)})"


def _number(name: str, text: str) -> float:
    """Convert the VALUE of --with NAME=VALUE to a number, and check its range if NAME has a range.

    Args:
        name: NAME.
        text: VALUE.
    """
    from ctrlgraph.robustness.perturbation import AXES

    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise CtrlGraphError(f"{name} must be a finite number, not {quoted(text)}")
    return AXES[name].checked(number) if name in AXES else number


def _slope(text: str | None) -> str:
    degrees = 0.0 if text is None else _number("slope", text)
    return f"slope={degrees:g}" if degrees else "flat"


def _solver(text: str) -> dict[str, Any]:
    match = _SOLVER.fullmatch(text)
    if match is None:
        raise CtrlGraphError(f"engine.solver must be exact, quick or quick:ITERATIONS, not {quoted(text)}")
    return {"solver": text.partition(":")[0], "iterations": int(match[1] or 50)}


def _seed(text: str) -> int:
    if not re.fullmatch(r"[0-9]{1,19}", text):
        form = "a whole number of at least 0 with at most 19 digits"
        raise CtrlGraphError(f"engine.seed must be {form}, not {quoted(text)}")
    return int(text)


def _disturbances(values: dict[str, str]) -> dict[str, float]:
    found = {name: _number(name, values[name]) for name in ("actuator_noise",) if name in values}
    if "pushes" not in values:
        return found
    match = _PUSHES.fullmatch(values["pushes"])
    if match is None:
        raise CtrlGraphError(f"pushes must be LOW:HIGH[:GAP], such as 100:300:3, not {quoted(values['pushes'])}")
    numbers = zip(("low", "high", "gap"), match.groups(), strict=True)
    return found | {name: float(number) for name, number in numbers if number is not None}


def _push(text: str) -> Push:
    from ctrlgraph.simulation.simulation import Push

    match = _PUSH.fullmatch(text)
    if match is None:
        form = "LINK:FX[,FY]@START+DURATION, such as uTorso:150@1.5+0.1"
        raise CtrlGraphError(f"push must be {form}, not {quoted(text)}")
    link, x, y, start, duration = match.groups(default="0")
    return Push(start=float(start), duration=float(duration), link=link, x=float(x), y=float(y))


def perturbations_option(text: str = "Perturbation of all trials") -> Callable[[Any], Any]:
    """Return a decorator that adds the option --with NAME=VALUE to a command that runs trials under perturbations.

    The command receives the values as `perturbations`: texts NAME=VALUE for `scenario.parse_values`.

    Args:
        text: Beginning of the help text.
    """
    return click.option(
        "--with",
        "perturbations",
        multiple=True,
        metavar="NAME=VALUE",
        callback=lambda _ctx, _parameter, words: tuple(map(as_perturbation, words)),
        shell_complete=_offering(("noise", "push", "phase", "mass", "torque", "length", *WORLD)),
        help=f"{text}: noise, push, mass, torque, slope, friction, dt, engine.solver and more. Repeatable.",
    )


def as_perturbation(word: str) -> str:
    """Convert a word of the command line to a perturbation or axis, which have other names for two settings.

    `dt=VALUE` becomes `step=VALUE`, and `engine.solver=quick:N` becomes `quickstep=N`. Other words are unchanged.

    Args:
        word: NAME=VALUE or, for an axis (a perturbation with several values), NAME=VALUES.
    """
    name, equals, value = word.partition("=")
    if name == "dt":
        return f"step{equals}{value}"
    if name == "engine.solver":
        found = _solver(value)
        return f"quickstep={found['iterations'] if found['solver'] == 'quick' else 0}"
    return word


def _offering(names: Sequence[str]) -> Callable[..., list[CompletionItem]]:
    def offer(ctx: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
        return [CompletionItem(f"{name}=") for name in names if name.startswith(incomplete)]

    return offer
