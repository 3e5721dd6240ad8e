"""A joined program moves the character bit for bit as its parts do, run one after another."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from sampling import slow

from ctrlgraph.control.controller import Part
from ctrlgraph.control.script.sequence import sequence
from ctrlgraph.project.project import Project
from ctrlgraph.simulation.measures import Conditions, measure
from ctrlgraph.simulation.outcome import Status
from ctrlgraph.simulation.simulation import Push

SEQUENCES = {
    "a walk that stops": [("stand", 1), ("walk", 3), ("walk_to_stop", 1), ("stand", 2)],
    "calls in calls, and poses that end by being stable": [("stand", 1), ("squat", 1), ("rise", 1)],
    "a walk that is let fall": [("stand", 1), ("run", 2), ("supine", 1)],
}
SOLVERS = [{"solver": "exact"}, {"solver": "quick", "iterations": 100}]


def parts_of(project: Project, names: list[tuple[str, int]]) -> list[Part]:
    return [Part(project.program(name), cycles) for name, cycles in names]


@pytest.mark.parametrize("options", [SOLVERS[0], *slow(SOLVERS[1])], ids=["exact", "quick"])
@pytest.mark.parametrize("names", SEQUENCES.values(), ids=list(SEQUENCES))
def test_every_state_is_that_of_the_parts_run_one_after_another(project, simulate, names, options) -> None:
    parts = parts_of(project, names)
    apart, joined = simulate(seed=3, **options), simulate(seed=3, **options)
    for part in parts:
        assert apart.run(part.controller, cycles=part.cycles).status is Status.COMPLETED
    outcome = joined.run(sequence("joined", parts), timeout=60.0)
    assert outcome.status is Status.COMPLETED
    assert joined.history_digest() == apart.history_digest()
    assert joined.state_digest() == apart.state_digest()
    assert joined.time == apart.time


def test_changed_constants_of_one_part_change_the_motion_from_there_on(project, simulate) -> None:
    parts = parts_of(project, [("stand", 1), ("walk", 1), ("walk", 1)])
    plain, changed = simulate(), simulate()
    last = parts[2].controller
    lasting = next(i for i, source in enumerate(last.parameters) if source.id == "walk_step.t/0/after time/time")
    constants = last.constants.copy()
    constants[lasting] += 0.02
    plain.run(sequence("plain", parts))
    changed.run(sequence("changed", [*parts[:2], Part(last.with_constants(constants))]))
    alone = simulate()
    alone.run(sequence("before", parts[:2]))
    before = plain.trace.between(0.0, alone.time)
    assert alone.time < plain.time - 0.3
    assert (changed.trace.between(0.0, alone.time).position == before.position).all()
    assert changed.state_digest() != plain.state_digest()


def test_a_failure_is_reported_with_phase_and_line_of_its_part(project, simulate) -> None:
    parts = parts_of(project, [("stand", 1), ("walk", 2)])
    bounds: Conditions = {"com_height": (0.97, 2.0)}
    outcome = simulate().run(sequence("joined", parts), bounds=bounds)
    assert outcome.status is Status.FAILED
    assert outcome.place is not None and Path(outcome.place.path).name.startswith("walk")


def test_success_is_measured_from_the_first_judged_part_and_plausible_ranges_over_the_whole(project, simulate) -> None:
    walk, stop = parts_of(project, [("walk", 4), ("walk_to_stop", 1)])
    joined = sequence("joined", [replace(walk, judged=False), stop])
    simulation = simulate()
    simulation.run(project.program("stand"))
    outcome = simulation.run(joined, timeout=60.0, plausible={"slip": (0.0, 10.0), "flight": (0.9, 1.0)})
    whole, judged = simulation.last_trace, simulation.judged_trace
    assert judged.time[-1] == whole.time[-1] and judged.time[0] > whole.time[0] + 1.0
    assert outcome.measures["distance"] == judged.x[-1] - judged.x[0]
    on_whole, on_judged = (measure(trace, project.character, simulation.terrain) for trace in (whole, judged))
    assert outcome.measures["slip"] == on_whole["slip"] != on_judged["slip"]
    assert outcome.measures["flight"] == on_whole["flight"] and outcome.reason.startswith("flight ")


def test_a_fall_before_the_first_judged_part_is_a_failure(project, simulate) -> None:
    stand, prone = parts_of(project, [("stand", 1), ("prone", 1)])
    pushes = [Push(start=0.2, duration=0.3, link="uTorso", x=600.0)]
    judged, unjudged = (
        simulate(pushes=pushes).run(sequence("joined", [replace(stand, judged=each), prone]), timeout=20.0)
        for each in (True, False)
    )
    assert judged.status is Status.COMPLETED
    assert (unjudged.status, unjudged.fell) == (Status.FAILED, True)
    assert "fallen x 1.2" in unjudged.reason and "stand.t" in unjudged.reason
