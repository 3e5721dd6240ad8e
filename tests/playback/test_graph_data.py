"""Graph data for browsers."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from ctrlgraph.playback.graph_data import graph_of
from ctrlgraph.project.project import Project

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.slow
def test_a_graph_ends_where_its_outermost_nodes_and_edges_end() -> None:
    """Control points of curves, which are far outside, do not count."""
    graph = graph_of(Project(ROOT).graph)
    corners = [[(n["x"] + s * n["width"], n["y"] + s * n["height"]) for s in (-1, 1)] for n in graph["nodes"]]
    reached = [np.array(corners).reshape(-1, 2)]
    beyond = 0
    u = np.linspace(0.0, 1.0, 200)[:, None]
    for edge in graph["edges"]:
        points = np.array([float(each) for each in re.findall(r"-?[\d.]+", edge["path"])]).reshape(-1, 2)
        beyond += ((points < 0) | (points > (graph["width"], graph["height"]))).any()
        points = points[:, None]
        while len(points) > 1:  # de Casteljau
            points = points[:-1] * (1 - u) + points[1:] * u
        reached.append(points[0])
    every = np.concatenate(reached)
    assert beyond > 10  # otherwise the test is void
    np.testing.assert_allclose(every.min(axis=0), (0, 0), atol=1.0)
    np.testing.assert_allclose(every.max(axis=0), (graph["width"], graph["height"]), atol=1.0)
