"""Audit the shipped motions by inverse dynamics, independently of the simulation's own measures.

    python benchmarks/audit.py [NODE]... [--engines ode,mujoco] [--trials N] [--ways N] [--seed S] [--stop-window S]
        [--json]

Every node is entered from each of its usual predecessors (with `--ways N`, from the first N of the graph). The poses
and velocities of the links and the contact forces of every step are recorded. From these data alone, numpy computes:

- the ground reaction that the motion requires, compared with the sum of the contact forces;
- the change of momentum in flight;
- the torque across each joint, separately for joints at a stop (benchmarks/stops.py);
- the tangential force outside the friction cone;
- the separation of joints, the depth of contacts, slip, power and impact.

The table has one row for each motion: the number of examples that satisfy the node's conditions, and the largest value
of each quantity. Human figures are printed below. MuJoCo integrates the root and the joint angles instead of the
links; forces and torques are then computed from these (benchmarks/inverse_dynamics.py). Momentum is that of the links
on every engine.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path

import numpy as np

from benchmarks.inverse_dynamics import (
    FX,
    FY,
    LINK,
    NX,
    NY,
    Recording,
    X,
    Y,
    anchors,
    inverse_dynamics,
    joint_speeds,
    moment,
)
from benchmarks.result_header import header
from benchmarks.stops import STOP_S, depth, greatest_mean, motor_share, stop_cells, stop_shares
from ctrlgraph.engine.loop import GOES_ON
from ctrlgraph.kernels.arrays import Floats, copy_arrays
from ctrlgraph.project.project import Project
from ctrlgraph.report.human_figures import human_motions
from ctrlgraph.robustness.evaluator import Evaluator
from ctrlgraph.robustness.examples import entries, starts
from ctrlgraph.robustness.initial_state import Failed
from ctrlgraph.simulation.outcome import Outcome
from ctrlgraph.simulation.rollout import Rollout
from ctrlgraph.simulation.simulation import Simulation
from ctrlgraph.statistics import SuccessCount

POWER_S, IMPACT_S = 0.05, 0.01
LEAST_FLIGHT_S = 0.05
CARRIES = 0.1  # N per kg of the body: one hundredth of its weight
LET_GO_S = 0.01  # N; a link that loses contact for a force below this continues to slip
STEPS_JOINTS = ("mujoco",)  # engines that integrate the root and the joint angles


@dataclass(frozen=True)
class Audit:
    """Results of the inverse dynamics of a motion; fractions in percent.

    - residual: impulse of the ground that the contact forces do not explain, relative to weight times duration.
    - momentum, angular: change of linear momentum (without gravity) and of angular momentum (about the centre of mass)
      in flight, relative to weight times duration, and to the larger of the initial value and 1 kg m^2/s. NaN without
      flight.
    - torque: largest torque across a joint that is not at a stop, relative to its hard limit. joint: its name.
    - stops: for each joint at its stop, the largest mean over 0.1 s of the torque of motor and stop, relative to the
      hard limit. The part above 100 is due to the stop.
    - cone: tangential impulse outside the friction cone, relative to the total.
    - separation of joints and depth of contact circles, mm.
    - slip, m: the longest of a link that carries load without interruption.
    - power, W/kg, over 0.05 s; impact, body weights, over 0.01 s; joint_speed, rad/s.
    """

    seconds: float
    residual: float
    momentum: float
    angular: float
    torque: float
    joint: str
    stops: dict[str, float]
    cone: float
    separation: float
    depth: float
    slip: float
    power: float
    impact: float
    joint_speed: float


def audit(recording: Recording, stop_s: float = STOP_S) -> Audit:
    """Return the quantities that follow from the states and contact forces; `stop_window` is the averaging time, s."""
    r, dt, character = recording, recording.dt, recording.character
    mass = np.array([link.mass for link in character.links])
    inertia = np.array([link.inertia for link in character.links])
    weight = mass.sum() * r.gravity
    seconds = len(r.contacts) * dt
    force, torques = inverse_dynamics(r)
    given = np.array([c[:, FX:].sum(axis=0) for c in r.contacts])
    ground = force.sum(axis=1)
    speeds = joint_speeds(r)
    share, name = motor_share(r, torques)
    power = np.maximum(torques * speeds, 0.0).sum(axis=1)
    momentum, angular = _flights(r, mass, inertia)
    return Audit(
        seconds=seconds,
        residual=100 * float(np.abs(ground - given).sum()) * dt / (weight * seconds),
        momentum=momentum,
        angular=angular,
        torque=100 * share,
        joint=name,
        stops={name: 100 * each for name, each in stop_shares(r, torques, stop_s).items()},
        cone=100 * beyond_the_cone(r),
        separation=1e3 * separation(r),
        depth=1e3 * depth(r),
        slip=slip(r),
        power=greatest_mean(power, POWER_S, dt) / float(mass.sum()),
        impact=greatest_mean(ground[:, 1], IMPACT_S, dt) / weight,
        joint_speed=float(np.abs(speeds).max(initial=0.0)),
    )


def separation(recording: Recording) -> float:
    """Return the distance between the two ends of a joint, m."""
    parent, child = anchors(recording)
    return float(np.hypot(*np.moveaxis(parent - child, -1, 0)).max(initial=0.0))


def beyond_the_cone(recording: Recording) -> float:
    """Return the tangential impulse outside the friction cone as a fraction of the total."""
    contacts = np.concatenate([np.zeros((0, 7)), *recording.contacts])
    normal = contacts[:, FX] * contacts[:, NX] + contacts[:, FY] * contacts[:, NY]
    along = np.abs(contacts[:, FX] * contacts[:, NY] - contacts[:, FY] * contacts[:, NX])
    beyond = np.maximum(along - recording.friction * np.maximum(normal, 0.0), 0.0)
    return float(beyond.sum() / along.sum()) if along.sum() > 0.0 else 0.0


def slip(recording: Recording) -> float:
    """Return the longest path of a link's contacts along the ground during uninterrupted load, m."""
    r = recording
    least = CARRIES * r.character.mass
    way, last, worst = np.zeros(len(r.character.links)), np.full(len(r.character.links), -np.inf), 0.0
    for n, contacts in enumerate(r.contacts):
        fastest: dict[int, float] = {}
        for c in contacts:
            if c[FX] * c[NX] + c[FY] * c[NY] > least:
                i = int(c[LINK])
                arm = c[X : Y + 1] - r.links[n, i, :2]
                _, _, _, vx, vy, spin = r.links[n + 1, i]
                speed = abs((vx + spin * arm[1]) * c[NY] - (vy - spin * arm[0]) * c[NX])
                fastest[i] = max(fastest.get(i, 0.0), float(speed))
        for i, speed in fastest.items():
            begun = (n - last[i]) * r.dt > LET_GO_S + 1e-9
            way[i], last[i] = (0.0 if begun else way[i]) + speed * r.dt, n
            worst = max(worst, float(way[i]))
    return worst


