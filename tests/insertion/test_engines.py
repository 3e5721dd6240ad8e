"""A candidate is looked at, tried and learned on the engine that the project is asked to be simulated on."""

from __future__ import annotations

from typing import Any

import pytest

from ctrlgraph.experiments.worker_pool import WorkerPool
from ctrlgraph.insertion.candidate_edges import CandidateEdges
from ctrlgraph.insertion.candidate_node import CandidateRequest, IntegrationRequest, find_candidate
from ctrlgraph.insertion.candidate_transitions import try_pairs
from ctrlgraph.insertion.probe import probe_endings
from ctrlgraph.insertion.scratch_project import staged
from ctrlgraph.insertion.transition_optimizer import learn_command
from ctrlgraph.optimization.search import SearchPlan
from ctrlgraph.optimization.transition import TransitionRequest
from ctrlgraph.project.project import Project


class Seen:
    """A work that simulates nothing and keeps what it was given."""

    def __init__(self) -> None:
        self.batches: list[Any] = []

    def __call__(self, batch: Any) -> list[Any]:
        self.batches.append(batch)
        return []

    @property
    def engines(self) -> set[str]:
        """The engines that the work was to be done on."""
        return {case.perturbations.engine for batch in self.batches for case in batch.problem.cases}


@pytest.fixture
def seen() -> Seen:
    return Seen()


@pytest.fixture
def asked(small: Project) -> Project:
    """The small project, asked to be simulated on MuJoCo."""
    return Project(small.directory, engine="mujoco")


def test_a_candidate_node_is_tried_on_the_projects_engine(asked: Project, seen: Seen) -> None:
    (asked.directory / "controllers" / "nod.t").write_text((asked.directory / "controllers" / "spring.t").read_text())
    candidate, known = find_candidate(asked, CandidateRequest(script="controllers/nod.t", name="nod"))
    with staged(asked) as scratch:
        joined = CandidateEdges(asked, candidate, known, scratch)
        copy = joined.staged()
        assert copy.engine == "mujoco"  # workers read it from its directory
        probe_endings(copy, joined.graph, "nod", ["stand"], WorkerPool(work=seen))
        try_pairs(copy, {("stand", "nod"): joined.ways_in("stand")}, 1, 1, WorkerPool(work=seen))
    assert len(seen.batches) >= 2 and seen.engines == {"mujoco"}


def test_the_command_that_learns_an_edge_again_names_an_engine_that_is_not_the_projects() -> None:
    request, plan = TransitionRequest("a", "b"), SearchPlan(seed=3)
    effort = IntegrationRequest(CandidateRequest("b"), 4, 2)
    assert "--engine" not in learn_command(request, plan, effort)
    assert "--engine mujoco" in learn_command(request, plan, effort, "mujoco")
