"""Write docs/results/dog.md: disturbances, ground, paths and transitions of the dog, and the published controller.

    python benchmarks/dog_robustness.py [SECTION]... [--engine ENGINE] [-o FILE]

Nothing was tuned with the phases and seeds of these tests; the strengths of some pushes were used before.
"""

from __future__ import annotations

import argparse
import math
import shutil
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import numpy as np

from benchmarks.gait_runs import PUSH_S, fell, go, is_back
from benchmarks.gaits import (
    DOG,
    DOG_FRICTION,
    ENGINES,
    RECOVERED_MPS,
    SHIPPED,
    before,
    dog,
    dog_gait,
    dog_simulation,
    robot,
    started,
)
from benchmarks.result_header import ROOT, header
from ctrlgraph import Project, Push, walk_random
from ctrlgraph.control.gait.gait import Gait
from ctrlgraph.control.gait.gait_values import Published
from ctrlgraph.simulation.simulation import Simulation
from ctrlgraph.simulation.snapshot import Snapshot
from ctrlgraph.terrain.pieces import TerrainError
from ctrlgraph.walks.way_walk import go_along

PAGE = ROOT / "docs/results/dog.md"
SEED = 81_001
FRAMES = {"fore": "chest_1", "hind": "pelvis"}
PUSH_PHASES = 20
IMPULSES = (20.0, 25.0, 30.0, 40.0, 50.0)
"""Strengths of the pushes, N s."""
DIRECTIONS = {
    "forward": 0,
    "forward left": 45,
    "left": 90,
    "backward left": 135,
    "backward": 180,
    "backward right": 225,
    "right": 270,
    "forward right": 315,
}
SLOPES = (-15, -10, 10, 15)
GROUND = {
    **{f"slope of {each} degrees from the start": f"slope={each}" for each in SLOPES},
    **{
        f"slope of {each} degrees after 2 m of level ground": f"heights=2:0,32:{30 * math.tan(math.radians(each)):.3f}"
        for each in SLOPES
    },
    **{f"slope of {each} degrees across": f"bank={each}" for each in SLOPES},
}
"""Words for grounds, by title."""
ROUGH_M = 0.05
ROUGH_SEEDS = 5
STEP_M = 0.1
RADIUS_M = 2.0
GAITS = ("trot_in_place", "walk", "trot", "fast_trot", "pace", "gallop", "rotary_gallop", "back_up")
PHASES = 50
WALK_SEEDS = range(30_301, 30_311)
WALK_TRANSITIONS = 200
FIELDS = 20
FIELD_BLOCKS = 10
FIELD_GOAL = (12.0, 0.0)
LAWS = Published._fields
TROT_SPEEDS = (0.0, 0.8, 1.6)


def steady(simulation: Simulation, name: str) -> Gait:
    """Bring the dog to its speed in a gait, from its start pose; return the gait."""
    gait = dog_gait(simulation.engine, name)
    for each in before(name):
        go(simulation, dog_gait(simulation.engine, each), 3.0)
    go(simulation, gait, 5.0)
    return gait


def phases(simulation: Simulation, gait: Gait, number: int) -> list[Snapshot]:
    """Return snapshots at phases of a gait that runs. A random part of a cycle is before the first one."""
    wait = np.random.default_rng(SEED).uniform()
    go(simulation, gait, wait * gait.values.period, resume=True)
    found = []
    for _ in range(number):
        found.append(simulation.snapshot())
        go(simulation, gait, gait.values.period / number, resume=True)
    return found


def pushes(engine: str, name: str) -> Iterator[str]:
    """Yield the table of pushes of the dog in a gait: the number of phases after which it goes on."""
    yield f"| {name}, {ENGINES[engine]}: push | " + " | ".join(FRAMES) + " |"
    yield "| --- |" + " --- |" * len(FRAMES)
    with dog_simulation(engine) as simulation:
        gait = steady(simulation, name)
        snapshots = phases(simulation, gait, PUSH_PHASES)
        for word, yaw in DIRECTIONS.items():
            cells = []
            for link in FRAMES.values():
                held = []
                for impulse in IMPULSES:
                    force, angle = impulse / PUSH_S, math.radians(yaw)
                    held.append(0)
                    for snapshot in snapshots:
                        simulation.restore(snapshot)
                        x, side = force * math.cos(angle), force * math.sin(angle)
                        simulation.disturb([Push(simulation.time, PUSH_S, link, x=x, side=side)])
                        held[-1] += is_back(simulation, gait, 3.0, 1.0, RECOVERED_MPS)
                cells.append(", ".join(map(str, held)))
            yield f"| {word} | {' | '.join(cells)} |"


