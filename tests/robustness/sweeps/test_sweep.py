"""Sweeps count what says something: where nothing is drawn at random, one trial; and what a source says goes along."""

from __future__ import annotations

from dataclasses import replace

import stand_ins

from ctrlgraph.robustness.evaluation_plan import evaluation_plans, target_hashes
from ctrlgraph.robustness.sweeps.limit import find_limits
from ctrlgraph.robustness.sweeps.scenario import Limit, Scenario
from ctrlgraph.robustness.sweeps.summary import summarize
from ctrlgraph.robustness.sweeps.sweep import new_sweeps, run_sweeps
from ctrlgraph.robustness.worker_pool import WorkerPool
from ctrlgraph.statistics import SuccessCount

NOISY = Scenario(targets=("stand",), axes=(("noise", (0.0, 0.1)), ("slope", (0.0, 2.0))), trials=5)


def begun(project, store, scenario: Scenario):
    (sweep,) = new_sweeps(project, scenario, seed=3)
    store.begin(sweep)
    return sweep


def counts(trials) -> dict[float, int]:
    return {dict(point.point)["noise"]: point.trials for point in summarize(trials)}


def test_a_point_without_chance_has_one_trial_in_a_sweep_where_others_have_more(project, store) -> None:
    sweep = begun(project, store, NOISY)
    (result,) = run_sweeps(project, store, [sweep], WorkerPool(work=stand_ins.formula))
    assert (sweep.trials, counts(result.trials)) == (5, {0.0: 1, 0.1: 5})
    assert (result.complete, result.expected, result.simulated) == (True, 12, 12)
    (certain, *_) = summarize(result.trials)
    assert certain.count.interval == SuccessCount(1, 1).interval  # as little as one trial says


def test_a_push_of_nothing_is_the_same_at_every_moment() -> None:
    sweep = stand_ins.sweep(perturbations={})  # pushes of 0 and 50 N, at random moments
    assert list(sweep.trials_at(sweep.points()[:2]).values()) == [1, 4]


def test_such_a_sweep_goes_on_where_it_was_interrupted(project, store) -> None:
    sweep = begun(project, store, NOISY)
    done = []

    def interrupted(batch):
        if done:
            raise KeyboardInterrupt
        done.append(batch)
        return stand_ins.formula(batch)

    (half,) = run_sweeps(project, store, [sweep], WorkerPool(work=interrupted))
    assert half.interrupted and not half.complete and len(half.trials) == len(done[0].items)
    (whole,) = run_sweeps(project, store, [sweep], WorkerPool(work=stand_ins.formula))
    assert whole.complete and whole.simulated == whole.expected - len(half.trials)
    assert [(trial.point, trial.index) for trial in whole.trials] == list(sweep.items)


def test_the_undisturbed_value_of_a_limit_of_noise_has_one_trial(project, store) -> None:
    sweep = begun(project, store, Scenario(targets=("stand",), limit=Limit("noise", 0.5), trials=8))
    find_limits(project, store, [sweep], WorkerPool(work=stand_ins.formula))
    assert counts(store.trials(sweep.id))[0.0] == 1
    assert sweep.trials == 8


def test_a_sweep_keeps_what_the_scenario_says_about_it(project, store) -> None:
    begun(project, store, replace(NOISY, description="on slopes", source="somebody"))
    (kept,) = store.sweeps()
    assert (kept.description, kept.source) == ("on slopes", "somebody")


def test_the_hashes_of_a_sweep_are_those_of_its_target(project, store) -> None:
    sweep = begun(project, store, NOISY)
    assert dict(sweep.hashes) == target_hashes(project, evaluation_plans(project.graph, "stand"))
