"""Success rates and their uncertainty."""

from __future__ import annotations

import math
import sqlite3
import statistics
import tracemalloc
from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ctrlgraph.run_log.record import AttemptRecord
from ctrlgraph.run_log.run_log import RunLog
from ctrlgraph.run_log.statistics import reason_kind, summarize


@pytest.mark.parametrize(
    ("reason", "kind"),
    [
        ("torso 1.32 is above 1.0", "torso is above 1.0"),
        ("com_height -2.5e-05 is below 0.85", "com_height is below 0.85"),
        ("torso nan is below 1", "torso is below 1"),
        ("not ended after 20 s", "not ended after 20 s"),
        ("", ""),
    ],
)
def test_a_reason_without_its_number_counts_as_the_same_failure(reason: str, kind: str):
    assert reason_kind(reason) == kind


def test_nodes_edges_and_failures_are_counted_apart(make_attempt):
    attempts = [
        make_attempt(position=0, node="stand", source=None, edge_kind="start", simulated_s=1.0),
        make_attempt(position=1, node="walk", source="stand", simulated_s=2.0),
        make_attempt(position=2, node="walk", source="walk", simulated_s=4.0),
        make_attempt(position=3, node="walk", source="stand", status="failed", reason="torso 1.5 is above 1"),
        make_attempt(position=4, node="walk", source="stand", status="failed", reason="torso 1.7 is above 1"),
        make_attempt(position=5, node="prone", source="walk", edge_kind="corrective"),
    ]
    found = summarize(attempts)
    assert [(node.name, node.success.attempts, node.success.successes) for node in found.nodes] == [
        ("prone", 1, 1),
        ("stand", 1, 1),
        ("walk", 4, 2),
    ]
    assert [(e.source, e.target, e.kind, e.success.attempts, e.success.successes) for e in found.edges] == [
        ("stand", "walk", "naive", 3, 1),
        ("walk", "prone", "corrective", 1, 1),
        ("walk", "walk", "naive", 1, 1),
    ]
    assert [(f.failure.node, f.failure.reason, f.count) for f in found.failures] == [("walk", "torso is above 1", 2)]
    walk = found.nodes[2].success
    assert (walk.mean_s, walk.median_s, walk.longest_s) == (3.0, 3.0, 4.0)  # of the successes
    assert math.isclose(walk.rate, 0.5)


ATTEMPTS = st.lists(
    st.fixed_dictionaries(
        {
            "node": st.sampled_from(["stand", "walk"]),
            "source": st.sampled_from([None, "stand", "walk"]),
            "edge_kind": st.sampled_from(["naive", "learned", "start"]),
            "status": st.sampled_from(["completed", "failed", "timeout"]),
            "reason": st.sampled_from(["", "torso 1.5 is above 1", "torso 2 is above 1"]),
            "phase": st.sampled_from([None, 1]),
            "simulated_s": st.floats(0, 100),
            "energy_j": st.floats(0, 100) | st.just(math.nan),
        }
    ),
    max_size=25,
)


@given(ATTEMPTS)
def test_the_numbers_are_those_of_the_attempts_taken_one_by_one(make_attempt, rows: list[dict]):
    attempts = [make_attempt(**row, position=i) for i, row in enumerate(rows)]
    found = summarize(attempts)
    groups = {(node.name,): node.success for node in found.nodes}
    groups |= {(edge.source, edge.target, edge.kind): edge.success for edge in found.edges}
    expected: dict[tuple[str, ...], list[AttemptRecord]] = {}
    for attempt in attempts:
        expected.setdefault((attempt.node,), []).append(attempt)
        if attempt.source is not None and attempt.edge_kind != "start":
            expected.setdefault((attempt.source, attempt.node, attempt.edge_kind), []).append(attempt)
    assert groups.keys() == expected.keys()
    for key, group in expected.items():
        successes = [attempt for attempt in group if attempt.succeeded]
        times = [attempt.simulated_s for attempt in successes or group]
        rate = groups[key]
        assert (rate.attempts, rate.successes) == (len(group), len(successes))
        assert (rate.median_s, rate.longest_s) == (statistics.median(times), max(times))
        assert rate.mean_s == pytest.approx(statistics.fmean(times), rel=1e-12)
        energy = statistics.fmean(attempt.energy_j for attempt in successes or group)
        assert rate.mean_energy_j == pytest.approx(energy, rel=1e-12, nan_ok=True)
    failed = Counter(
        (a.node, a.status, reason_kind(a.reason), a.phase, a.script, a.line) for a in attempts if not a.succeeded
    )
    assert {tuple(row.failure): row.count for row in found.failures} == failed
    assert [row.count for row in found.failures] == sorted(failed.values(), reverse=True)