def crosses(engine: str, name: str, terrain: str, seconds: float = 12.0) -> bool:
    """Return whether the dog runs a gait on a ground, from its start pose, without a fall."""
    environment = dog(engine).environment(terrain=terrain, friction=DOG_FRICTION)
    gait = dog_gait(engine, name)
    with environment.simulation(dog(engine).character, keep_trace=False) as simulation:
        return not any(
            fell(go(simulation, each, time))
            for each, time in ((dog_gait(engine, "trot_in_place"), 2.0), (gait, seconds))
        )


def ground(engine: str) -> Iterator[str]:
    """Yield the table of grounds without a fall."""
    seeds = range(SEED, SEED + ROUGH_SEEDS)
    yield f"| ground, {ENGINES[engine]} | stroll | walk | trot |"
    yield "| --- | --- | --- | --- |"
    for title, terrain in GROUND.items():
        cells = ["yes" if crosses(engine, name, terrain) else "falls" for name in ("stroll", "walk", "trot")]
        yield f"| {title} | {' | '.join(cells)} |"
    cells = []
    for name in ("stroll", "walk", "trot"):
        held = sum(crosses(engine, name, f"flat rough={ROUGH_M:g} seed={seed}") for seed in seeds)
        cells.append(f"{held} of {ROUGH_SEEDS}")
    yield f"| bumps of {ROUGH_M:g} m | {' | '.join(cells)} |"
    cells = [
        "yes" if crosses(engine, name, f"box=1.5:10:{STEP_M:g}") else "falls" for name in ("step_up", "walk", "trot")
    ]
    yield f"| step of {STEP_M:g} m up (the first column is the gait step_up) | {' | '.join(cells)} |"


def eight(engine: str, speed: float) -> str:
    """Return the greatest distance of the centre of mass from a figure of eight of two circles, or `falls`."""
    gait = dog_gait(engine, "trot_left", forward=speed, turn=0.0)
    with dog_simulation(engine) as simulation:
        go(simulation, dog_gait(engine, "trot_in_place"), 3.0)
        go(simulation, gait, 4.0)
        lap, begin, place = 2 * math.pi * RADIUS_M / speed, simulation.time, (simulation.x, simulation.y)
        furthest = [0.0]

        def steer(_: object) -> None:
            side = 1.0 if simulation.time - begin < lap else -1.0
            simulation.command(forward=speed, turn=side * speed / RADIUS_M)
            away = [
                abs(math.hypot(simulation.x - place[0], simulation.y - place[1] - sign * RADIUS_M) - RADIUS_M)
                for sign in (1.0, -1.0)
            ]
            furthest[0] = max(furthest[0], min(away))

        simulation.watch(steer)
        outcome = go(simulation, gait, 2 * lap, resume=True)
        gap = math.hypot(simulation.x - place[0], simulation.y - place[1])
    return "falls" if fell(outcome) else f"{furthest[0]:.2f} m, {gap:.2f} m"


def straight(engine: str, name: str) -> str:
    """Return the greatest distance from the commanded straight path over 30 m, and the change of the mean heading."""
    with dog_simulation(engine) as simulation:
        gait, rows = steady(simulation, name), []
        simulation.watch(lambda _: rows.append((simulation.y, simulation.heading)))
        outcome = go(simulation, gait, 30.0 / gait.values.forward, resume=True)
    cycle = round(gait.values.period / 0.01)
    y, heading = np.array(rows).T
    heading = np.convolve(np.unwrap(heading), np.full(cycle, 1 / cycle), "valid")
    turned = math.degrees(np.abs(heading - heading[0]).max())
    return "falls" if fell(outcome) else f"{np.abs(y - y[0]).max():.2f} m, {turned:.1f} degrees"


def paths(engine: str) -> Iterator[str]:
    """Yield the table of straight paths and figures of eight."""
    yield f"| test | {ENGINES[engine]} |"
    yield "| --- | --- |"
    for name in ("walk", "trot", "fast_trot", "canter", "gallop", "rotary_gallop"):
        cell = straight(engine, name)
        yield f"| {name}: greatest distance from the straight path of 30 m, greatest turn | {cell} |"
    for speed in (0.6, 1.0):
        yield (
            f"| trot at {speed:g} m/s: greatest distance from a figure of eight with a radius of {RADIUS_M:g} m, "
            f"distance of its end from its start | {eight(engine, speed)} |"
        )


