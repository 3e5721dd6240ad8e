"""The vocabulary of perturbations: what can be changed about a world, a body, an entry or a course.

Every numeric one is an axis of a sweep by its plain name (`AXES`). The world, the engine and the body are
changed from the start pose on; noise in the start state acts just before the target's entry; pushes, actuator
noise and delay act on the target's course.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any

from ctrlgraph.arguments import checked
from ctrlgraph.engine.disturbance import MAX_DELAY
from ctrlgraph.engine.engine import DEFAULT_ENGINE, known_engine
from ctrlgraph.errors import CtrlGraphError, quoted, suggestion
from ctrlgraph.kernels.gravity import GRAVITY
from ctrlgraph.terrain.words import parse

if TYPE_CHECKING:
    from ctrlgraph.project.project import Project
    from ctrlgraph.simulation.environment import Environment

RANDOM = "random"
"""The moment of a push that is drawn anew for each trial; so it is where none is given."""

MASS_OF = "mass."
"""`mass.rFoot` is the mass of one link."""


@dataclass(frozen=True, slots=True)
class Axis:
    """A perturbation that is a number: its unit, its range, its value when nothing is perturbed, and
    the step of its grid where none is given."""

    name: str
    unit: str
    low: float
    high: float
    neutral: float
    step: float
    meaning: str

    def checked(self, value: float) -> float:
        """
        Raises:
            CtrlGraphError: the value is out of range.
        """
        if not self.low <= value <= self.high:
            unit = f" {self.unit}" if self.unit else ""
            raise CtrlGraphError(f"{self.name} must be within {self.low:g} and {self.high:g}{unit}, not {value:g}")
        return value


AXES: dict[str, Axis] = {
    axis.name: axis
    for axis in (
        Axis("slope", "deg", -45, 45, 0, 0.5, "the ground rises forward by so many degrees"),
        Axis("friction", "", 0, 10, 1, 0.05, "coefficient of friction of the ground"),
        Axis("gravity", "m/s2", 0, 50, GRAVITY, 0.25, "acceleration of gravity"),
        Axis("mass", "x", 0.1, 10, 1, 0.05, "the masses of all links are multiplied (mass.LINK: of one)"),
        Axis("length", "x", 0.5, 2, 1, 0.01, "all lengths are multiplied; heights in conditions with them"),
        Axis("torque", "x", 0.01, 10, 1, 0.05, "all torque limits are multiplied"),
        Axis("noise", "", 0, 2, 0, 0.02, "torques as a share of their limits, and a push as a share of the body's "
             "weight, at random in the last 0.2 s before the entry"),
        Axis("push", "N", -10000, 10000, 0, 10, "a push on push_link, forward where positive"),
        Axis("push_duration", "s", 0.002, 10, 0.1, 0.05, "how long the push lasts"),
        Axis("push_angle", "deg", -180, 180, 0, 15, "its direction: 0 forward, 90 up, 180 backward"),
        Axis("push_time", "s", 0, 600, 0, 0.1, "when it begins, after the entry"),
        Axis("phase", "", 0, 1, 0, 0.05, "when it begins: share of one cycle, or of an unperturbed course"),
        Axis("actuator_noise", "", 0, 2, 0, 0.02, "torques at random as a share of their limits, during the course"),
        Axis("delay", "s", 0, MAX_DELAY, 0, 0.002, "the motors get the commands of so long ago"),
        Axis("step", "s", 1e-4, 0.01, 0.002, 0.001, "the engine's time step"),
        Axis("quickstep", "", 0, 1000, 0, 10, "iterations of the engine's quick solver; 0: the exact one"),
    )
}  # fmt: skip

TEXTS = {
    "terrain": "the ground, in the words of --terrain, instead of a slope",
    "push_link": "the link that is pushed (the trunk)",
    "engine": "the physics engine, by its name",
}


@dataclass(frozen=True, slots=True)
class Perturbations:
    """One combination of perturbations, in the units of `AXES`; without arguments, none at all, on ODE.

    mass_of: factors of single links' masses, by name, sorted. push_link: the trunk where None. A push begins at
    `phase`, or `push_time` seconds after the entry; where neither is given, at a random moment.

    >>> from ctrlgraph import Perturbations
    >>> Perturbations(slope=4.0).environment.terrain
    'slope=4'
    """

    slope: float = 0.0
    terrain: str | None = None
    friction: float = 1.0
    gravity: float = GRAVITY
    mass: float = 1.0
    mass_of: tuple[tuple[str, float], ...] = ()
    length: float = 1.0
    torque: float = 1.0
    noise: float = 0.0
    push: float = 0.0
    push_duration: float = 0.1
    push_angle: float = 0.0
    push_link: str | None = None
    push_time: float | None = None
    phase: float | None = None
    actuator_noise: float = 0.0
    delay: float = 0.0
    step: float = 0.002
    quickstep: float = 0.0
    engine: str = DEFAULT_ENGINE

    @classmethod
    def of(cls, project: Project) -> Perturbations:
        """Return no perturbation at all, on the engine that the project's motions are simulated on."""
        return cls(engine=project.engine)

    def with_value(self, name: str, value: object) -> Perturbations:
        """Return the same with one of them set, checked.

        Raises:
            CtrlGraphError: the name is unknown, or the value is none that it can have.
        """
        if name in ("phase", "push_time") and value == RANDOM:
            return replace(self, phase=None, push_time=None)
        if name == "terrain":
            parse(str(value))
            changed = replace(self, terrain=str(value))
        elif name == "push_link":
            changed = replace(self, push_link=str(value))
        elif name == "engine":
            changed = replace(self, engine=known_engine(str(value)))
        else:
            number = axis_of(name).checked(_number(name, value))
            if name.startswith(MASS_OF):
                factors = dict(self.mass_of) | {name.removeprefix(MASS_OF): number}
                changed = replace(self, mass_of=tuple(sorted(factors.items())))
            else:
                changed = replace(self, **{name: number})  # type: ignore[arg-type]  # every axis is a field
        if changed.terrain is not None and changed.slope != 0.0:
            raise CtrlGraphError("slope and terrain both say what the ground is: give one of them")
        if changed.phase is not None and changed.push_time is not None:
            raise CtrlGraphError("phase and push_time both say when the push begins: give one of them")
        return changed

    def with_values(self, values: Iterable[tuple[str, object]]) -> Perturbations:
        """Return it with several values, as `with_value` one after another."""
        changed = self
        for name, value in values:
            changed = changed.with_value(name, value)
        return changed

    def as_dict(self) -> dict[str, Any]:
        """Return what differs from no perturbation, by plain names; `with_values` of its items makes the same."""
        plain = Perturbations()
        values = {f.name: getattr(self, f.name) for f in fields(self) if f.name != "mass_of"}
        changed = {name: value for name, value in values.items() if value != getattr(plain, name)}
        return changed | {MASS_OF + name: factor for name, factor in self.mass_of}

    @property
    def drawn(self) -> bool:
        """Tell whether anything is drawn at random; if not, every trial is the same."""
        random_moment = self.push != 0.0 and self.phase is None and self.push_time is None
        return self.noise > 0.0 or self.actuator_noise > 0.0 or random_moment

    def worth(self, trials: int) -> int:
        """Return how many of so many trials say something: where nothing is drawn, all are the first one again."""
        return trials if self.drawn else min(1, trials)

    @property
    def environment(self) -> Environment:
        """Return the part that holds from the start pose on, on which the initial state depends."""
        from ctrlgraph.engine.settings import WorldSettings
        from ctrlgraph.simulation.environment import BodyScaling, Environment

        masses = tuple((name, factor) for name, factor in (("", self.mass), *self.mass_of) if factor != 1.0)
        quick = {"solver": "quick", "iterations": round(self.quickstep)} if round(self.quickstep) else {}
        return Environment(
            terrain=self.terrain or (f"slope={self.slope!r}" if self.slope else "flat"),
            friction=self.friction,
            engine=self.engine,
            settings=WorldSettings(dt=self.step, gravity=self.gravity, **quick),  # type: ignore[arg-type]
            body=BodyScaling(masses, self.length, self.torque),
        )


