"""Write docs/results/gaits.md: the same trot on robots of several makers, and the gaits of the shipped robot and dog.

    python benchmarks/gaits.py [MODEL]... [--seconds S] [--dog | --biped | --morph] [-o FILE]

Each MODEL is a MuJoCo model of a robot with four legs; a model with a bad start pose can be given as MODEL=HEIGHT, with
the height of its centre of mass, m. Robustness is measured for the first `ROBUST` models. By default, only the shipped
robot is measured. With --dog, --biped or --morph, only these are measured, and the rest of FILE stays as it is.
"""

from __future__ import annotations

import argparse
import functools
import math
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks import gaits_biped, gaits_morph
from benchmarks.gait_runs import PUSH_S, RECOVERED_TILT, UPRIGHT, fell, go, is_back
from benchmarks.result_header import ROOT, header
from ctrlgraph import Project, Push
from ctrlgraph.character.files import load_character
from ctrlgraph.character.scaling import scale_masses
from ctrlgraph.character.spatial_model import SpatialCharacter
from ctrlgraph.control.gait.gait import Gait
from ctrlgraph.control.gait.gait_file import gait_of
from ctrlgraph.control.gait.gait_values import GaitValues
from ctrlgraph.kernels.constants import GRAVITY
from ctrlgraph.simulation.outcome import Outcome
from ctrlgraph.simulation.recording.spatial_trace import SpatialTrace
from ctrlgraph.simulation.simulation import Simulation
from ctrlgraph.terrain.spatial import parse_spatial
from ctrlgraph.yaml_source import parse_yaml, read_yaml

SHIPPED = ROOT / "projects/quadruped/characters/quadruped.xml"
PAGE = ROOT / "docs/results/gaits.md"
ENGINES = {"ode": "ODE", "mujoco": "MuJoCo"}
SPEEDS = (0.0, 0.5, 1.0, 1.5, 2.0)
ROBUST = 3
PHASES = 12
STEP_NS = 5.0
MOST_NS = 120.0
RECOVERED_MPS = 0.1
DOG = ROOT / "projects/dog"
DOG_TITLE = "## The dog of thirty links"
DOG_FRICTION = 0.8
DOG_SEED = 52_711
STARTS = {"ode": 8, "mujoco": 25}
"""Number of perturbed starts of the dog on each engine."""
CYCLES = {"ode": 10, "mujoco": 100}
FORCE_CYCLES = 10
"""Numbers of cycles in which speeds and footfalls are measured, on each engine, and forces of the feet."""
FORCES = ("walk", "trot", "gallop")
REAL_DOGS = {
    "load of the fore limbs, % of the weight": "56 to 64",
    "load of the hind limbs, % of the weight": "36 to 44",
    "braking part of the contact of a fore limb, %": "56 to 57",
    "braking part of the contact of a hind limb, %": "42 (walk), 30 to 38 (trot)",
    "net impulse of the fore limbs, N s per m": "below 0",
    "net impulse of the hind limbs, N s per m": "above 0",
    "peak vertical force of a fore limb, body weights": "1.1 (trot)",
    "peak vertical force of a hind limb, body weights": "0.7 (trot)",
    "positive work of the joints, J/kg/m": "3.0 to 4.2 (metabolic)",
}
"""Figures of real dogs, by quantity."""
NUDGE_NS = 10.0
POINTS = (
    ("walk", (0.4, 0.8, 1.2)),
    ("trot", (0.8, 1.6, 2.0)),
    ("fast_trot", (2.5,)),
    ("canter", (2.5, 2.8, 3.0)),
    ("gallop", (3.5, 4.0)),
    ("rotary_gallop", (3.5, 4.0)),
)
"""Gaits of the dog and their desired speeds, m/s. The faster ones are entered from the fast trot."""
FAST = ("canter", "gallop", "rotary_gallop")
TROT = (ROOT / "projects/quadruped/controllers/trot.yaml").read_text()