def _flights(recording: Recording, mass: Floats, inertia: Floats) -> tuple[float, float]:
    """Return the change of linear and angular momentum in flight not due to gravity, percent; NaN without flight."""
    r, weight = recording, mass.sum() * recording.gravity
    position, velocity, spin = r.links[:, :, :2], r.links[:, :, 3:5], r.links[:, :, 5]
    momentum = (mass[:, None] * velocity).sum(axis=1)
    centre, mean = (mass @ position) / mass.sum(), momentum / mass.sum()
    around = position - centre[:, None], velocity - mean[:, None]
    angular = (inertia * spin + mass * moment(*around)).sum(axis=1)
    worst = [(np.nan, np.nan)]
    for start, end in _runs(np.array([len(c) == 0 for c in r.contacts])):
        lasted = (end - start) * r.dt
        if lasted >= LEAST_FLIGHT_S:
            off = momentum[end] - momentum[start] + [0.0, weight * lasted]
            drift = np.abs(angular[start : end + 1] - angular[start]).max() / max(abs(angular[start]), 1.0)
            worst.append((100 * float(np.hypot(*off)) / (weight * lasted), 100 * float(drift)))
    return tuple(np.fmax.reduce(worst, axis=0).tolist())  # type: ignore[return-value]  # two columns


