"""The time of a simulation step."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.step import benchmark, default_nodes
from ctrlgraph.graph.model import ControllerGraph, Node
from ctrlgraph.project.project import Project

PROJECT = Project(Path(__file__).resolve().parents[1])


def test_a_gait_is_timed_to_the_end_of_the_time_and_a_stunt_to_its_own_end() -> None:
    stand, hop = benchmark(PROJECT, ["stand", "hop"], seconds=3.0, repetitions=3)
    assert stand.steps == 1500
    assert 200 < hop.steps < 1500
    assert stand.realtime == pytest.approx(0.002 / (1e-6 * stand.step_us))
    assert stand.ratio > 0.0


def test_without_names_the_usual_nodes_are_those_that_the_graph_has() -> None:
    assert default_nodes(PROJECT.graph) == ("walk", "hop", "stand")
    assert default_nodes(_graph("lie", "roll", "stand", "kip")) == ("stand",)
    assert default_nodes(_graph("lie", "roll", "kip", "rest")) == ("lie", "roll", "kip")


def _graph(*names: str) -> ControllerGraph:
    nodes = [Node(name, f"{name}.t") for name in names]
    return ControllerGraph(character="ball", start=names[0], nodes=nodes, edges=())