@dataclass(frozen=True)
class Legged:
    """A robot with four legs, and the height of its centre of mass if its start pose is not a stand."""

    path: Path
    character: SpatialCharacter
    height: float | None

    @property
    def name(self) -> str:
        """Return the name for tables."""
        package = self.path.parent.parent.parent.name
        return f"{self.path.stem} ({'shipped' if self.path.resolve() == SHIPPED else package})"

    def gait(self, **values: float) -> Gait:
        """Return the trot of the shipped project with other values."""
        if self.height is not None:
            values = {"height": self.height, **values}
        text = TROT.replace("forward: 0.8\n", "") + "".join(f"{name}: {value}\n" for name, value in values.items())
        return gait_of(parse_yaml(text, "trot.yaml", "gait"), self.character)


@functools.cache
def robot(path: str) -> Legged:
    """Return the robot of a command line argument."""
    name, _, height = path.partition("=")
    character = load_character(Path(name))
    assert isinstance(character, SpatialCharacter)
    return Legged(Path(name), character, float(height) if height else None)


def started(legged: Legged, engine: str, character: SpatialCharacter | None = None, **given: Any) -> Simulation:
    """Return a simulation of a robot in its start pose."""
    return Simulation(character or legged.character, engine=engine, keep_trace=False, **given)


def reached(legged: Legged, engine: str, seconds: float, **values: float) -> tuple[Outcome, bool]:
    """Return the outcome of the last half of a trot, and whether the robot fell."""
    gait = legged.gait(**values)
    with started(legged, engine) as simulation:
        first = go(simulation, gait, seconds / 2)
        if fell(first):
            return first, True
        last = go(simulation, gait, seconds / 2, resume=True)
        return last, fell(last)


def speeds(models: Sequence[str], seconds: float) -> Iterator[str]:
    """Yield the table of reached speeds of all robots."""
    wanted = " | ".join(f"{speed:g}" for speed in SPEEDS)
    yield f"| robot | mass, kg | height, m | period, s | engine | {wanted} | share of torques at a limit, at 1 m/s |"
    yield "| --- | --- | --- | --- | --- | " + "--- | " * (len(SPEEDS) + 1)
    for model in models:
        legged = robot(model)
        values = legged.gait().values
        first = f"| {legged.name} | {legged.character.mass:.1f} | {values.height:.2f} | {values.period:.2f} |"
        for engine, title in ENGINES.items():
            cells, clipped = [], "-"
            for speed in SPEEDS:
                outcome, has_fallen = reached(legged, engine, seconds, forward=speed)
                cells.append("falls" if has_fallen else f"{outcome.measures['forward_speed']:z.2f}")
                if speed == 1.0 and not has_fallen:
                    clipped = f"{100 * outcome.saturation:.2f} %"
            yield f"{first} {title} | {' | '.join(cells)} | {clipped} |"


def sustained(legged: Legged, engine: str, yaw: float) -> float:
    """Return the largest impulse, N s, in steps of `STEP_NS`, after which the robot trots on, at all phases."""
    gait = legged.gait(forward=0.5)
    trunk = legged.character.link_names[legged.character.trunk]
    with started(legged, engine) as simulation:
        go(simulation, gait, 4.0)
        snapshots = []
        for _ in range(PHASES):
            snapshots.append(simulation.snapshot())
            go(simulation, gait, gait.values.period / PHASES, resume=True)
        impulse = 0.0
        while impulse < MOST_NS:
            force = (impulse + STEP_NS) / PUSH_S
            x, y = force * math.cos(math.radians(yaw)), force * math.sin(math.radians(yaw))
            for snapshot in snapshots:
                simulation.restore(snapshot)
                simulation.disturb([Push(simulation.time, PUSH_S, trunk, x=x, side=y)])
                if not is_back(simulation, gait, 3.0, 1.0, RECOVERED_MPS):
                    return impulse
            impulse += STEP_NS
    return impulse


