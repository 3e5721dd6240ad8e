"""Works of a pool without physics: costs that are a formula of the candidate, and processes that die over it."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

import numpy as np

from ctrlgraph.control.parameters import Parameter
from ctrlgraph.learning.candidate import CaseResult
from ctrlgraph.learning.evaluation import Evaluation
from ctrlgraph.learning.search_space import SearchParameter, SearchSpace

HOLDS = 4.0
"""A case fails whose squared distance is above this."""


def four_parameters() -> SearchSpace:
    """Four angles between -4 and 4, from 0 on, by steps of 1."""
    literals = [Parameter(f"x.t/0/POSE {name}/angle", f"POSE {name} angle", "angle") for name in "abcd"]
    return SearchSpace(
        tuple(SearchParameter((each,), each.role, "angle", 0, 0.0, -4.0, 4.0, 1.0, False) for each in literals)
    )


def formula(work: Evaluation) -> list[CaseResult]:
    """A valley around a point that is a little another in each case."""
    return [_result(work, item) for item in work.items]


def _result(work: Evaluation, item: int) -> CaseResult:
    goal = np.sin(np.arange(len(work.x)) + 1.0) + 0.1 * item
    distance = float(np.square(np.array(work.x) - goal).sum())
    if distance > HOLDS:
        failure = 0.5 + 9.5 * distance / (1.0 + distance)
        return CaseResult({"failure": failure}, "failed", "it fell", "spring", 0, 1, 0.5, physics_s=0.1)
    return CaseResult({"failure": 0.0, "com": distance}, "completed", "", "", 1, 1, 1.0, physics_s=0.2)


def slow(work: Evaluation) -> list[CaseResult]:
    """Return what `formula` does, after a while."""
    time.sleep(0.2)
    return formula(work)


def dies_once(work: Evaluation) -> list[CaseResult]:
    """As `formula`, but the first two processes that get case 1 of a later candidate are killed over it."""
    marker = Path(os.environ["STAND_IN_MARKER"])
    deaths = len(marker.read_text()) if marker.exists() else 0
    if work.candidate == 2 and 1 in work.items and deaths < 2:
        marker.write_text("x" * (deaths + 1))
        os.kill(os.getpid(), signal.SIGKILL)
    return formula(work)


def always_dies(work: Evaluation) -> list[CaseResult]:
    """As `formula`, but case 1 of candidate 2 kills every process."""
    if work.candidate == 2 and 1 in work.items:
        os.kill(os.getpid(), signal.SIGKILL)
    return formula(work)
