"""A candidate in a case: it runs what a graph would run, and is compared with what is known to be good."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from sampling import slow

from ctrlgraph.learning.candidate import CandidateEvaluator
from ctrlgraph.learning.cost import LEARNING
from ctrlgraph.learning.learned_edges import joined_transition
from ctrlgraph.learning.problem import Case, LearnedTransition, Objective, Problem
from ctrlgraph.learning.scheduling import adapt, adapted_candidate, adapted_file
from ctrlgraph.learning.search_space import SearchSpace
from ctrlgraph.learning.transition import TransitionRequest, transition_problem
from ctrlgraph.project.project import Project
from ctrlgraph.robustness.evaluation_plan import evaluation_plan
from ctrlgraph.robustness.evaluator import Evaluator
from ctrlgraph.robustness.perturbation import Perturbations
from ctrlgraph.terrain.terrain import TerrainPreview

LEVEL = Perturbations()


def plain(project, *cases: Case, transition: LearnedTransition | None = None) -> Problem:
    """A problem without parameters."""
    return Problem(project.directory, SearchSpace(()), cases, Objective(LEARNING), transition)


def perturbed(**values: object) -> Perturbations:
    return LEVEL.with_values(values.items())


@pytest.mark.parametrize(
    "how",
    [
        LEVEL,
        perturbed(push=60.0, phase=0.3),
        *slow(
            perturbed(step=0.001),
            perturbed(mass=1.03, slope=2.0),
            perturbed(noise=0.05),
            perturbed(push=-40.0),
            perturbed(push=30.0, push_time=0.4, push_duration=1.5, delay=0.004, actuator_noise=0.01),
        ),
    ],
    ids=lambda how: ",".join(how.as_dict()) or "level",
)
def test_the_present_constants_do_what_a_robustness_trial_of_them_does(still, how):
    way = evaluation_plan(still.graph, "squat->stand")
    case = Case(way, how, seed=5)
    with Evaluator(still) as tried, Evaluator(still) as learned:
        expected = tried.run(way, how, np.random.default_rng(5))
        found = CandidateEvaluator(learned, plain(still, case)).run(case, {})
    assert (found.succeeded, found.reason) == (expected.recovered, expected.reason)
    if found.succeeded:
        assert found.simulated_s == expected.simulated_s


@pytest.mark.slow
def test_a_result_does_not_depend_on_what_was_tried_before(still):
    ways = [evaluation_plan(still.graph, "squat->stand"), evaluation_plan(still.graph, "stand->squat")]
    cases = [Case(way, how, 3) for way in ways for how in (LEVEL, perturbed(push=60.0, phase=0.5))]
    problem = plain(still, *cases)
    with Evaluator(still) as evaluator:
        candidate_evaluator = CandidateEvaluator(evaluator, problem)
        together = [candidate_evaluator.run(case, {}) for case in cases]
        again = [candidate_evaluator.run(case, {}) for case in reversed(cases)]
    assert together == again[::-1]
    for case, expected in zip(cases, together, strict=True):
        with Evaluator(still) as evaluator:
            assert CandidateEvaluator(evaluator, problem).run(case, {}) == expected


def test_how_far_a_failed_course_got_is_in_its_failure(still):
    case = Case(evaluation_plan(still.graph, "squat->spring", untried=True))
    with Evaluator(still, untried=True) as evaluator:
        found = CandidateEvaluator(evaluator, plain(still, case)).run(case, {})
    assert not found.succeeded and found.failed == "spring" and found.reached == 0 and found.stages == 2
    assert 10 < found.terms["failure"] < 20
    assert found.place.startswith("spring.t:")
    assert found.physics_s > 0


@pytest.mark.parametrize("target_cycles", [None, 1, 2])
@pytest.mark.parametrize("source_cycles", [0, 2])
@pytest.mark.parametrize("cycles", [1, 3])
def test_the_target_begins_where_its_phases_do(shipped, source_cycles, target_cycles, cycles):
    transition = LearnedTransition(
        "run", "walk", "stand->walk", source_cycles=source_cycles, target_cycles=target_cycles
    )
    program, _ = joined_transition(shipped, transition, cycles, {})
    parts = 2 if target_cycles is not None and cycles > target_cycles else 1
    own = parts * len(shipped.program("walk").phases)
    assert program.judged_from == (len(program.phases) - own if source_cycles else 0)


# The walk begins with a phase that only chooses how to go on. A program asks it in its first tick, a further cycle one
# tick later: cut into two parts, the walk is not the same to the bit.
@pytest.mark.parametrize(("target", "target_cycles"), [("walk", None), ("crouch_walk", None), ("crouch_walk", 1)])
def test_a_target_that_moves_as_it_usually_does_is_at_no_distance(shipped, target, target_cycles):
    way = evaluation_plan(shipped.graph, f"stand->{target}")
    transition = LearnedTransition("stand", target, way.target, target_cycles=target_cycles)
    case = Case(replace(way, test=(replace(way.test[0], cycles=3, edge=None),)))
    with Evaluator(shipped) as evaluator:
        found = CandidateEvaluator(evaluator, plain(shipped, case, transition=transition)).run(case, {})
    assert found.succeeded
    assert (found.terms["com"], found.terms["trunk"], found.terms["joints"]) == (0, 0, 0)


def test_what_is_before_the_target_is_not_compared(still):
    request = TransitionRequest("stand", "spring", bridge=1, numerics=False)
    problem, _ = transition_problem(still, request)
    with Evaluator(still, untried=True) as evaluator:
        candidate_evaluator = CandidateEvaluator(evaluator, problem)
        found = candidate_evaluator.run(problem.cases[0], {})
        reference = candidate_evaluator.reference(problem.cases[0].evaluation_plan, "ode")
    # the bridge from the stand to the stand changes little, and takes 0.4 s longer than the reference lasts
    assert found.succeeded and reference is not None
    assert found.terms["time"] > reference.step * len(reference.trunk) + 0.35
    assert found.terms["com"] < 1e-4


def test_a_transition_runs_its_ends_as_they_are_adapted_to_the_ground(small):
    program = small.program("spring")
    [index] = [i for i, source in enumerate(program.parameters) if source.role == "straighten time"]
    name = program.parameters[index].id
    adapt(small, "spring", {name: 0.5}, ("slope", 10.0), {})
    adapted = Project(small.directory)
    transition = LearnedTransition("stand", "spring", "stand->spring")
    on_slope, _ = joined_transition(adapted, transition, 1, {}, TerrainPreview(slope=10.0))
    assert on_slope.constants[index] == 0.5
    searched, _ = joined_transition(adapted, transition, 1, {"target": {name: 0.4}}, TerrainPreview(slope=10.0))
    assert searched.constants[index] == 0.4
    on_level, _ = joined_transition(adapted, transition, 1, {"target": {name: 0.12}}, TerrainPreview())
    assert on_level.constants[index] == 0.12


def test_an_adapted_node_is_tried_on_other_ground_as_it_will_run_there(small):
    program = small.program("spring")
    [index] = [i for i, parameter in enumerate(program.parameters) if parameter.role == "straighten time"]
    values = {program.parameters[index].id: 0.5}
    file = adapted_file(small, "spring", values, ("slope", 10.0), None)
    grounds = [TerrainPreview(slope) for slope in (-3.0, 0.0, 1.1, 3.7, 9.9, 9.999999999999998, 10.0, 12.0)]
    tried = [adapted_candidate(small, "spring", file, ground).constants.tolist() for ground in grounds]
    adapt(small, "spring", values, ("slope", 10.0), {})
    written = Project(small.directory)
    assert tried == [written.controller("spring", ground).constants.tolist() for ground in grounds]
    assert len({constants[index] for constants in tried}) == 5  # beyond the ends the last one applies