def variants(legged: Legged, engine: str) -> Iterator[tuple[str, str]]:
    """Yield tests of a robot and their results."""
    for factor in (0.8, 1.2):
        character = scale_masses(legged.character, {"": factor})
        assert isinstance(character, SpatialCharacter)
        heavier = replace(legged, character=character)
        outcome, has_fallen = reached(heavier, engine, 20.0, forward=1.0)
        yield f"mass x {factor:g}, 1 m/s", "falls" if has_fallen else f"{outcome.measures['forward_speed']:.2f} m/s"
    outcome, has_fallen = reached(legged, engine, 20.0, turn=1.0, forward=0.5)
    turn = (
        "falls"
        if has_fallen
        else f"{outcome.measures['turn_rate']:.2f} rad/s, {outcome.measures['forward_speed']:.2f} m/s"
    )
    yield "turn of 1 rad/s at 0.5 m/s", turn
    outcome, has_fallen = reached(legged, engine, 20.0, sideways=0.3)
    yield "0.3 m/s to the left", "falls" if has_fallen else f"{outcome.measures['lateral_speed']:.2f} m/s"
    with started(legged, engine) as simulation:
        gait = legged.gait(forward=1.0)
        outcome = go(simulation, gait, 31.0)
        drift = (
            f"{outcome.measures['path_deviation']:.2f} m, {math.degrees(outcome.measures['heading_drift']):.1f} degrees"
        )
        yield (
            "deviation from the straight path and turn of the heading in 31 s at 1 m/s",
            "falls" if fell(outcome) else drift,
        )
    for kind, word in (("slope", "along"), ("bank", "across")):
        held = []
        for degrees in (-10, -5, 5, 10):
            with started(legged, engine, terrain=parse_spatial(f"{kind}={degrees}")) as simulation:
                gait = legged.gait(forward=0.5)
                held += [f"{degrees:+d}"] if not fell(go(simulation, gait, 12.0)) else []
        yield (
            f"slopes {word} the heading without a fall at 0.5 m/s, of -10, -5, +5, +10 degrees",
            ", ".join(held) or "none",
        )
    for yaw, word in ((0, "forward"), (90, "left"), (180, "backward"), (270, "right")):
        yield f"largest push {word}, all of {PHASES} phases, N s", f"{sustained(legged, engine, yaw):g}"


def robustness(models: Sequence[str]) -> Iterator[str]:
    """Yield the table of tests of several robots on both engines."""
    columns = [(robot(model), engine) for model in models for engine in ENGINES]
    titles = [f"{legged.path.stem}, {ENGINES[engine]}" for legged, engine in columns]
    yield f"| test | {' | '.join(titles)} |"
    yield "| --- |" + " --- |" * len(columns)
    for rows in zip(*(variants(legged, engine) for legged, engine in columns), strict=True):
        yield f"| {rows[0][0]} | {' | '.join(result for _, result in rows)} |"


def shipped() -> Iterator[str]:
    """Yield the table of the gaits of the shipped project."""
    legged = robot(str(SHIPPED))
    names = ("duty_factor", "ipsilateral_phase", "diagonal_phase", "flight_share", "cost_of_transport", "feet_slip")
    yield f"| gait | engine | forward_speed | {' | '.join(names)} |"
    yield "| --- | --- | --- |" + " --- |" * len(names)
    for name in ("walk", "trot", "flying_trot", "pace", "bound", "pronk", "canter"):
        gait = gait_of(read_yaml(ROOT / f"projects/quadruped/controllers/{name}.yaml", "gait"), legged.character)
        for engine, title in ENGINES.items():
            with started(legged, engine) as simulation:
                go(simulation, gait, 5.0)
                measures = go(simulation, gait, 10.0, resume=True).measures
            cells = " | ".join(f"{measures[each]:.2f}" for each in names)
            yield f"| {name} | {title} | {measures['forward_speed']:.2f} | {cells} |"


@functools.cache
def dog(engine: str) -> Project:
    """Return the project of the dog with an engine."""
    return Project(DOG, engine=engine)


def dog_simulation(engine: str) -> Simulation:
    """Return a simulation of the dog in its start pose."""
    return dog(engine).environment(friction=DOG_FRICTION).simulation(dog(engine).character, keep_trace=False)


def dog_gait(engine: str, name: str, **values: float) -> Gait:
    """Return a gait of the dog with other values."""
    gait = dog(engine).controller(name)
    assert isinstance(gait, Gait)
    constants = gait.constants.copy()
    for field, value in values.items():
        constants[GaitValues._fields.index(field)] = value
    return gait.with_constants(constants)