def changes(engine: str) -> Iterator[str]:
    """Yield the table of transitions between all ordered pairs of gaits."""
    yield f"| from, {ENGINES[engine]} | " + " | ".join(GAITS) + " |"
    yield "| --- |" + " --- |" * len(GAITS)
    total = tried = 0
    for name in GAITS:
        cells = []
        with dog_simulation(engine) as simulation:
            snapshots = phases(simulation, steady(simulation, name), PHASES)
            for other in GAITS:
                if other == name:
                    cells.append("-")
                    continue
                held = sum(changed(simulation, snapshot, dog_gait(engine, other)) for snapshot in snapshots)
                cells.append(str(held))
                total, tried = total + held, tried + PHASES
        yield f"| {name} | {' | '.join(cells)} |"
    yield f"\n{total} of {tried} ({100 * total / tried:.1f} %)."


def changed(simulation: Simulation, snapshot: Snapshot, gait: Gait) -> bool:
    """Return whether the dog reaches the speed of a gait after a transition, without a fall."""
    simulation.restore(snapshot)
    if fell(go(simulation, gait, 7.0)):
        return False
    outcome = go(simulation, gait, 3 * gait.values.period, resume=True)
    off = abs(outcome.measures["forward_speed"] - gait.values.forward)
    return not fell(outcome) and off < max(0.1, 0.1 * abs(gait.values.forward))


@contextmanager
def copied_project(engine: str) -> Iterator[Project]:
    """Return a context manager with a temporary copy of the dog's project, whose log is deleted at the end."""
    with tempfile.TemporaryDirectory() as directory:
        shutil.copytree(DOG, f"{directory}/dog")
        yield Project(Path(directory) / "dog", engine=engine)


def random_walks(engine: str) -> Iterator[str]:
    """Yield the table of random walks."""
    yield f"| seed, {ENGINES[engine]} | transitions that succeed | recovered failures | resets | simulated, s |"
    yield "| --- | --- | --- | --- | --- |"
    with copied_project(engine) as project:
        world = project.environment(friction=DOG_FRICTION)
        for seed in WALK_SEEDS:
            tally = walk_random(project, transitions=WALK_TRANSITIONS, seed=seed, world=world, keep_states=False).tally
            yield (
                f"| {seed} | {tally.succeeded} of {tally.transitions} | {tally.recovered} of {tally.failed} "
                f"| {tally.resets} | {tally.simulated_s:.0f} |"
            )


def field(seed: int) -> str:
    """Return a random field of blocks between the start and the goal."""
    rng = np.random.default_rng(seed)
    low, high = (1.5, -2.5, 0.3, 0.3, 0.3, -90.0), (10.5, 2.5, 1.2, 1.2, 0.8, 90.0)
    rows = rng.uniform(low, high, (FIELD_BLOCKS, 6))
    return "block=" + ",".join(":".join(f"{each:.2f}" for each in row) for row in rows)


def fields(engine: str) -> Iterator[str]:
    """Yield the table of walks to a place across random fields of blocks."""
    yield f"| gait, {ENGINES[engine]} | reached | mean time, s | fields without a way |"
    yield "| --- | --- | --- | --- |"
    with copied_project(engine) as project:
        for name in ("stroll", "walk", "trot"):
            reached, blocked, seconds = 0, 0, []
            for seed in range(SEED, SEED + FIELDS):
                world = project.environment(terrain=field(seed), friction=DOG_FRICTION)
                try:
                    summary = go_along(project, name, [FIELD_GOAL], seed=seed, world=world)
                except TerrainError:
                    blocked += 1
                    continue
                reached += summary.reached
                seconds.append(summary.tally.simulated_s)
            yield f"| {name} | {reached} of {FIELDS - blocked} | {np.mean(seconds):.1f} | {blocked} |"


def ablation(engine: str) -> Iterator[str]:
    """Yield the table of trots with laws of the published controller."""
    wanted = " | ".join(f"{who}, {speed:g} m/s" for who in ("dog", "robot") for speed in TROT_SPEEDS)
    yield f"| laws of the published controller, {ENGINES[engine]} | {wanted} |"
    yield "| --- |" + " --- |" * (2 * len(TROT_SPEEDS))
    rows: list[tuple[str, tuple[str, ...]]] = [("none", ())] + [(f"only {law}", (law,)) for law in LAWS]
    rows += [(f"all but {law}", tuple(each for each in LAWS if each != law)) for law in LAWS] + [("all", LAWS)]
    for title, laws in rows:
        published = Published(**dict.fromkeys(laws, True))
        cells = []
        for is_dog in (True, False):
            for speed in TROT_SPEEDS:
                legged = robot(str(SHIPPED))
                gait = dog_gait(engine, "trot", forward=speed) if is_dog else legged.gait(forward=speed)
                with dog_simulation(engine) if is_dog else started(legged, engine) as simulation:
                    outcome = go(simulation, replace(gait, published=published), 20.0)
                    measures, time = outcome.measures, simulation.time
                cells.append(f"falls at {time:.1f} s" if fell(outcome) else f"{measures['forward_speed']:z.2f}")
        yield f"| {title} | {' | '.join(cells)} |"