def test_statistics_of_many_attempts_take_no_more_memory(tmp_path, run, make_attempt):
    with RunLog.open(tmp_path) as log:
        log.begin_run(run)
        log.add(make_attempt(position=0))
    connection = sqlite3.connect(tmp_path / "runs.sqlite")
    columns = [name for _, name, *_ in connection.execute("PRAGMA table_info(attempts)")]
    chosen = ", ".join("n" if name == "position" else name for name in columns)
    peaks = []
    for first, last in ((1, 100), (101, 20_000)):
        connection.execute(
            "WITH RECURSIVE number(n) AS (SELECT ? UNION ALL SELECT n + 1 FROM number WHERE n < ?)"
            f" INSERT INTO attempts ({', '.join(columns)}) SELECT {chosen} FROM attempts, number WHERE position = 0",
            (first, last),
        )
        connection.commit()
        with RunLog.read(tmp_path) as log:
            tracemalloc.start()
            assert log.statistics().nodes[0].success.attempts == last + 1
            peaks.append(tracemalloc.get_traced_memory()[1])
            tracemalloc.stop()
    connection.close()
    assert peaks[1] < 1.5 * peaks[0]


@pytest.fixture
def two_runs(tmp_path, run, make_attempt):
    """Two runs in a log, and their attempts."""
    attempts = [
        make_attempt(run=name, position=i, node=node, source=source, edge_hash=edge_hash, simulated_s=float(i))
        for name in ("1121-aaaaa", "1121-bbbbb")
        for i, (node, source, edge_hash) in enumerate(
            [("stand", None, "s"), ("walk", "stand", "w"), ("walk", "walk", "w"), ("stand", "walk", "b")]
        )
    ]
    with RunLog.open(tmp_path) as log:
        for name in ("1121-aaaaa", "1121-bbbbb"):
            log.begin_run(replace(run, id=name))
        for attempt in attempts:
            log.add(attempt)
        yield log, attempts


@pytest.mark.parametrize(
    ("asked", "counts"),
    [
        ({}, lambda a: True),
        ({"runs": ["1121-bbbbb"]}, lambda a: a.run == "1121-bbbbb"),
        ({"node": "stand"}, lambda a: "stand" in (a.node, a.source)),
        ({"edge_hashes": ["w", "s"]}, lambda a: a.edge_hash in ("w", "s")),
        ({"edge_hashes": []}, lambda a: False),
        ({"runs": ["1121-aaaaa"], "node": "walk"}, lambda a: a.run == "1121-aaaaa" and "walk" in (a.node, a.source)),
    ],
)
def test_statistics_of_a_log_are_those_of_the_attempts_that_were_asked_for(two_runs, asked, counts):
    log, attempts = two_runs
    assert log.statistics(**asked) == summarize(attempt for attempt in attempts if counts(attempt))
    assert log.statistics(**asked) == log.statistics(**asked)


def test_statistics_can_be_made_of_a_log_that_cannot_be_written(two_runs):
    log, attempts = two_runs
    log.path.chmod(0o444)
    try:
        with RunLog.read(log.path.parent) as read_only:
            assert read_only.statistics() == summarize(attempts)
    finally:
        log.path.chmod(0o644)