def lags(gait: Gait) -> tuple[float, float, float]:
    """Return the times from a right to a left forefoot, the same of the hind feet, and from a hind foot to the forefoot
    of its side, as fractions of the cycle, (0 to 1); the last one is the mean of both sides.
    """
    left, right, hind_left, hind_right = (gait.swings.sum(axis=1) % 1.0).tolist()
    sides = [np.exp(2j * np.pi * (left - hind_left)), np.exp(2j * np.pi * (right - hind_right))]
    return (left - right) % 1.0, (hind_left - hind_right) % 1.0, float(np.angle(sum(sides)) / (2 * np.pi)) % 1.0


def lag_error(gait: Gait, outcome: Outcome) -> float:
    """Return the largest deviation of the measured lags from those of the file, as a fraction of the cycle."""
    names = ("front_phase", "hind_phase", "ipsilateral_phase")
    measured = [outcome.measures[name] / (2 * math.pi) for name in names]
    return max(abs((a - b + 0.5) % 1.0 - 0.5) for a, b in zip(measured, lags(gait), strict=True))


def dog_runs(engine: str, name: str, speed: float) -> Iterator[tuple[Outcome, bool]]:
    """Yield for each perturbed start the outcome of the last cycles of a gait, and whether the dog fell.

    The starts are random phases of the gait before. Shortly after the gait begins, the chest is pushed in a random
    direction.
    """
    rng = np.random.default_rng([DOG_SEED, len(name), round(10 * speed)])
    gait, slower = dog_gait(engine, name, forward=speed), dog_gait(engine, before(name)[-1])
    with dog_simulation(engine) as simulation:
        for each in before(name):
            go(simulation, dog_gait(engine, each), 3.0)
        for _ in range(STARTS[engine]):
            go(simulation, slower, rng.uniform() * slower.values.period + 0.01, resume=True)
            snapshot = simulation.snapshot()
            yaw, force = rng.uniform(-math.pi, math.pi), rng.uniform(0.0, NUDGE_NS) / PUSH_S
            x, side = force * math.cos(yaw), force * math.sin(yaw)
            simulation.disturb([Push(simulation.time + 0.3, PUSH_S, "chest_1", x=x, side=side)])
            outcome = go(simulation, gait, 4.0)
            if not fell(outcome):
                outcome = go(simulation, gait, CYCLES[engine] * gait.values.period, resume=True)
            yield outcome, fell(outcome)
            simulation.disturb([])
            simulation.restore(snapshot)


def before(name: str) -> list[str]:
    """Return the gaits that the dog runs before a gait."""
    if name in FAST:
        return ["trot_in_place", "trot", "fast_trot"]
    return ["trot_in_place", "trot"] if name == "fast_trot" else ["trot_in_place"]


def dog_speeds() -> Iterator[str]:
    """Yield the table of the dog's gaits from perturbed starts."""
    yield (
        "| gait | engine | desired speed, m/s | reached, mean | largest error | falls | largest error of a lag "
        "| duty factor | flight | largest tilt, rad |"
    )
    yield "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |"
    for name, speeds in POINTS:
        for speed in speeds:
            for engine, title in ENGINES.items():
                gait = dog_gait(engine, name, forward=speed)
                runs = list(dog_runs(engine, name, speed))
                stood = [outcome for outcome, has_fallen in runs if not has_fallen]
                start = f"| {name} | {title} | {speed:g} |"
                if not stood:
                    yield f"{start} - | - | {len(runs)} of {len(runs)} | - | - | - | - |"
                    continue
                found = {key: [outcome.measures[key] for outcome in stood] for key in stood[0].measures}
                reached = np.array(found["forward_speed"])
                yield (
                    f"{start} {reached.mean():.2f} | {100 * np.abs(reached / speed - 1).max():.1f} % "
                    f"| {len(runs) - len(stood)} of {len(runs)} | {max(lag_error(gait, each) for each in stood):.2f} "
                    f"| {np.mean(found['duty_factor']):.2f} | {np.mean(found['flight_share']):.2f} "
                    f"| {max(found['max_tilt']):.2f} |"
                )


