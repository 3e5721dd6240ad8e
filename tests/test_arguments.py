"""Wrong arguments of the public face are errors that say what to pass."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from ctrlgraph import CtrlGraphError, Edge, Node, Project, Push, Simulation, Trace


@pytest.fixture(scope="module")
def simulation(project: Project) -> Any:
    with Simulation(project.character) as simulation:
        yield simulation


PUSH = Push(start=0.1, duration=0.1, link="pelvis", x=10)
TYPE_ERRORS: list[tuple[str, Callable[[Project, Simulation], object], str]] = [
    (
        "the name of a node for a controller",
        lambda project, simulation: simulation.run("stand"),  # type: ignore[arg-type]
        "Simulation.run(): 'controller' must be a Controller, not the str 'stand'; pass project.controller('stand')",
    ),
    (
        "a single push",
        lambda project, simulation: Simulation(project.character, pushes=PUSH),  # type: ignore[arg-type]
        "Simulation(): 'pushes' must be a list or tuple of Push or SpatialPush,"
        " not the Push Push(start=0.1, duration=0.1...lvis', x=10, y=0.0, side=0.0);"
        " pass [Push(start=1, duration=0.1, link='pelvis', x=200)]",
    ),
    (
        "words for a terrain",
        lambda project, simulation: Simulation(project.character, "slope=3"),  # type: ignore[arg-type]
        "Simulation(): 'terrain' must be a Terrain or a SpatialTerrain or None, not the str 'slope=3';"
        " pass parse_terrain('slope=3')",
    ),
    (
        "None for a node",
        lambda project, simulation: project.controller(None),  # type: ignore[arg-type]
        "Project.controller(): 'node' must be a Node or a string, not None; pass project.graph.node(NODE)",
    ),
    (
        "text for a number",
        lambda project, simulation: simulation.run(project.controller("stand"), timeout="5"),  # type: ignore[arg-type]
        "Simulation.run(): 'timeout' must be a number, not the str '5'",
    ),
    (
        "a number for a range",
        lambda project, simulation: simulation.run(project.controller("stand"), success={"torso": 1}),  # type: ignore[dict-item]
        "Simulation.run(): 'success' must be a dict of strings and (a number, a number) or None,"
        " not the dict {'torso': 1}",
    ),
    (
        "a link by its number",
        lambda project, simulation: Push(0, 0.1, 3, 100),  # type: ignore[arg-type]
        "Push(): 'link' must be a string, not the int 3",
    ),
]


@pytest.mark.parametrize(("what", "call", "message"), TYPE_ERRORS, ids=[case[0] for case in TYPE_ERRORS])
def test_an_argument_of_a_wrong_type_says_what_to_pass(
    what: str, call: Callable[..., object], message: str, project: Project, simulation: Simulation
) -> None:
    with pytest.raises(TypeError) as caught:
        call(project, simulation)
    assert str(caught.value) == message


@pytest.mark.parametrize("rate", [0, -1, float("nan")])
def test_a_sample_rate_out_of_range_is_refused(rate: float, project: Project) -> None:
    with pytest.raises(CtrlGraphError, match="the sample rate must be 1 to 100000 samples per second"):
        Simulation(project.character, sample_rate=rate)


def test_numbers_of_numpy_and_lists_for_tuples_are_taken(project: Project) -> None:
    pushes = [Push(np.float32(0.1), np.float64(0.1), "pelvis", np.int64(10))]
    with Simulation(project.character, pushes=pushes, seed=np.int64(3)) as simulation:  # type: ignore[arg-type]
        assert simulation.run(project.controller("stand"), timeout=np.float64(0.1)).simulated_s > 0
    assert Node("a", "a.t", cycles=[1, 2]).cycles == [1, 2]  # type: ignore[arg-type]


def test_functions_and_classes_keep_their_names_and_documentation() -> None:
    assert Simulation.run.__qualname__ == "Simulation.run" and Simulation.run.__doc__
    assert Trace.between.__name__ == "between"
    assert str(Edge("a", "b")) == "a -> b"


def test_an_iterator_is_not_taken_for_a_list(project: Project) -> None:
    with pytest.raises(TypeError, match="'pushes' must be a list or tuple of Push or SpatialPush, not the generator"):
        Simulation(project.character, pushes=(push for push in (PUSH,)))  # type: ignore[arg-type]