def _runs(mask: Floats) -> Iterator[tuple[int, int]]:
    edges = np.flatnonzero(np.diff(np.concatenate(([False], mask, [False])).astype(np.int8)))
    yield from zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True)


# --- recording ---


def record(simulation: Simulation, rollout: Rollout) -> tuple[Recording, Outcome]:
    """Run a rollout step by step; return its recording and the simulation's own measures."""
    s, execution = simulation, simulation.begin(rollout)
    states, contacts = [], []
    while (status := s.advance(execution, 1)) in GOES_ON:
        states.append(s._kin.link.copy())
        contacts.append(contacts_now(s))
    after = copy_arrays(s._kin)
    s._library.kernels.observe(s._world.data, after)
    recording = Recording(
        s.character,
        np.array([*states, after.link]),
        contacts,
        s.settings.dt,
        s.settings.gravity,
        s.terrain.friction,
        s.engine in STEPS_JOINTS,
        np.stack((s.terrain.x, s.terrain.y), axis=1),
    )
    return recording, s.end(execution, status)


def contacts_now(simulation: Simulation) -> Floats:
    """Return the contacts of the last step and their forces at the points where the engine applies them: (C, 7)."""
    n, found = int(simulation._contacts.filled[0]), simulation._contacts
    geometry = found.geometry[:n, :4].copy()
    if simulation.engine in STEPS_JOINTS:  # its points are halfway between the two surfaces
        geometry[:, :2] += 0.5 * found.geometry[:n, 4, None] * geometry[:, 2:]
    return np.hstack([found.link[:n, None], geometry, found.force[:n]])


def examples(
    evaluator: Evaluator, name: str, trials: int, seed: int, ways: int | None = None, stop_s: float = STOP_S
) -> Iterator[tuple[Audit, Outcome]]:
    """Audit examples of a node, entered from each of its usual predecessors.

    Predecessors that cannot be reached are left out.
    """
    project = evaluator.project
    for way in entries(project.graph, name)[:ways]:
        for begun, cycles in starts(evaluator, way, trials, seed):
            if isinstance(begun, Failed):
                print(f"{way.target}: {begun.reason}", file=sys.stderr)
                continue
            (segment,) = begun.plan.test
            rollout = project.rollout(segment.edge, segment.node, cycles, begun.simulation.preview)
            recording, outcome = record(begun.simulation, rollout)
            if not outcome.succeeded:
                print(f"{way.target}: {outcome.status}: {outcome.reason}", file=sys.stderr)
            if recording.contacts:
                yield audit(recording, stop_s), outcome


def worst_of(audits: Sequence[Audit]) -> Audit:
    """Return the largest value of each quantity; the joint is that of the largest torque."""
    names = [f.name for f in fields(Audit) if f.name not in ("joint", "stops")]
    worst = {name: float(np.fmax.reduce([getattr(each, name) for each in audits])) for name in names}
    stopped = sorted(set().union(*(each.stops for each in audits)))
    stops = {name: max(each.stops.get(name, 0.0) for each in audits) for name in stopped}
    return Audit(joint=max(audits, key=lambda each: each.torque).joint, stops=stops, **worst)


def count_of(outcomes: Iterable[Outcome]) -> SuccessCount:
    """Return how many of the examples satisfy the conditions of their node."""
    held = [outcome.succeeded for outcome in outcomes]
    return SuccessCount(sum(held), len(held))