def dog_turn() -> Iterator[str]:
    """Yield a sentence about the dog's curve."""
    words = []
    for engine, title in ENGINES.items():
        with dog_simulation(engine) as simulation:
            go(simulation, dog_gait(engine, "trot_in_place"), 3.0)
            go(simulation, dog_gait(engine, "trot_left"), 4.0)
            outcome = go(simulation, dog_gait(engine, "trot_left"), 10.0, resume=True)
        turned = f"{outcome.measures['turn_rate']:.2f} rad/s at {outcome.measures['forward_speed']:.2f} m/s"
        words.append(f"{'falls' if fell(outcome) else turned} on {title}")
    yield f"Turn of 1 rad/s at 0.6 m/s for 10 s: {', '.join(words)}. [The dog](dog.md#paths) has its straight paths."


def dog_forces() -> Iterator[str]:
    """Yield the table of the forces on the dog's feet, with figures of real dogs."""
    yield (
        "| quantity | real dogs | "
        + " | ".join(f"{name}, {title}" for name in FORCES for title in ENGINES.values())
        + " |"
    )
    yield "| --- |" + " --- |" * (1 + len(FORCES) * len(ENGINES))
    columns = [foot_forces(engine, name) for name in FORCES for engine in ENGINES]
    for quantity, known in REAL_DOGS.items():
        yield f"| {quantity} | {known} | " + " | ".join(column[quantity] for column in columns) + " |"


def foot_forces(engine: str, name: str) -> dict[str, str]:
    """Return the values of the table of forces for a gait, by quantity."""
    gait = dog_gait(engine, name)
    with dog(engine).environment(friction=DOG_FRICTION).simulation(dog(engine).character) as simulation:
        for each in [*before(name), name]:
            go(simulation, dog_gait(engine, each), 4.0)
        start = simulation.time
        go(simulation, gait, FORCE_CYCLES * gait.values.period, resume=True)
        trace, character = simulation.last_trace.between(start, simulation.time), simulation.character
    assert isinstance(trace, SpatialTrace) and isinstance(character, SpatialCharacter)
    legs, weight = character.roles.legs, character.mass * GRAVITY
    way = trace.com[-1, :2] - trace.com[0, :2]
    distance = float(np.linalg.norm(way))
    values = {}
    for row, which in (("fore", "front"), ("hind", "hind")):
        feet = [leg.foot for leg in legs if which in leg.name]
        push, up = trace.impulse[:, feet, :2] @ (way / distance), trace.impulse[:, feet, 2]
        stands = up > 0.05 * weight * np.median(np.diff(trace.time))
        values[f"load of the {row} limbs, % of the weight"] = f"{100 * up.sum() / trace.impulse[:, :, 2].sum():.0f}"
        values[f"braking part of the contact of a {row} limb, %"] = f"{100 * (push[stands] < 0).mean():.0f}"
        smooth = np.apply_along_axis(np.convolve, 0, up, np.full(2, 0.5), "valid")  # over 0.02 s
        peak = smooth.max() / np.median(np.diff(trace.time)) / weight
        values[f"peak vertical force of a {row} limb, body weights"] = f"{peak:.2f}"
        values[f"net impulse of the {row} limbs, N s per m"] = f"{push.sum() / distance:+.2f}"
    work = trace.joint_work[:, :, 0].sum() / character.mass
    values["positive work of the joints, J/kg/m"] = f"{work / distance:.2f}"
    return values


