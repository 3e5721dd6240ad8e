"""Write docs/results/space.md: robots in space on both engines, the physics suite, and the cost of a step.

    python benchmarks/space.py [MODEL]... [--repetitions N] [--seconds S] [--count N] [--seed S] [-o FILE]
    python benchmarks/space.py hostile [--count N] [--seed S]

Each MODEL is a MuJoCo model of a robot with four legs. By default, only the shipped robot is measured. With `hostile`,
only the section about hostile files is printed.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from benchmarks.result_header import ROOT, header
from benchmarks.spatial_bodies import creature
from benchmarks.spatial_hostile import COUNT, SEED, hostile
from benchmarks.spatial_physics import FIGURES
from benchmarks.spatial_robots import (
    CYCLES_S,
    ENGINES,
    FALL_HEIGHT,
    FALL_TILT,
    PUSH_S,
    PUSH_STEP,
    STAND_S,
    Robot,
    cycle,
    cycle_fall,
    digests,
    digests_of_another_process,
    findings,
    hold,
    largest_push,
    mass,
    read_robots,
    stand,
)
from benchmarks.spatial_speed import Timed, Timing, first_compilation
from ctrlgraph.control.keyframes.keyframes import Keyframes
from ctrlgraph.simulation.rollout import Rollout
from ctrlgraph.simulation.simulation import Simulation

SHIPPED = ROOT / "projects/quadruped/characters/quadruped.xml"
PAGE = ROOT / "docs/results/space.md"
TITLES = {"ode": "ODE", "mujoco": "MuJoCo"}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("models", nargs="*", type=Path, default=[SHIPPED], metavar="MODEL")
    parser.add_argument("--repetitions", type=int, default=9)
    parser.add_argument("--seconds", type=float, default=6.0, help="simulated seconds of a repetition")
    parser.add_argument("-o", "--output", type=Path, default=PAGE, metavar="FILE")
    parser.add_argument("--count", type=int, default=COUNT, help="number of hostile files")
    parser.add_argument("--seed", type=int, default=SEED, help="seed of the hostile files")
    given = parser.parse_args()
    if given.models == [Path("hostile")]:
        for line in hostile(given.count, given.seed):
            print(line)
        return
    lines = []
    for line in page(given.models, given.repetitions, given.seconds):
        print(line, file=sys.stderr, flush=True)
        lines.append(line)
    lines += hostile(given.count, given.seed)
    given.output.write_text("\n".join(lines) + "\n")


def page(models: Sequence[Path], repetitions: int, seconds: float) -> Iterator[str]:
    """Return the lines of the page.

    Args:
        models: files of the robots.
        repetitions: repetitions of a timed rollout.
        seconds: simulated time of a repetition, s.
    """
    groups = [read_robots(path) for path in models]
    names = " ".join(path.name for path in models)
    options = f"--repetitions {repetitions} --seconds {seconds:g}"
    yield "# Characters in space: results\n"
    yield header("ODE and MuJoCo", "none", f"python benchmarks/space.py {names} {options}")
    yield ROBOTS
    yield from robots([group[0] for group in groups])
    yield BEHAVIOR
    yield "| robot | | ODE | MuJoCo |\n| --- | --- | --- | --- |"
    for group in groups:
        for number, robot in enumerate(group):
            yield from behavior(robot, number)
    yield PHYSICS
    yield "| | ODE | MuJoCo |\n| --- | --- | --- |"
    for title, figure in FIGURES.items():
        yield f"| {title} | {' | '.join(figure(engine) for engine in ENGINES)} |"
    yield SPEED
    yield from speed(groups[min(1, len(groups) - 1)][0], repetitions, seconds)


ROBOTS = """## Robots

The models are read without changes. The package that contains a model is in brackets. A warning is about elements of
the file that are ignored or replaced.
"""

BEHAVIOR = f"""\
Each robot holds its key frame for {STAND_S:g} s with the gains and torque limits of its model, or the pose nearest to
all angles 0 if it has no key frame. Drift is the horizontal displacement of the trunk after the first second. A robot
whose legs have joints without motors is measured again with motors in these joints. Their torque limit is half the
weight times the height of the centre of mass.

Then it lowers its centre of mass by 30 % (less if limits of its joints prevent it) and raises it again, in cycles of
3 s for {CYCLES_S:g} s.

A push is a sideways force at the centre of mass of the trunk for {PUSH_S:g} s. The table has the largest one, to
{PUSH_STEP:g} N, at which the robot does not fall. It falls if its trunk tilts by more than {FALL_TILT:g} rad, or if its
centre of mass is below {FALL_HEIGHT:g} of its height in the first pose (in cycles, of that in the crouch).

The digest is that of all states in two cycles: of the simulation, of the same one and of another one after a snapshot
is restored, and of another process.
"""

PHYSICS = """
## Physics suite

The tests in `tests/engine/spatial` bound these figures. The time step is 2 ms unless stated.
"""

SPEED = """
## Cost of a step

