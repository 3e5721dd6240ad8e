"""A candidate is looked at, tried and learned on the engine that the project is on_mujoco to be simulated on."""

from __future__ import annotations

from typing import Any

from ctrlgraph.insertion.candidate_edges import CandidateEdges
from ctrlgraph.insertion.candidate_node import CandidateRequest, IntegrationRequest, find_candidate
from ctrlgraph.insertion.candidate_transitions import try_pairs
from ctrlgraph.insertion.probe import probe_endings
from ctrlgraph.insertion.scratch_project import staged
from ctrlgraph.insertion.transition_optimizer import learn_command
from ctrlgraph.learning.search import SearchPlan
from ctrlgraph.learning.transition import TransitionRequest
from ctrlgraph.project.project import Project
from ctrlgraph.robustness.worker_pool import WorkerPool


def test_a_candidate_node_is_tried_on_the_projects_engine(on_mujoco: Project) -> None:
    batches: list[Any] = []
    pool = WorkerPool(work=lambda batch: batches.append(batch) or [])
    (on_mujoco.directory / "controllers" / "nod.t").write_text(
        (on_mujoco.directory / "controllers" / "spring.t").read_text()
    )
    candidate, known = find_candidate(on_mujoco, CandidateRequest(script="controllers/nod.t", name="nod"))
    with staged(on_mujoco) as scratch:
        joined = CandidateEdges(on_mujoco, candidate, known, scratch)
        copy = joined.staged()
        assert copy.engine == "mujoco"  # workers read it from its directory
        probe_endings(copy, joined.graph, "nod", ["stand"], pool)
        try_pairs(copy, {("stand", "nod"): joined.ways_in("stand")}, 1, 1, pool)
    assert len(batches) >= 2
    assert {case.perturbations.engine for batch in batches for case in batch.problem.cases} == {"mujoco"}


def test_the_command_that_learns_an_edge_again_names_an_engine_that_is_not_the_projects() -> None:
    request, plan = TransitionRequest("a", "b"), SearchPlan(seed=3)
    effort = IntegrationRequest(CandidateRequest("b"), 4, 2)
    assert "--engine" not in learn_command(request, plan, effort)
    assert "--engine mujoco" in learn_command(request, plan, effort, "mujoco")
