"""Cases: the situations in which candidates are tried, and the others in which what was found is judged."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.graph.reader import parse_graph
from ctrlgraph.learning.cases import between, cases, entry_plans, grid, paired, reachable, with_cycles
from ctrlgraph.learning.evaluation import with_cases
from ctrlgraph.learning.problem import Case, Objective, Problem
from ctrlgraph.learning.search_space import SearchSpace
from ctrlgraph.learning.transition import TransitionRequest, held_out_cases, transition_plans, transition_problem
from ctrlgraph.learning.tuning import HELD_OUT, TuningRequest, held_out, tuning_problem
from ctrlgraph.project.project import Project
from ctrlgraph.robustness.evaluation_plan import evaluation_plan
from ctrlgraph.robustness.evaluator import Evaluator
from ctrlgraph.robustness.perturbation import Perturbations, perturbations

LEVEL = Perturbations()
PUSHES = (("push", (-40.0, 40.0)), ("phase", (0.0, 0.4)))


def test_a_node_is_entered_over_every_planned_edge_after_short_and_long_runs_of_a_gait(shipped):
    ways = entry_plans(shipped.graph, "walk", 3)
    sources = [edge.source for edge in shipped.graph.edges if edge.planned and edge.target == "walk" != edge.source]
    assert {way.setup[-1].node for way in ways} == set(sources) > {"crouch_walk", "stand"}
    low, high = shipped.graph.node("crouch_walk").cycles
    runs = [way for way in ways if way.setup[-1].node == "crouch_walk"]
    assert [way.setup[-1].cycles for way in runs] == [low, (low + high) // 2, high]
    # long after a short start, short after a long one
    assert [way.test[0].cycles for way in runs] == sorted((way.test[0].cycles for way in runs), reverse=True)


def test_only_the_sources_that_are_named_count(shipped):
    assert {way.setup[-1].node for way in entry_plans(shipped.graph, "walk", 2, ["skip"])} == {"skip"}
    with pytest.raises(CtrlGraphError, match="no naive or learned edge leads from 'squat' to 'walk'"):
        entry_plans(shipped.graph, "walk", 2, ["squat"])


def test_what_has_no_cycles_has_one_entry(still):
    assert len(with_cycles(still.graph, evaluation_plan(still.graph, "squat->stand"), 5)) == 1


def test_a_grid_combines_within_a_group_and_not_between_groups():
    found = grid([PUSHES, (("slope", (-2.0, 2.0)),)], LEVEL)
    assert found[0] == LEVEL and len(found) == 1 + 4 + 2 == len(set(found))
    assert all(perturbations.slope == 0 or perturbations.push == 0 for perturbations in found)


def test_each_route_is_tried_unperturbed_and_each_perturbation_on_a_route(still):
    ways = entry_plans(still.graph, "spring", 1)
    hows = grid([(("slope", (-2.0, 2.0)),), (("noise", (0.02,)),)], LEVEL)
    found = cases(ways, hows, numerics=False, noise_trials=3, seed=1)
    assert {(case.evaluation_plan, case.perturbations) for case in found} == {
        *((way, LEVEL) for way in ways),
        *((ways[0], h) for h in hows),
    }
    assert len({case.seed for case in found}) == len(found)
    with_numerics = cases(ways, hows, numerics=True, seed=1)
    assert {case.perturbations.step for case in with_numerics} == {0.002, 0.001}
    assert {case.perturbations.quickstep for case in with_numerics} == {0, 50}
    assert {case.perturbations.mass for case in with_numerics} == {0.97, 1, 1.03}


def test_seeds_are_children_of_the_searchs_seed(still):
    ways, hows = entry_plans(still.graph, "spring", 1), [LEVEL, LEVEL.with_value("noise", 0.02)]
    one, again, other = (cases(ways, hows, seed=seed) for seed in (1, 1, 2))
    assert one == again
    assert not {case.seed for case in one} & {case.seed for case in other}


def test_cases_that_cannot_be_entered_are_left_out_with_the_reason(still):
    way = evaluation_plan(still.graph, "squat->stand")
    good, bad = Case(way), Case(way, LEVEL.with_value("friction", 0.0).with_value("slope", 20.0))
    with Evaluator(still) as evaluator:
        kept, left_out = reachable(evaluator, [good, bad])
        assert kept == (good,)
        assert len(left_out) == 1 and "slope=20" in left_out[0] and "before the test, stand" in left_out[0]
        with pytest.raises(CtrlGraphError, match="no case can be tested"):
            reachable(evaluator, [bad])


# --- held-out cases ---


@given(st.integers(1, 7), st.integers(1, 7))
def test_in_a_round_every_route_meets_every_perturbation_once(still, evaluation_plans, hows):
    way = evaluation_plan(still.graph, "squat->stand")
    ways = [replace(way, target=str(i)) for i in range(evaluation_plans)]
    perturbed = [LEVEL.with_value("slope", float(i)) for i in range(hows)]
    found = list(itertools.islice(paired(ways, perturbed), 2 * evaluation_plans * hows))
    assert set(Counter((w.target, perturbations.slope) for w, perturbations in found).values()) == {2}
    first = found[: max(evaluation_plans, hows)]
    assert (
        len({w.target for w, _ in first}) == evaluation_plans
        and len({perturbations for _, perturbations in first}) == hows
    )


def test_held_out_values_lie_between_those_of_the_axes():
    assert between([(("slope", (-8.0, -4.0, 0.0, 4.0)),)]) == ((("slope", (-6.0, -2.0, 2.0)),),)


def test_a_push_of_either_side_stays_on_its_side():
    [[(_, pushes), (_, phases)]] = between([PUSHES])
    assert pushes == (-40.0, 40.0) and phases == (0.2,)
    assert between([(("mass", (0.9, 1.1)),)]) == ((("mass", (0.9, 1.1)),),)


def test_no_held_out_case_of_tuning_is_one_of_the_search(still):
    request = TuningRequest(
        "spring", groups=(PUSHES, (("slope", (-2.0, 0.0, 2.0)),)), entries=2, numerics=False, seed=7
    )
    problem, _ = tuning_problem(still, request)
    found = held_out(still, problem, request, trials=12, seed=request.seed + HELD_OUT)
    assert len(found) == 12
    searched = {(case.evaluation_plan, case.perturbations) for case in problem.cases if not case.perturbations.drawn}
    assert not searched & {(case.evaluation_plan, case.perturbations) for case in found}
    assert not {case.seed for case in problem.cases} & {case.seed for case in found}
    assert len(
        {(case.evaluation_plan, case.perturbations, case.perturbations.drawn and case.seed) for case in found}
    ) == len(found)
    assert {case.perturbations.slope for case in found} > {-1.0, 1.0} and any(case.perturbations.push for case in found)
    # between the values that were searched, and with noise, each by itself
    assert {bool(case.perturbations.noise) for case in found} == {False, True}


def test_where_every_case_has_noise_there_are_held_out_cases_all_the_same(still):
    request = TuningRequest("spring", fixed=Perturbations(noise=0.02), entries=1, numerics=False, seed=3)
    problem, _ = tuning_problem(still, request)
    assert len(held_out(still, problem, request, trials=4, seed=9)) == 4


def test_no_held_out_case_of_a_transition_is_one_of_the_search(still):
    request = TransitionRequest("squat", "spring", groups=(PUSHES,), numerics=False, seed=7)
    problem, _ = transition_problem(still, request)
    found = held_out_cases(still, request, trials=10, noise=0.02, seed=request.seed + HELD_OUT)
    assert len(found) == 10 and all(case.perturbations.noise == 0.02 for case in found)
    assert not set(problem.cases) & set(found)
    assert not {case.seed for case in problem.cases} & {case.seed for case in found}
    assert {case.perturbations.push for case in found} == {0.0, -40.0, 40.0}


def test_held_out_entries_are_shaken_as_much_as_was_asked_for(still):
    request = TransitionRequest("squat", "spring", groups=((("noise", (0.01, 0.05)),),), numerics=False, seed=7)
    found = held_out_cases(still, request, trials=12, noise=0.02, seed=5)
    assert {case.perturbations.noise for case in found} == {0.02, 0.03}  # never below 0.02; between those of the search


@pytest.fixture
def hilly(shipped):
    """The shipped project, where only the edge from the crouched walk to the stop is bound to a ground."""
    project = Project(shipped.directory)
    text = re.sub(r", ground: {[^}]*}", "", (project.directory / "graph.yaml").read_text())
    text = re.sub(r"(from: crouch_walk, to: walk_to_stop[^}]*)}", r"\1, ground: {slope: [-1, 9]}}", text)
    project.graph = parse_graph(text)
    return project


def test_a_case_is_left_over_edges_that_are_for_its_ground(hilly):
    way = evaluation_plan(hilly.graph, "crouch_walk")
    asked = [Case(way, perturbations({"slope": slope})) for slope in (0.0, -4.0)]
    with Evaluator(hilly, untried=True) as evaluator:
        kept, _ = reachable(evaluator, asked)
    assert [case.evaluation_plan.recovery[0].node for case in kept] == ["walk_to_stop", "tiptoe_walk"]


@pytest.mark.slow
def test_held_out_entries_take_every_number_of_cycles(shipped):
    request = TransitionRequest("walk", "walk_to_stop", source_cycles=1, entries=2, numerics=False)
    searched = {way.setup[-1].cycles for way in transition_plans(shipped, request)}
    found = held_out_cases(shipped, request, trials=6, noise=0.02, seed=5)
    low, high = shipped.graph.node("walk").cycles
    assert {case.evaluation_plan.setup[-1].cycles for case in found} == set(range(low, high + 1)) > searched


def test_cases_on_other_ground_are_hashed_by_their_own_nodes(hilly):
    way = evaluation_plan(hilly.graph, "crouch_walk")
    with Evaluator(hilly, untried=True) as evaluator:
        level, hill = (reachable(evaluator, [Case(way, perturbations({"slope": s}))])[0] for s in (0.0, -4.0))
    problem = Problem(hilly.directory, SearchSpace(()), level, Objective({}))
    found = [set(with_cases(hilly, problem, each).hashes) for each in (level, hill)]
    assert "node walk_to_stop" in found[0] and "node walk" not in found[0]
    assert "node tiptoe_walk" in found[1]