The whole loop has control, collision, engine and recording. The engine alone repeats the engine's calls of the same
run: on ODE with the recorded commands and contacts, on MuJoCo with the recorded states, motors and contacts. Both take
turns, and so do the engines; the table has medians, and the ratio is the median over neighbouring repetitions.
"""


def robots(chosen: Sequence[Robot]) -> Iterator[str]:
    """Return the table of models."""
    yield "| robot | mass, kg | links | degrees of freedom | key frames | feet | warnings: kind, number of elements |"
    yield "| --- | --- | --- | --- | --- | --- | --- |"
    for robot in chosen:
        body = robot.character
        feet = ", ".join(f"{leg.name}: `{body.links[leg.foot].name}`" for leg in body.roles.legs)
        kinds = ", ".join(f"{kind} {count}" for kind, count in findings(robot.path).items()) or "none"
        degrees = len(body.joints) + 6 * body.floating
        frames = ", ".join(body.poses) or "none"
        yield f"| {robot.name} | {mass(body):.2f} | {len(body.links)} | {degrees} | {frames} | {feet} | {kinds} |"
    yield ""


def behavior(robot: Robot, number: int) -> Iterator[str]:
    """Return the rows of a robot: standing, cycles, pushes, and exact repetition.

    Args:
        robot: the robot.
        number: index of the robot in the list that `read_robots` returns for its file.
    """
    name = robot.name
    if robot.added:
        name += f", {len(robot.added)} motors added"
    elif robot.limp:
        name += f", {len(robot.limp)} joints without motors"
    stands = [stand(robot, engine) for engine in ENGINES]
    yield _row(name, f"stand for {STAND_S:g} s", [_when(each.fall) for each in stands])
    if any(each.fall is not None for each in stands):
        return
    yield _row("", "drift, mm; tilt, degrees", [f"{each.drift:.2f}; {each.tilt:.2f}" for each in stands])
    lowered = f"cycles for {CYCLES_S:g} s, height {100 * robot.crouch[1]:.0f} %"
    yield _row("", lowered, [_when(cycle_fall(robot, engine)) for engine in ENGINES])
    yield _row("", "largest push, N", [f"{largest_push(robot, engine):.0f}" for engine in ENGINES])
    elsewhere = digests_of_another_process(robot, number)
    cells = []
    for engine in ENGINES:
        found = {*digests(robot, engine), elsewhere[engine]}
        cells.append(f"`{found.pop()}`" if len(found) == 1 else f"differs: {', '.join(sorted(found))}")
    yield _row("", "digest of all repetitions", cells)


def _row(robot: str, title: str, cells: Sequence[str]) -> str:
    return f"| {robot} | {title} | {' | '.join(cells)} |"


def _when(time: float | None) -> str:
    return "no fall" if time is None else f"falls at {time:.2f} s"


def speed(robot: Robot, repetitions: int, seconds: float) -> Iterator[str]:
    """Return the rows of the timings of a robot and of an animal of 30 links, and the times of first compilation.

    Args:
        robot: the robot, which is timed in cycles between stand and crouch.
        repetitions: number of repetitions, after one that is not counted.
        seconds: simulated time of a repetition, s.
    """
    yield "| character | engine | whole loop, us per step | engine alone, us | ratio | real-time factor | same states |"
    yield "| --- | --- | --- | --- | --- | --- | --- |"
    animal = Robot(robot.path, creature())
    for name, subject, controller in (
        (f"{robot.name}, cycles", robot, cycle(robot)),
        ("animal of 30 links, at rest", animal, hold(animal)),
    ):
        for engine, timing in timings(subject, controller, repetitions, seconds).items():
            times = f"{timing.step_us:.1f} | {timing.engine_us:.1f} | {timing.ratio:.3f} | {timing.realtime:.0f}"
            yield f"| {name} | {TITLES[engine]} | {times} | {'yes' if timing.same else 'no'} |"
    yield ""
    compiled = ", ".join(f"{first_compilation(robot.path, engine):.0f} s on {TITLES[engine]}" for engine in ENGINES)
    yield f"The first compilation of all kernels of such a simulation takes {compiled}; later processes load them."


def timings(robot: Robot, controller: Keyframes, repetitions: int, seconds: float) -> dict[str, Timing]:
    """Return the timings of a controller on each engine, which take turns; see `speed` for the arguments."""
    simulations = {engine: Simulation(robot.character, engine=engine) for engine in ENGINES}
    timed = {}
    for engine, simulation in simulations.items():
        simulation.run(hold(robot), cycles=1000, timeout=1.0)
        timed[engine] = Timed(simulation, Rollout(controller, 1000, seconds))
    for _ in range(repetitions + 1):
        for each in timed.values():
            each.repeat()
    for simulation in simulations.values():
        simulation.close()
    return {engine: each.timing() for engine, each in timed.items()}


if __name__ == "__main__":
    main()
