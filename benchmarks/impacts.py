"""Analyse the impact of gaits: ground reactions averaged over longer times, and on softer contacts.

    python benchmarks/impacts.py [NODE]... [--trials N] [--ways N] [--seed S]

Each node is entered and recorded as in benchmarks/audit.py, with ODE's usual contacts and with contacts that act as a
spring and a damper (`contact_erp`, `contact_cfm`) of several stiffnesses. A row has the number of successful examples;
the medians of the largest vertical reaction over each averaging time, in body weights; the depth of the deepest
contact; and for the link with the largest reaction, the time since its touchdown and the vertical speed of its contact
at touchdown. The last columns are the largest joint speed and the speed of that joint one step earlier.
"""

from __future__ import annotations

import argparse
import dataclasses
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.audit import record
from benchmarks.inverse_dynamics import FY, LINK, Recording, X, Y, joint_speeds
from benchmarks.stops import depth, greatest_mean
from ctrlgraph.engine.ode.ode_settings import OdeSettings
from ctrlgraph.engine.world_settings import WorldSettings
from ctrlgraph.project.project import Project
from ctrlgraph.robustness.evaluator import Evaluator
from ctrlgraph.robustness.examples import entries, starts
from ctrlgraph.robustness.initial_state import Failed

ROOT = Path(__file__).resolve().parents[1]
WINDOWS_S = (0.002, 0.01, 0.02, 0.03, 0.05)
NEAR = 0.05  # m: contacts of a link that are closer together belong to the same end
PADS: dict[str, tuple[float, float] | None] = {
    "as they are": None,
    "1000 kN/m, 3 kN s/m": (1e6, 3e3),
    "200 kN/m, 1 kN s/m": (2e5, 1e3),
}
"""Stiffness, N/m, and damping, N s/m, of each contact circle."""


def softened(stiffness: float, damping: float, dt: float) -> dict[str, float]:
    """Return ODE's settings for contacts that act as a spring and a damper (ODE manual, section 3.8.2)."""
    return {"contact_erp": dt * stiffness / (dt * stiffness + damping), "contact_cfm": 1.0 / (dt * stiffness + damping)}


def reaction(recording: Recording) -> np.ndarray:
    """Return the vertical force of all contacts in each step (n,), in body weights."""
    weight = recording.character.mass * recording.gravity
    return np.array([contacts[:, FY].sum() for contacts in recording.contacts]) / weight


def strike(recording: Recording) -> tuple[float, float]:
    """Return the time since touchdown, s, and the vertical speed at touchdown, m/s.

    Both belong to the contact that carries most of the largest reaction.
    """
    n = int(reaction(recording).argmax())
    contacts = recording.contacts[n]
    hit = contacts[contacts[:, FY].argmax()]
    link, first = int(hit[LINK]), n
    where = _local(recording, n, hit)
    while any(abs(_local(recording, first - 1, c) - where) < NEAR for c in _of(recording, first - 1, link)):
        first -= 1
    x, _, _, _, vy, spin = recording.links[first, link]
    begun = first
    while len(_of(recording, begun - 1, link)):
        begun -= 1
    return (n - begun) * recording.dt, float(spin * (hit[X] - x) - vy)


def fastest(recording: Recording) -> tuple[float, float]:
    """Return the largest speed of a joint, and that of the same joint one step earlier, rad/s."""
    speeds = np.abs(joint_speeds(recording))
    n, j = np.unravel_index(speeds[1:].argmax(), speeds[1:].shape)
    return float(speeds[n + 1, j]), float(speeds[n, j])


def _of(recording: Recording, step: int, link: int) -> np.ndarray:
    contacts = recording.contacts[step] if step >= 0 else recording.contacts[0][:0]
    return np.asarray(contacts[contacts[:, LINK] == link])


def _local(recording: Recording, step: int, contact: np.ndarray) -> float:
    """Return the forward position of a contact on its link, m."""
    x, y, angle, *_ = recording.links[step, int(contact[LINK])]
    return float((contact[X] - x) * np.cos(angle) - (contact[Y] - y) * np.sin(angle))


def measured(node: str, trials: int, ways: int, seed: int) -> str:
    """Return the cells of a row."""
    with Evaluator(Project(ROOT, engine="ode")) as evaluator:
        found, held = [], 0
        for way in entries(evaluator.project.graph, node)[:ways]:
            for begun, cycles in starts(evaluator, way, trials, seed):
                if isinstance(begun, Failed):
                    continue
                (segment,) = begun.plan.test
                rollout = evaluator.project.rollout(segment.edge, segment.node, cycles, begun.simulation.preview)
                recording, outcome = record(begun.simulation, rollout)
                held += outcome.succeeded
                means = [greatest_mean(reaction(recording), window, recording.dt) for window in WINDOWS_S]
                since, speed = strike(recording)
                found.append([*means, 1e3 * depth(recording), 1e3 * since, speed, *fastest(recording)])
    if not found:
        return "none could be entered |" + " |" * (len(WINDOWS_S) + 5)
    *means, deep, since, speed, joint, before = np.median(found, axis=0)
    shown = " | ".join(f"{mean:.1f}" for mean in means)
    return f"{held} of {len(found)} | {shown} | {deep:.1f} | {since:.0f} | {speed:.2f} | {joint:.1f} | {before:.1f} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("nodes", nargs="*", default=["walk", "run"], metavar="NODE")
    parser.add_argument("--trials", type=int, default=1)
    parser.add_argument("--ways", type=int, default=2, help="only from the first N predecessors in the graph")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    completed = WorldSettings.completed.__func__  # type: ignore[attr-defined]
    windows = " | ".join(f"{1e3 * window:.0f} ms" for window in WINDOWS_S)
    print(
        f"| motion | contacts | held | {windows} | depth, mm | since touchdown, ms "
        "| came down with, m/s | joint speed, rad/s | a step before |"
    )
    print("| --- " * (len(WINDOWS_S) + 8) + "|")
    for name, pad in PADS.items():

        def changed(kind: Any, settings: WorldSettings, pad: tuple[float, float] | None = pad) -> Any:
            found = completed(kind, settings)
            return found if pad is None else dataclasses.replace(found, **softened(*pad, found.dt))

        OdeSettings.completed = classmethod(changed)  # type: ignore[method-assign, assignment]
        for node in given.nodes:
            row = measured(node, given.trials, given.ways, given.seed)
            print(f"| {node} | {name} | {row}", flush=True)


if __name__ == "__main__":
    main()
