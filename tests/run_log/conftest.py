"""Attempts and runs to log."""

from __future__ import annotations

import pytest

from ctrlgraph.run_log.record import AttemptRecord, RunRecord


@pytest.fixture
def make_attempt():
    def make(**changes) -> AttemptRecord:
        fields = {
            "run": "1121-aaaaa",
            "walk": 0,
            "position": 0,
            "node": "walk",
            "source": "stand",
            "edge_kind": "naive",
            "condition": None,
            "planned": True,
            "args": (0.5, 1e-3),
            "cycles": 3,
            "status": "completed",
            "reason": "",
            "phase": 2,
            "script": "controllers/gaits/walk.t",
            "line": 12,
            "started_s": 1.25,
            "simulated_s": 0.1 + 0.2,
            "wall_s": 0.01,
            "energy_j": 12.5,
            "entry_digest": "0123",
            "exit_digest": "4567",
            "history_digest": "89ab",
            "seed": 2**32 - 1,
            "program_hash": "p",
            "graph_hash": "g",
            "edge_hash": "e",
            "engine_messages": 0,
            "measures": {"torso": 0.1, "com_height": 0.98},
        }
        return AttemptRecord(**(fields | changes))

    return make


@pytest.fixture
def run() -> RunRecord:
    return RunRecord(
        "1121-aaaaa", "ctrlgraph walk --random", 1e9, 7, "g", {"python": "3.11.2"}, {"world": {"terrain": "flat"}}
    )