COLUMNS = {
    "seconds": ("s", "{:.1f}"),
    "residual": ("residual, %", "{:.2f}"),
    "momentum": ("momentum, %", "{:.2f}"),
    "angular": ("angular, %", "{:.2f}"),
    "torque": ("torque, % of hard limit", "{:.0f}"),
    "joint": ("of", "{}"),
    "stops": ("stop, % of hard limit | of", "{0[0]} | {0[1]}"),
    "cone": ("beyond the cone, %", "{:.2f}"),
    "separation": ("joints apart, mm", "{:.2f}"),
    "depth": ("depth, mm", "{:.1f}"),
    "slip": ("slip, m", "{:.3f}"),
    "power": ("power, W/kg", "{:.1f}"),
    "impact": ("impact, weights", "{:.1f}"),
    "joint_speed": ("joint speed, rad/s", "{:.1f}"),
}


def row(title: str, found: Audit, held: SuccessCount) -> str:
    """Return a row of the table; missing quantities are dashes.

    If no example satisfies the conditions, the other columns are left empty: they would not describe the motion.
    """
    missed = held.successes < held.trials
    cells = [f"**{held.successes} of {held.trials}**" if missed else f"{held.successes} of {held.trials}"]
    for name, (_, form) in COLUMNS.items():
        value = stop_cells(found.stops) if name == "stops" else getattr(found, name)
        cells.append("-" if isinstance(value, float) and np.isnan(value) else form.format(value))
    return f"| {title} | {' | '.join(cells)} |"


HUMAN = {"power": "peak_power", "impact": "impact", "joint_speed": "peak_joint_speed"}
"""Human measures that have a column in the table."""


def human_rows() -> list[str]:
    """Return a row for each human motion that has a figure for one of the columns."""
    rows = []
    for title, motion in human_motions().items():
        known = {figure.measure: "{:g} to {:g}".format(*figure.range) for figure in motion.figures}
        cells = [known.get(HUMAN.get(name, ""), " | " if name == "stops" else "") for name in COLUMNS]
        if any(cell.strip(" |") for cell in cells):
            rows.append(f"| *human {title.replace('_', ' ')}* |  | {' | '.join(cells)} |")
    return rows


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("nodes", nargs="*", metavar="NODE")
    parser.add_argument("--engines", default="ode,mujoco")
    parser.add_argument("--trials", type=int, default=1)
    parser.add_argument("--ways", type=int, help="only from the first N predecessors in the graph")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--stop-window", type=float, default=STOP_S, help="s over which stops' torques are averaged")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--project", type=Path, default=Path(__file__).resolve().parent.parent)
    asked = parser.parse_args()
    rows: dict[str, dict[str, object]] = {}
    for engine in asked.engines.split(","):
        project = Project(asked.project, engine=engine)
        rows[engine] = {}
        if not asked.json:
            print(f"\n## {engine}\n\n{header(engine, str(asked.seed))}")
            print(f"| motion | held | {' | '.join(title for title, _ in COLUMNS.values())} |")
            print("| --- " * (len(COLUMNS) + 3) + "|")  # two stops per joint
        with Evaluator(project) as evaluator:
            for name in asked.nodes or project.graph.nodes:
                found = list(examples(evaluator, name, asked.trials, asked.seed, asked.ways, asked.stop_window))
                if found:
                    worst, held = worst_of([each for each, _ in found]), count_of(outcome for _, outcome in found)
                    rows[engine][name] = asdict(worst) | {"examples": held.trials, "held": held.successes}
                    if not asked.json:
                        print(row(name, worst, held), flush=True)
        if not asked.json:
            print(*human_rows(), sep="\n")
    if asked.json:
        print(json.dumps(_finite(rows), indent=1))
    return 0


def _finite(data: object) -> object:
    """Return NaN as None, because JSON has no NaN."""
    if isinstance(data, dict):
        return {name: _finite(value) for name, value in data.items()}
    return None if isinstance(data, float) and not np.isfinite(data) else data


if __name__ == "__main__":
    sys.exit(main())
