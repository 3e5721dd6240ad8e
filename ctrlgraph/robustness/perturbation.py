"""Perturbations of the environment, the body, the initial state or the test of a trial.

A numeric perturbation is also an axis (`AXES`): a sweep can vary it. Changes of environment, engine and body hold from
the start pose on. Start-state noise (`noise`) acts just before the entry, the state in which the test begins. Pushes,
actuator noise and delay act during the test.
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
from ctrlgraph.kernels.constants import GRAVITY
from ctrlgraph.simulation.disturbances import MAX_FORCE, MAX_NOISE
from ctrlgraph.terrain.words import parse

if TYPE_CHECKING:
    from ctrlgraph.project.project import Project
    from ctrlgraph.simulation.environment import Environment

RANDOM = "random"
"""Value of `phase` or `push_time` for a push at a random time, the default."""

NO_SPEED_LIMIT = 1000.0
"""Value of the perturbation `max_speed` that means no limit, rad/s."""
MASS_OF = "mass."
"""Prefix of perturbations that scale the mass of one link, such as `mass.rFoot`."""


@dataclass(frozen=True, slots=True)
class Axis:
    """A perturbation whose values are numbers, so that a sweep can vary it."""

    name: str
    """Name of the perturbation, such as `slope`."""
    unit: str
    """Unit of the values: "x" for factors, empty for pure numbers."""
    low: float
    """Minimum value, in `unit`."""
    high: float
    """Maximum value, in `unit`."""
    neutral: float
    """Value without effect, such as 0 for a slope and 1 for a factor, in `unit`."""
    step: float
    """Default resolution of a search for a limit, in `unit`."""
    meaning: str
    """Description for users."""

    def checked(self, value: float) -> float:
        """Return a value if it is within the range of the axis.

        Raises:
            CtrlGraphError: The value is not within `low` and `high`.
        """
        if not self.low <= value <= self.high:
            unit = f" {self.unit}" if self.unit else ""
            raise CtrlGraphError(f"{self.name} must be within {self.low:g} and {self.high:g}{unit}, not {value:g}")
        return value


AXES: dict[str, Axis] = {
    axis.name: axis
    for axis in (
        Axis("slope", "deg", -45, 45, 0, 0.5, "slope of the ground, positive if it rises forward"),
        Axis("friction", "", 0, 10, 1, 0.05, "coefficient of friction of the ground"),
        Axis("gravity", "m/s2", 0, 50, GRAVITY, 0.25, "acceleration of gravity"),
        Axis("mass", "x", 0.1, 10, 1, 0.05, "the masses of all links are multiplied (mass.LINK: of one)"),
        Axis("length", "x", 0.5, 2, 1, 0.01, "all lengths and the heights in conditions are multiplied"),
        Axis("torque", "x", 0.01, 10, 1, 0.05, "all torque limits are multiplied"),
        Axis("max_speed", "rad/s", 1, NO_SPEED_LIMIT, NO_SPEED_LIMIT, 1, "speed at which a joint has no torque left in "
             "the direction of its motion; 1000: no limit"),
        Axis("rise_time", "s", 0, 1, 0, 0.002, "time in which a joint's torque can rise from 0 to its limit"),
        Axis("noise", "", 0, 2, 0, 0.02, "random torques as a share of their limits, and a random push as a share of "
             "the weight, in the last 0.2 s before the entry"),
        Axis("push", "N", -MAX_FORCE, MAX_FORCE, 0, 10, "push on push_link, forward if positive"),
        Axis("push_duration", "s", 0.002, 10, 0.1, 0.05, "duration of the push"),
        Axis("push_angle", "deg", -180, 180, 0, 15, "direction of the push: 0 forward, 90 up, 180 backward"),
        Axis("push_yaw", "deg", -180, 180, 0, 15, "direction of the push from above: 0 forward, 90 left; in space"),
        Axis("push_time", "s", 0, 600, 0, 0.1, "start of the push after the entry"),
        Axis("phase", "", 0, 1, 0, 0.05, "start of the push, as a share of one cycle or of an unperturbed test"),
        Axis("actuator_noise", "", 0, MAX_NOISE, 0, 0.02, "random torques as a share of their limits, during the test"),
        Axis("delay", "s", 0, MAX_DELAY, 0, 0.002, "delay of the commands to the motors"),
        Axis("step", "s", 1e-4, 0.01, 0.002, 0.001, "the engine's time step"),
        Axis("quickstep", "", 0, 1000, 0, 10, "iterations of the engine's quick solver; 0: the exact one"),
    )
}  # fmt: skip

TEXTS = {
    "terrain": "the ground in words, instead of a slope",
    "push_link": "the link that is pushed (the trunk)",
    "engine": "the physics engine, by its name",
}


@dataclass(frozen=True, slots=True)
class Perturbations:
    """Values of all perturbations of a trial. The defaults perturb nothing and use the engine ODE.

    >>> from ctrlgraph import Perturbations
    >>> Perturbations(slope=4.0).environment.terrain
    'slope=4'
    """

    slope: float = 0.0
    """Slope of the ground, deg, positive if it rises forward."""
    terrain: str | None = None
    """Ground in words ("slope=4"), instead of `slope`."""
    friction: float = 1.0
    """Coefficient of friction of the ground."""
    gravity: float = GRAVITY
    """Acceleration of gravity, m/s2."""
    mass: float = 1.0
    """Factor of the masses of all links."""
    mass_of: tuple[tuple[str, float], ...] = ()
    """(link, factor) of each link whose mass is scaled on its own, sorted by link."""
    length: float = 1.0
    """Factor of all lengths of the body, and of the heights in conditions."""
    torque: float = 1.0
    """Factor of all torque limits."""
    max_speed: float = NO_SPEED_LIMIT
    """Speed at which a joint has no torque left in the direction of its motion, rad/s."""
    rise_time: float = 0.0
    """Time in which the torque of a joint can rise from 0 to its hard limit, s."""
    noise: float = 0.0
    """Start-state noise: standard deviation of random torques before the test as a share of the torque limits, and of a
    random push as a share of the weight.
    """
    push: float = 0.0
    """Force of the push during the test, N, forward if positive."""
    push_duration: float = 0.1
    """Duration of the push, s."""
    push_angle: float = 0.0
    """Direction of the push, deg: 0 forward, 90 up."""
    push_yaw: float = 0.0
    """Direction of the push seen from above, deg: 0 forward, 90 to the left. Only in space."""
    push_link: str | None = None
    """Link that is pushed. None: the trunk."""
    push_time: float | None = None
    """Time from the start of the test to the start of the push, s. None: `phase` sets the time."""
    phase: float | None = None
    """Start of the push as a fraction of one cycle of a gait, or of the whole undisturbed test. None: `push_time` sets
    the time, or else it is random.
    """
    actuator_noise: float = 0.0
    """Standard deviation of random torques during the test, as a share of the torque limits."""
    delay: float = 0.0
    """Delay of the commands to the motors, s."""
    step: float = 0.002
    """Time step of the engine, s."""
    quickstep: float = 0.0
    """Number of iterations of the engine's quick solver. 0: the exact solver."""
    engine: str = DEFAULT_ENGINE
    """Name of the physics engine."""

    @classmethod
    def of(cls, project: Project) -> Perturbations:
        """Return perturbations that change nothing, with the engine of a project."""
        return cls(engine=project.engine)

    def with_value(self, name: str, value: object) -> Perturbations:
        """Return a copy in which one perturbation has a new value.

        Args:
            name: Name of a field, or `mass.LINK` for the mass of one link.
            value: New value: a number or its text, or the text of `terrain`, `push_link` or `engine`.

        Raises:
            CtrlGraphError: There is no such perturbation; the value is not a number, out of range, or no valid terrain
                or engine; or it contradicts another perturbation (slope and terrain, phase and push_time).
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
            raise CtrlGraphError("slope and terrain both define the ground: give only one of them")
        if changed.phase is not None and changed.push_time is not None:
            raise CtrlGraphError("phase and push_time both set the time of the push: give only one of them")
        return changed

    def with_values(self, values: Iterable[tuple[str, object]]) -> Perturbations:
        """Return a copy with new values of several perturbations, given as (name, value). See `with_value`."""
        changed = self
        for name, value in values:
            changed = changed.with_value(name, value)
        return changed

    def as_dict(self) -> dict[str, Any]:
        """Return the perturbations that differ from the defaults, as value by name."""
        plain = Perturbations()
        values = {f.name: getattr(self, f.name) for f in fields(self) if f.name != "mass_of"}
        changed = {name: value for name, value in values.items() if value != getattr(plain, name)}
        return changed | {MASS_OF + name: factor for name, factor in self.mass_of}

    @property
    def drawn(self) -> bool:
        """True if noise or the time of a push is random in each trial. Otherwise all trials have the same result."""
        random_moment = self.push != 0.0 and self.phase is None and self.push_time is None
        return self.noise > 0.0 or self.actuator_noise > 0.0 or random_moment

    def distinct_trials(self, trials: int) -> int:
        """Return how many of several trials can differ: all, or at most one if nothing is random (see `drawn`)."""
        return trials if self.drawn else min(1, trials)

    @property
    def environment(self) -> Environment:
        """Environment of a trial: terrain, engine settings and scaled body, without noise, pushes and delay."""
        from ctrlgraph.engine.world_settings import WorldSettings
        from ctrlgraph.simulation.environment import BodyScaling, Environment

        masses = tuple((name, factor) for name, factor in (("", self.mass), *self.mass_of) if factor != 1.0)
        quick = {"solver": "quick", "iterations": round(self.quickstep)} if round(self.quickstep) else {}
        return Environment(
            terrain=self.terrain or (f"slope={self.slope!r}" if self.slope else "flat"),
            friction=self.friction,
            engine=self.engine,
            settings=WorldSettings(dt=self.step, gravity=self.gravity, **quick),  # type: ignore[arg-type]
            body=BodyScaling(
                masses,
                self.length,
                self.torque,
                max_speed=None if self.max_speed == NO_SPEED_LIMIT else self.max_speed,
                rise_time=self.rise_time,
            ),
        )


def axis_of(name: str) -> Axis:
    """Return the axis (numeric perturbation) with a name, such as `slope` or `mass.rFoot`.

    Raises:
        CtrlGraphError: There is no perturbation of this name, or its values are texts.
    """
    if name in AXES:
        return AXES[name]
    if name.startswith(MASS_OF) and name != MASS_OF:
        return replace(AXES["mass"], name=name, meaning=f"the mass of {name.removeprefix(MASS_OF)} is multiplied")
    if name in TEXTS:
        raise CtrlGraphError(
            f"{name} cannot be swept, because its values are texts: give one value (--with, or 'with' in a file)"
        )
    hint = suggestion(name, [*AXES, *TEXTS]) or f"known perturbations: {', '.join([*AXES, *TEXTS])}"
    raise CtrlGraphError(f"there is no perturbation {quoted(name)} ({hint})")


@checked
def perturbations(values: Mapping[str, object] | Iterable[tuple[str, object]]) -> Perturbations:
    """Return perturbations with given values; those that are not given perturb nothing.

    Args:
        values: Values by name, or pairs (name, value). See `Perturbations.with_value`.

    Raises:
        CtrlGraphError: There is no perturbation of a name, a value is invalid, or two values contradict each other.

    >>> from ctrlgraph import perturbations
    >>> perturbations({"mass": 1.1, "slope": 2}).mass
    1.1
    """
    return Perturbations().with_values(values.items() if isinstance(values, Mapping) else values)


def _number(name: str, value: object) -> float:
    try:
        number = float(value)  # type: ignore[arg-type]  # raises if it is no number
    except (OverflowError, TypeError, ValueError):
        raise CtrlGraphError(f"{name} must be a number, not {quoted(value)}") from None
    if isinstance(value, bool) or not math.isfinite(number):
        raise CtrlGraphError(f"{name} must be a finite number, not {quoted(value)}")
    return number