def axis_of(name: str) -> Axis:
    """Return the axis of this name.

    Raises:
        CtrlGraphError: there is none; the message suggests one.
    """
    if name in AXES:
        return AXES[name]
    if name.startswith(MASS_OF) and name != MASS_OF:
        return replace(AXES["mass"], name=name, meaning=f"the mass of {name.removeprefix(MASS_OF)} is multiplied")
    if name in TEXTS:
        raise CtrlGraphError(f"{name} is no number: it can be given, but not swept over")
    hint = suggestion(name, [*AXES, *TEXTS]) or f"there are {', '.join([*AXES, *TEXTS])}"
    raise CtrlGraphError(f"there is no perturbation {quoted(name)} ({hint})")


@checked
def perturbations(values: Mapping[str, object] | Iterable[tuple[str, object]]) -> Perturbations:
    """Return perturbations by plain names.

    Raises:
        CtrlGraphError: a name is unknown, or a value is none that it can have.

    >>> from ctrlgraph import perturbations
    >>> perturbations({"mass": 1.1, "slope": 2}).mass
    1.1
    """
    return Perturbations().with_values(values.items() if isinstance(values, Mapping) else values)


def _number(name: str, value: object) -> float:
    try:
        number = float(value)  # type: ignore[arg-type]  # whatever is no number says so
    except (OverflowError, TypeError, ValueError):
        raise CtrlGraphError(f"{name} must be a number, not {quoted(value)}") from None
    if isinstance(value, bool) or not math.isfinite(number):
        raise CtrlGraphError(f"{name} must be a finite number, not {quoted(value)}")
    return number
