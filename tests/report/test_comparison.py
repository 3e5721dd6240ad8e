"""Comparison of two samples: published values of the statistics, and the conclusions."""

from __future__ import annotations

import pytest
from report_samples import attempt, record

from ctrlgraph.report.comparison import ChangeVerdict, compare
from ctrlgraph.report.evidence import Evidence
from ctrlgraph.run_log.record import AttemptRecord
from ctrlgraph.statistics import NONE, SuccessCount


def sample(
    run: str, successes: int, attempts: int, *more: AttemptRecord, world: dict | None = None, **changes
) -> Evidence:
    made = [attempt(run, i, "squat", "stand", ok=i < successes, **changes) for i in range(attempts)]
    return Evidence([record(run, **(world or {}))], [*made, *more])


def edge_of(comparison):
    return next(change for change in comparison.changes if change.kind == "edge")


def test_more_success_is_better_and_less_is_worse() -> None:
    good, bad = sample("a", 38, 40), sample("b", 12, 40)
    assert edge_of(compare("a", bad, "b", good)).verdict is ChangeVerdict.BETTER
    assert edge_of(compare("a", good, "b", bad)).verdict is ChangeVerdict.WORSE


def test_a_small_difference_of_few_attempts_is_not_significant() -> None:
    change = edge_of(compare("a", sample("a", 4, 5), "b", sample("b", 3, 5)))
    assert change.difference == pytest.approx(-0.2)
    assert change.verdict is ChangeVerdict.UNCLEAR


def test_nodes_in_one_sample_only_are_not_tested() -> None:
    a = sample("a", 4, 5)
    change = edge_of(compare("a", a, "b", Evidence([record("b")])))
    assert (change.before, change.after, change.p, change.verdict) == (
        SuccessCount(4, 5),
        NONE,
        None,
        ChangeVerdict.ONE_SIDED,
    )


def nodes(run: str, names: int, successes: int) -> Evidence:
    """Return 20 starts of each node; 10 succeed, of the first node as many as given."""
    made = tuple(
        attempt(run, i, f"n{name}", None, ok=i < (10 if name else successes))
        for name in range(names)
        for i in range(20)
    )
    return Evidence([record(run)], made)


def test_many_tests_require_stronger_evidence() -> None:
    alone = compare("a", nodes("a", 1, 3), "b", nodes("b", 1, 10)).changes[0]
    among = compare("a", nodes("a", 20, 3), "b", nodes("b", 20, 10)).changes[0]
    assert alone.p == among.p == pytest.approx(0.0407, abs=5e-5)
    assert (alone.verdict, among.verdict) == (ChangeVerdict.BETTER, ChangeVerdict.UNCLEAR)
    assert among.adjusted == pytest.approx(20 * among.p)


def test_significant_changes_come_first_and_nodes_before_their_edges() -> None:
    a = sample("a", 38, 40, attempt("a", 99, "rise", "squat"))
    b = sample("b", 12, 40, attempt("b", 99, "rise", "squat"))
    names = [change.name for change in compare("a", a, "b", b).changes]
    assert names == ["squat", "stand -> squat", "rise", "squat -> rise"]


def test_a_changed_motion_is_marked() -> None:
    a, b = sample("a", 4, 5), sample("b", 4, 5, program_hash="another", edge_hash="another")
    assert [change.changed for change in compare("a", a, "b", b).changes] == [True, True]
    assert [change.changed for change in compare("a", a, "b", sample("b", 4, 5)).changes] == [False, False]


def test_another_world_does_not_change_a_motion() -> None:
    a, b = sample("a", 4, 5), sample("b", 4, 5, world={"friction": 0.5}, edge_hash="of another world")
    comparison = compare("a", a, "b", b)
    assert [change.changed for change in comparison.changes] == [False, False]
    assert comparison.settings == ("friction (1.0 and 0.5)",)
