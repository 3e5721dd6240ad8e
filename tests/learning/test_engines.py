"""Searches over several engines: every case on each, held-out ones too, and success reported for each."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.learning.candidate import CandidateEvaluator, CaseResult
from ctrlgraph.learning.cases import bases, reachable_on_each
from ctrlgraph.learning.cmaes import make_optimizer
from ctrlgraph.learning.cost import Score
from ctrlgraph.learning.learn import search_record
from ctrlgraph.learning.problem import Case, Objective, Problem
from ctrlgraph.learning.search import SearchPlan, SearchResult
from ctrlgraph.learning.search_space import SearchSpace
from ctrlgraph.learning.transition import TransitionRequest, held_out_cases, transition_problem
from ctrlgraph.learning.tuning import TuningRequest, held_out, tuning_problem
from ctrlgraph.learning.validation import Validation, worse_engine
from ctrlgraph.project.project import Project
from ctrlgraph.robustness.evaluation_plan import EvaluationPlan, evaluation_plan
from ctrlgraph.robustness.evaluator import Evaluator
from ctrlgraph.robustness.initial_state import Failed, InitialState
from ctrlgraph.robustness.perturbation import Perturbations
from ctrlgraph.simulation.environment import Environment
from ctrlgraph.simulation.outcome import Outcome, Status


def test_what_is_usual_is_known_for_each_engine(still: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ctrlgraph.learning.cases.Evaluator", Broken)
    way = evaluation_plan(still.graph, "squat->stand")
    problem = Problem(still.directory, SearchSpace(()), (Case(way),), Objective({"com": 1.0}))
    with Evaluator(still) as evaluator:
        candidate = CandidateEvaluator(evaluator, problem)
        usual = {engine: candidate.usual(way, engine) for engine in ("ode", "mujoco")}
        references = {engine: candidate.reference(way, engine) for engine in ("ode", "mujoco")}
        own = {engine: candidate.run(Case(way, Perturbations(engine=engine)), {}).terms["com"] for engine in usual}
    assert usual["ode"] != usual["mujoco"]
    assert references["ode"] is not None and references["mujoco"] is not None
    assert own == {"ode": 0.0, "mujoco": 0.0}  # each is compared with the motion on its own engine


TUNED = TuningRequest(
    "spring", groups=((("noise", (0.02,)),),), entries=1, noise_trials=1, quantities=("time",), seed=5
)


@pytest.mark.slow
def test_every_case_is_tried_on_each_engine_with_the_same_seeds(still: Project) -> None:
    alone, _ = tuning_problem(still, TUNED)
    both, left_out = tuning_problem(still, replace(TUNED, engines=("ode", "mujoco")))
    assert left_out == ()
    on_ode = [case for case in both.cases if case.perturbations.engine == "ode"]
    on_mujoco = [case for case in both.cases if case.perturbations.engine == "mujoco"]
    assert tuple(on_ode) == alone.cases
    assert [replace(case, perturbations=replace(case.perturbations, engine="ode")) for case in on_mujoco] == on_ode
    # unperturbed, with other numerics and masses, and with noise
    assert {tuple(case.perturbations.as_dict()) for case in on_ode} == {
        (),
        ("step",),
        ("quickstep",),
        ("mass",),
        ("noise",),
    }
    assert both.engines == ("ode", "mujoco")


@pytest.mark.slow
def test_a_search_over_other_engines_is_another_problem(still: Project) -> None:
    digests = {
        engines: tuning_problem(still, replace(TUNED, engines=engines))[0].digest
        for engines in ((), ("ode",), ("mujoco",), ("ode", "mujoco"))
    }
    assert digests[()] == digests["ode",]
    assert len(set(digests.values())) == 3


@pytest.mark.slow
def test_that_many_cases_are_held_out_on_each_engine(still: Project) -> None:
    request = replace(TUNED, engines=("ode", "mujoco"))
    problem, _ = tuning_problem(still, request)
    unseen = held_out(still, problem, request, trials=3, seed=9)
    assert [case.perturbations.engine for case in unseen] == ["ode"] * 3 + ["mujoco"] * 3
    assert [case.seed for case in unseen[:3]] == [case.seed for case in unseen[3:]]
    learned = TransitionRequest("stand", "spring", numerics=False, engines=("ode", "mujoco"))
    entries = held_out_cases(still, learned, trials=2, noise=0.02, seed=9)
    assert [case.perturbations.engine for case in entries] == ["ode"] * 2 + ["mujoco"] * 2
    assert {case.perturbations.engine for case in transition_problem(still, learned)[0].cases} == {"ode", "mujoco"}


class Broken(Evaluator):
    """An evaluator in which nothing can be entered on MuJoCo."""

    def entry(self, way: EvaluationPlan, environment: Environment) -> InitialState | Failed:
        if environment.engine == "mujoco":
            return Failed("stand", Outcome(Status.FAILED, "it fell", None, None, 1.0, 0.0, 0.0, ""))
        return super().entry(way, environment)


def test_an_engine_on_which_no_case_can_be_entered_is_said(still: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ctrlgraph.learning.cases.Evaluator", Broken)
    way = evaluation_plan(still.graph, "squat->stand")

    def chosen(base: Perturbations) -> list[Case]:
        return [Case(way, base)]

    kept, left_out = reachable_on_each(still, bases(Perturbations(), ("ode",)), chosen)
    assert (len(kept), left_out) == (1, ())
    with pytest.raises(CtrlGraphError) as caught:
        reachable_on_each(still, bases(Perturbations(), ("ode", "mujoco")), chosen)
    assert str(caught.value) == (
        "no case can be tested, because a node before the tested node fails: correct that node"
        " (squat->stand (1,1 cycles, engine=mujoco): before the test,"
        " stand: it fell)"
    )


def validation(**held: int) -> Validation:
    """Return a validation with these successes of twenty cases on each engine."""
    results = [
        CaseResult({}, "completed", "", "", int(i < count), 1, 1.0) for count in held.values() for i in range(20)
    ]
    return Validation(tuple(results), tuple(engine for engine in held for _ in range(20)))


def test_what_succeeds_is_reported_for_each_engine_by_itself() -> None:
    both = validation(ode=20, mujoco=7)
    assert both.sentence() == "27 of 40 (52-80 %) [ode 20 of 20 (84-100 %), mujoco 7 of 20 (18-57 %)]"
    assert both.as_dict()["engines"] == {
        "ode": {"trials": 20, "successes": 20, "low": 0.8389, "high": 1.0},
        "mujoco": {"trials": 20, "successes": 7, "low": 0.1812, "high": 0.5671},
    }
    assert "engines" not in validation(ode=20).as_dict()
    assert validation(ode=20).sentence() == "20 of 20 (84-100 %)"


def test_an_engine_that_loses_by_more_than_chance_is_named() -> None:
    before = validation(ode=20, mujoco=0)
    assert worse_engine(before, validation(ode=12, mujoco=20)) == "ode"
    assert worse_engine(before, validation(ode=18, mujoco=20)) is None  # two of twenty may be chance
    assert worse_engine(validation(ode=20), validation(ode=0)) is None  # the sum says it already


def test_the_record_of_a_search_names_its_engines(still: Project) -> None:
    problem, _ = tuning_problem(still, replace(TUNED, engines=("ode", "mujoco")))
    plan, score = SearchPlan(), Score(1.0, {}, 1, 1, 0, "", (1.0,))
    result = SearchResult(make_optimizer("1+1", [0.0], 1.0, seed=1), score, score, stopped="over")
    assert search_record(plan, result, problem, "ctrlgraph tune spring")["engines"] == ["ode", "mujoco"]
