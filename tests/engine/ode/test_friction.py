"""ODE's friction keeps to its cone: no contact rubs more than its normal force allows, and one that slides no less."""

from __future__ import annotations

import numpy as np
import pytest

from ctrlgraph.engine.ode.ode_settings import OdeSettings
from ctrlgraph.errors import SimulationError
from ctrlgraph.terrain.terrain import flat
from tests.engine.motions import place, stepped, thrashing

SHARE, LEAST, SLIP = 0.01, 1.0, 1e-4  # what counts as fitting: see ctrlgraph/engine/ode/contacts.py


def forces(simulation) -> tuple[np.ndarray, np.ndarray]:
    """Normal and tangential forces of the contacts of the step just taken, N."""
    n = simulation._contacts.filled[0]
    x, y = simulation._contacts.force[:n].T
    nx, ny = simulation._contacts.geometry[:n, 2:4].T
    return x * nx + y * ny, x * ny - y * nx


def slips(simulation) -> np.ndarray:
    """How fast the points of contact move along the level ground after the step, m/s."""
    n = simulation._contacts.filled[0]
    link, point = simulation._contacts.link[:n], simulation._contacts.geometry[:n, :2]
    lever = point - simulation._kin.link[link, :2]
    bodies = simulation._world.bodies()[link]
    return bodies[:, 19] - bodies[:, 24] * lever[:, 1]


def beyond(simulation, program, steps: int, friction: float) -> tuple[int, int, int]:
    """How many contacts there were, how many rubbed too much, and how many slid with too little friction."""
    found, too_much, too_little = 0, 0, 0
    for _ in stepped(simulation, program, steps):
        normal, along = forces(simulation)
        cone = friction * np.maximum(normal, 0.0)
        tolerance = SHARE * cone + LEAST + 1e-6
        found += len(normal)
        too_much += int((np.abs(along) > cone + tolerance).sum())
        too_little += int(((np.abs(along) < cone - tolerance) & (np.abs(slips(simulation)) > SLIP)).sum())
    return found, too_much, too_little


@pytest.mark.parametrize("friction", [0.3, 1.0])
@pytest.mark.parametrize("solver", ["exact", "quick"])
def test_every_contact_of_a_thrashing_body_keeps_to_its_cone(solver, friction, simulate, handmade) -> None:
    found, too_much, too_little = beyond(
        simulate(terrain=flat(friction), solver=solver), thrashing(handmade), 500, friction
    )
    assert found > 300
    # what ten passes leave: the few steps in which contacts take turns to slip
    assert too_much <= 0.01 * found
    # QuickStep leaves contacts creeping, whatever friction there is
    assert solver == "quick" or too_little <= 0.04 * found


def test_in_the_box_contacts_leave_their_cone(simulate, handmade) -> None:
    """The same measure finds what the setting is for."""
    found, too_much, too_little = beyond(simulate(friction="box"), thrashing(handmade), 500, 1.0)
    assert too_much > 0.1 * found and too_little > 0


def test_a_sliding_body_has_full_friction(simulate, handmade) -> None:
    friction = 0.4
    simulation = simulate(terrain=flat(friction))
    simulation.reset({"root": -1.5, "rHip": -0.2, "lHip": -0.2})
    simulation.run(handmade.program(), timeout=3.0)
    links = simulation._kin.link.copy()
    links[:, 3] = 3.0
    place(simulation, links)
    for _ in stepped(simulation, handmade.program(), 100):
        normal, along = forces(simulation)
        assert (slips(simulation) > 0.5).all()
        np.testing.assert_allclose(along, -friction * normal, rtol=SHARE, atol=LEAST)


def test_where_all_friction_fits_nothing_is_solved_again(simulate, handmade) -> None:
    """A body that stands still is simulated to the bit as in the box."""
    ends = set()
    for friction in ("cone", "box"):
        simulation = simulate(friction=friction)
        simulation.run(handmade.program(), timeout=0.2)
        assert simulation._contacts.filled[0] > 0
        ends.add(simulation.history_digest())
    assert len(ends) == 1


@pytest.mark.parametrize("solver", ["exact", "quick"])
def test_a_run_repeats_and_continues_from_a_snapshot_bit_for_bit(solver, simulate, handmade) -> None:
    program, digests = thrashing(handmade), []
    for _ in range(2):
        simulation = simulate(solver=solver)
        simulation.run(program, timeout=0.5)
        middle = simulation.snapshot()
        for _ in range(2):
            simulation.run(program, timeout=0.5)
            digests.append(simulation.history_digest())
            simulation.restore(middle)
    assert len(set(digests)) == 1


def test_there_are_only_two_sorts_of_friction() -> None:
    with pytest.raises(SimulationError, match=r"^the setting 'friction' must be cone or box, not 'pyramid'$"):
        OdeSettings(friction="pyramid")  # type: ignore[arg-type]
