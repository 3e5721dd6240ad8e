"""The same question on several engines: what counts as a difference, and which failure explains it."""

from __future__ import annotations

import stand_ins

from ctrlgraph.robustness.sweeps.engine_comparison import compare_engines, engines_of
from ctrlgraph.robustness.sweeps.sweep_log import Sweep
from ctrlgraph.simulation.trial import Trial
from ctrlgraph.statistics import SuccessCount, fisher_p


def asked(engine: str = "ode", target: str = "stand->squat", noise: float = 0.1, **changes) -> Sweep:
    given = ({"noise": noise} if noise else {}) | ({} if engine == "ode" else {"engine": engine})
    return stand_ins.sweep(id=f"{target} {engine}", target=target, axes=(), trials=20, perturbations=given, **changes)


def trials(*failures: tuple[str, int], of: int = 20, target: str = "stand->squat", **changes) -> list[Trial]:
    """So many trials; those of each failure first, with its reason."""
    reasons = [reason for reason, count in failures for _ in range(count)]
    values = {"phase": 2, "script": "controllers/squat.t", "line": 7} | changes

    def trial(i: int) -> Trial:
        fails = i < len(reasons)
        status, reason = ("failed", reasons[i]) if fails else ("completed", "")
        return Trial(target, (), i, i, not fails, not fails, status, reason, simulated_s=1.0, **values)

    return [trial(i) for i in range(of)]


LOW = ("com_height {} is below 0.45", "hands_contact {} is below 2")


def test_engines_that_do_the_same_do_not_differ() -> None:
    [row] = compare_engines([(asked(), trials()), (asked("mujoco"), trials())])
    assert row.counts == {"ode": SuccessCount(20, 20), "mujoco": SuccessCount(20, 20)}
    assert (row.differs, row.worst, row.first, row.p) == (False, None, None, 1.0)


def test_a_difference_is_reported_by_what_fails_on_the_worst_engine() -> None:
    one = [(LOW[1].format(i % 2), 1) for i in range(12)]  # the numbers in a reason do not make it another one
    [row] = compare_engines([(asked(), trials()), (asked("mujoco"), trials(*one, (LOW[0].format(0.4), 3)))])
    assert row.differs and row.p == row.adjusted == fisher_p(SuccessCount(20, 20), SuccessCount(5, 20))
    assert (row.worst, row.failing) == ("mujoco", 12)
    assert row.first is not None
    assert row.first.sentence == "squat: hands_contact is below 2"
    assert row.first.place == "phase 2, controllers/squat.t:7"


def test_what_fails_on_both_is_not_what_differs() -> None:
    both, own = (LOW[0].format(0.4), 8), (LOW[1].format(0), 6)
    [row] = compare_engines([(asked(), trials(both)), (asked("mujoco"), trials(both, own))])
    assert row.first is not None and row.first.sentence == "squat: hands_contact is below 2"


def test_what_fails_on_the_way_or_afterwards_names_its_own_node() -> None:
    way = "on the way, stand failed: torso 1.3 is above 0.3"
    [row] = compare_engines([(asked("mujoco"), trials()), (asked(), trials((way, 20)))])
    assert row.worst == "ode" and row.first is not None
    assert row.first.sentence == "on the way, stand failed: torso is above 0.3"
    after = [
        Trial("stand->squat", (), i, i, True, False, "completed", "then stand failed: torso 1.3 is above 1", 2,
              "controllers/squat.t", 7, 1.0)
        for i in range(20)
    ]  # fmt: skip
    [row] = compare_engines([(asked(), trials()), (asked("mujoco"), after)])
    assert row.first is not None
    assert (row.first.sentence, row.first.place) == ("then stand failed: torso is above 1", "")


def test_where_nothing_is_drawn_a_difference_is_certain_and_not_tested() -> None:
    pairs = [(asked(noise=0.0), trials(of=1)), (asked("mujoco", noise=0.0), trials((LOW[1].format(1), 1), of=1))]
    [row] = compare_engines(pairs)
    assert row.certain and row.differs and row.p is None and row.adjusted is None
    assert row.first is not None and row.failing == 1


def test_many_questions_are_tested_together() -> None:
    five = (LOW[0].format(0.4), 5)
    alone = [(asked(), trials()), (asked("mujoco"), trials(five))]
    assert compare_engines(alone)[0].differs  # p = 0.047
    targets = [f"stand->{name}" for name in "abcdefg"]
    same = [(asked(e, target=t), trials(target=t)) for t in targets for e in ("ode", "mujoco")]
    first, *others = compare_engines([*alone, *same])
    assert first.adjusted is not None and first.p is not None and first.adjusted > 5 * first.p
    assert not first.differs and not any(row.differs for row in others)


def test_only_the_same_question_about_the_same_scripts_is_compared() -> None:
    mine = (asked(), trials())
    assert compare_engines([mine]) == []
    assert compare_engines([mine, (asked("mujoco", noise=0.2), trials())]) == []
    assert compare_engines([mine, (asked("mujoco", target="squat"), trials(target="squat"))]) == []
    assert compare_engines([mine, (asked("mujoco", hashes={"node squat": "another"}), trials())]) == []


def test_a_third_engine_is_compared_with_the_first_and_counts_as_a_test_more() -> None:
    half = trials((LOW[0].format(0.4), 10))
    rows = compare_engines([(asked(), trials()), (asked("mujoco"), trials()), (asked("falling"), half)])
    assert engines_of([asked(), asked("mujoco"), asked("falling")]) == ["ode", "mujoco", "falling"]
    assert rows[0].worst == "falling"
    assert rows[0].p == 2 * fisher_p(SuccessCount(20, 20), SuccessCount(10, 20))


def test_each_point_of_a_grid_is_a_question() -> None:
    axes = (("slope", (0.0, 5.0)),)
    sweeps = [
        stand_ins.sweep(id=str(i), axes=axes, trials=4, perturbations={"noise": 0.1} | more)
        for i, more in enumerate(({}, {"engine": "mujoco"}))
    ]
    made = [
        [
            Trial("stand", point, i, i, ok, ok, "completed" if ok else "failed", "", None, None, None, 1.0)
            for point in sweep.points()
            for i in range(4)
            for ok in (sweep is sweeps[0] or dict(point)["slope"] < 1,)
        ]
        for sweep in sweeps
    ]
    level, steep = compare_engines(zip(sweeps, made, strict=True))
    assert (dict(level.point), level.worst) == ({"slope": 0.0}, None)
    assert (dict(steep.point), steep.worst) == ({"slope": 5.0}, "mujoco")
    assert steep.first is not None and steep.first.sentence == "stand: failed"