def dog_section() -> Iterator[str]:
    """Yield the lines of the section about the dog."""
    yield f"""{DOG_TITLE}

Command: `python benchmarks/gaits.py --dog`. The dog of projects/dog on ground with friction {DOG_FRICTION:g}, at 2 ms.

The dog starts {STARTS["mujoco"]} times on MuJoCo and {STARTS["ode"]} times on ODE, from random phases of a slower gait:
a trot in place, the trot for the fast trot, and the fast trot for the gallops. It changes to the gait, and 0.3 s later
the chest is pushed for {PUSH_S:g} s in a random direction with up to {NUDGE_NS:g} N s. After 4 s,
{CYCLES["mujoco"]} cycles are measured on MuJoCo and {CYCLES["ode"]} on ODE.
Seed {DOG_SEED}. *Largest error* is that of the mean speed in a run. *Lag* is the time from one footfall to another as a
fraction of the cycle: between the forefeet, between the hind feet, and from a hind foot to the forefoot of its side.
Footfalls are those of the contact forces.
"""
    yield from dog_speeds()
    yield ""
    yield from dog_turn()
    yield """
Forces of the ground on the feet over 10 cycles, and those of real dogs: load from Walter & Carrier 2009 (steady gaits),
braking from McLaughlin & Roush 1995 (walk and trot), peak forces in the trot *from memory*, cost of transport (of
metabolic energy; positive work is about a quarter of it) from Bryce & Williams 2017. Peaks are means over 0.02 s.
"""
    yield from dog_forces()


def page(models: Sequence[str], seconds: float) -> Iterator[str]:
    """Yield the lines of the page."""
    stems = " ".join(Path(model).name for model in models)
    yield "# Gaits of robots on four legs: results\n"
    yield header("ODE and MuJoCo", "none", f"python benchmarks/gaits.py {stems} --seconds {seconds:g}")
    yield f"""The models are read without changes. All robots have the same [gait file](../reference/gait.md) with the
default gains. Constants of the controller were chosen by about 75 trials with pushes on the shipped robot, Go1 and
Spot on MuJoCo, at other phases than here but partly with the same strengths; the other robots were not used. Mini
Cheetah's start pose lies on the ground, from which a gait does not get up. `=0.25` in the command is the height of the
centre of mass, m.

## Speed

A robot trots for {seconds:g} s from its start pose. The table has the mean forward speed of the second half for each
desired speed, m/s. A robot has fallen if the trunk tilts by more than {UPRIGHT:g} rad or the centre of mass is below
40 % of its height.
"""
    yield from speeds(models, seconds)
    yield f"""
## Turns, slopes, masses and pushes

Gaits read the masses of the model. A push acts on the trunk for {PUSH_S:g} s during a trot at 0.5 m/s, at {PHASES}
phases of the cycle, in steps of {STEP_NS:g} N s up to {MOST_NS:g} N s, the largest push tested. A robot sustains it if
it does not fall, and in the fourth second is within {RECOVERED_MPS:g} m/s of the desired velocity and tilts by less
than {RECOVERED_TILT:g} rad.
"""
    yield from robustness(models[:ROBUST])
    yield """
## Footfalls of the shipped robot

[Measures](../reference/measures.md) from the contact forces, over 10 s.
"""
    yield from shipped()
    for section in SECTIONS.values():
        yield ""
        yield from section()


SECTIONS = {
    DOG_TITLE: dog_section,
    gaits_biped.TITLE: gaits_biped.biped_section,
    gaits_morph.TITLE: gaits_morph.morph_section,
}
"""Sections about single characters, by their titles, in the order of the page."""


def with_section(text: str, title: str, section: str) -> str:
    """Return the text of a page in which a section is replaced, or added at the end."""
    before, found, after = text.partition(f"\n{title}\n")
    rest = after.partition("\n## ") if found else ("", "", "")
    return f"{before.rstrip()}\n\n{section.rstrip()}\n{''.join(rest[1:])}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("models", nargs="*", default=[str(SHIPPED)], metavar="MODEL")
    parser.add_argument("--seconds", type=float, default=60.0, help="simulated seconds of a trot")
    for name, title in zip(("dog", "biped", "morph"), SECTIONS, strict=True):
        only = f"measure only the {name}; the rest of FILE stays as it is"
        parser.add_argument(f"--{name}", dest="title", action="store_const", const=title, help=only)
    parser.add_argument("-o", "--output", type=Path, default=PAGE, metavar="FILE")
    given = parser.parse_args()
    lines = []
    for line in SECTIONS[given.title]() if given.title else page(given.models, given.seconds):
        print(line, file=sys.stderr, flush=True)
        lines.append(line)
    text = "\n".join(lines) + "\n"
    if given.title and given.output.exists():
        text = with_section(given.output.read_text(), given.title, text)
    given.output.write_text(text)


if __name__ == "__main__":
    main()