def push_section(engine: str) -> Iterator[str]:
    """Yield the section about pushes."""
    yield f"""## Pushes

A push acts for {PUSH_S:g} s on the chest (fore) or the pelvis (hind) at {PUSH_PHASES} phases of the cycle. The numbers
are those of the phases after which the dog is back in its gait after 3 s, for pushes of
{", ".join(f"{impulse:g}" for impulse in IMPULSES)} N s, which change its velocity by
{", ".join(f"{impulse / 34:.2f}" for impulse in IMPULSES)} m/s. It is back if it does not fall, and in the fourth second
is within 0.1 m/s of the desired velocity and tilts by less than 0.15 rad.
"""
    for name in ("walk", "trot"):
        yield from pushes(engine, name)
        yield ""


def ground_section(engine: str) -> Iterator[str]:
    """Yield the section about slopes, bumps and steps."""
    yield "## Ground\n\nThe dog begins in its start pose, trots in place for 2 s, and then goes for 12 s.\n"
    yield from ground(engine)
    yield ""


def path_section(engine: str) -> Iterator[str]:
    """Yield the section about paths."""
    yield """## Paths

Without steering. The straight path is that of the commanded heading; the turn is that of the mean heading of a cycle.
"""
    yield from paths(engine)
    yield ""


def transition_section(engine: str) -> Iterator[str]:
    """Yield the section about transitions."""
    yield f"""## Transitions

Number of transitions of {PHASES}, at as many phases, after which the dog has the speed of the other gait within 10 % or
0.1 m/s 7 s later, without a fall. All pairs are tried, also those without an edge in the graph.
"""
    yield from changes(engine)
    yield ""


def walk_section(engine: str) -> Iterator[str]:
    """Yield the section about random walks."""
    yield f"""## Random walks

`ctrlgraph walk --random --transitions {WALK_TRANSITIONS} --seed SEED --with friction={DOG_FRICTION:g} --no-states`.
A failure without a reset is followed by corrective edges that lead to a static pose.
"""
    yield from random_walks(engine)
    yield ""


def field_section(engine: str) -> Iterator[str]:
    """Yield the section about fields with obstacles."""
    yield f"""## Fields with obstacles

`ctrlgraph goto GAIT --to {FIELD_GOAL[0]:g},{FIELD_GOAL[1]:g}` across {FIELDS} random fields. Each has {FIELD_BLOCKS}
blocks of 0.3 to 1.2 m with heights of 0.3 to 0.8 m, on an area of 9 by 5 m.
"""
    yield from fields(engine)
    yield ""


def ablation_section(engine: str) -> Iterator[str]:
    """Yield the section about the published controller."""
    yield """## Laws of the published controller

Trots of 20 s from the start pose, with [laws of the published controller](../reference/gait.md) instead of those of
ctrlgraph: mean speed from the start, m/s, or the time of the fall. The robot is that of projects/quadruped.
"""
    yield from ablation(engine)
    yield ""


SECTIONS = {
    "pushes": push_section,
    "ground": ground_section,
    "paths": path_section,
    "transitions": transition_section,
    "walks": walk_section,
    "fields": field_section,
    "ablation": ablation_section,
}


def page(engine: str, sections: Sequence[str]) -> Iterator[str]:
    """Yield the lines of the page."""
    yield "# The dog: disturbances, ground, paths and transitions\n"
    yield header(ENGINES[engine], str(SEED), f"python benchmarks/dog_robustness.py {' '.join(sections)}".strip())
    yield (
        f"The dog of projects/dog has 34 kg. Friction is {DOG_FRICTION:g}. "
        "[Gaits of robots](gaits.md) has its speeds and footfalls.\n"
    )
    for name in sections or SECTIONS:
        yield from SECTIONS[name](engine)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sections", nargs="*", metavar="SECTION", help=f"of {', '.join(SECTIONS)}; by default all")
    parser.add_argument("--engine", choices=ENGINES, default="mujoco")
    parser.add_argument("-o", "--output", type=Path, default=PAGE, metavar="FILE")
    given = parser.parse_args()
    unknown = [name for name in given.sections if name not in SECTIONS]
    if unknown:
        parser.error(f"there is no section '{unknown[0]}'; the sections are {', '.join(SECTIONS)}")
    lines = []
    for line in page(given.engine, given.sections):
        print(line, file=sys.stderr, flush=True)
        lines.append(line)
    given.output.write_text("\n".join(lines).rstrip() + "\n")


if __name__ == "__main__":
    main()
