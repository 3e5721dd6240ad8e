"""Checkpoints of searches: written whole or not at all, and checked to the last number before one is gone on from.

A checkpoint may be damaged, or made by someone who means harm, and what it holds becomes constants of scripts. So
nothing of it is believed that this search could not have written.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, NoReturn, cast

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from ctrlgraph.errors import CtrlGraphError, printable
from ctrlgraph.files import read_bytes, sweep_temporaries, write_text
from ctrlgraph.optimization.cmaes import Optimizer, restore_optimizer
from ctrlgraph.optimization.cmaes.states import Count, Finite, Row, Sigma, check
from ctrlgraph.optimization.objective import Score
from ctrlgraph.optimization.problem import TERMS
from ctrlgraph.paths import display_path

VERSION = 3
"""Of the checkpoint's layout."""

LARGEST_BYTES = 64 * 2**20
"""More than a search over a thousand parameters, which keeps a matrix or two, comes to."""

Seconds = Annotated[float, Field(ge=0, allow_inf_nan=False)]


def _term(value: object) -> object:
    """What is not finite is written as text."""
    return float(value) if isinstance(value, str) and value in ("nan", "inf", "-inf") else value


Term = Annotated[float, BeforeValidator(_term)]


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class ScoreState(_Part):
    """See `objective.Score`."""

    cost: Finite
    terms: dict[str, Term]
    held: Count
    cases: Count
    worst: Count
    reason: Annotated[str, Field(max_length=10_000)]
    costs: list[Finite | None]

    def score(self) -> Score:
        """Return the score; its text is fit for a terminal."""
        return Score.from_dict(self.model_dump() | {"reason": printable(self.reason)})

    def fit(self, cases: int) -> None:
        """Raise a ValueError where this is no score of a problem with so many cases."""
        fits = self.cases == len(self.costs) == cases and self.held <= cases and self.worst < max(cases, 1)
        if not fits or self.terms.keys() - TERMS.keys():
            raise ValueError(f"it holds a score that is none of {cases} cases")


class HistoryEntry(_Part):
    """One generation: its best cost and the terms of it, the best cost so far and how many cases that held."""

    cost: Finite
    best: Finite
    held: Count
    sigma: Sigma
    terms: dict[str, Term]


class CheckpointData(_Part):
    """All of a checkpoint; the optimiser's state is checked by the optimisers."""

    version: int
    problem: str
    plan: dict[str, Any]
    optimizer: dict[str, Any]
    best_x: Row
    best: ScoreState
    first: ScoreState
    history: list[HistoryEntry]
    median: Finite | None
    simulated_s: Seconds
    physics_s: Seconds
    wall_s: Seconds
    values: dict[str, dict[str, Finite]] = {}
    """Of the best: by part, the values of parameters by id; for whoever watches the search."""


@dataclass(frozen=True)
class Whole:
    """What a checkpoint has to fit: digest, number of cases and bounds of the parameters of the problem, the search's
    plan, and the state of its optimiser at the start."""

    digest: str
    plan: Mapping[str, Any]
    cases: int
    bounds: tuple[NDArray[np.float64], NDArray[np.float64]]
    optimizer: Mapping[str, Any]


def write_checkpoint(path: Path, data: Mapping[str, Any]) -> None:
    """Write a checkpoint; the one before stands until this one is whole.

    Raises:
        CtrlGraphError: it cannot be written.
    """
    try:
        write_text(path, json.dumps(_encoded(data) if _holds_odd(data) else data, allow_nan=False))
    except CtrlGraphError as error:
        reason = str(error).rpartition(": ")[2]
        raise CtrlGraphError(f"the search cannot be kept in {display_path(path)}: {reason}") from None


def sweep_checkpoints(path: Path) -> None:
    """Remove what searches that were killed left of checkpoints beside this one."""
    sweep_temporaries(path.parent)


def read_checkpoint(path: Path, whole: Whole) -> tuple[CheckpointData, Optimizer]:
    """Return a checkpoint of this search, and its optimiser.

    Raises:
        CtrlGraphError: it is damaged, of another version, or belongs to another search.
    """
    shown = display_path(path)
    try:
        raw = _loaded(path)
        version, problem, plan = (_field(raw, name) for name in ("version", "problem", "plan"))
        if version != VERSION:
            raise CtrlGraphError(f"the checkpoint {shown} is of another version of ctrlgraph; delete it to begin anew")
        if problem != whole.digest or not _same(plan, whole.plan):
            raise CtrlGraphError(
                f"the checkpoint {shown} belongs to another search: its scripts, its cases or its settings differ;"
                " give another file, or delete it to begin anew"
            )
        data = cast(CheckpointData, check(CheckpointData, raw))
        _check_fixed(data.optimizer, whole.optimizer)
        optimizer = _optimizer(data.optimizer)
        _check_fits(data, optimizer, whole)
    except (OSError, ValueError, RecursionError, MemoryError) as error:
        # what is not there may have gone between looking and reading
        reason = "it is nested too deeply" if isinstance(error, RecursionError) else str(error) or "it is too large"
        raise CtrlGraphError(f"the checkpoint {shown} is damaged ({printable(reason.splitlines()[0][:200])})") from None
    return data, optimizer


def _loaded(path: Path) -> dict[str, Any]:
    data = json.loads(_text(path), parse_constant=_no_constant)
    if not isinstance(data, dict):
        raise ValueError("it is no mapping")
    return data


def _text(path: Path) -> str:
    try:
        return read_bytes(path, LARGEST_BYTES).decode("utf-8")
    except OSError as error:
        raise ValueError(error.strerror or str(error)) from None


def _no_constant(text: str) -> NoReturn:
    raise ValueError(f"it holds {text}, which is no number")


def _field(data: Mapping[str, Any], name: str) -> Any:
    if name not in data:
        raise ValueError(f"it has no '{name}'")
    return data[name]


def _optimizer(state: Mapping[str, Any]) -> Optimizer:
    try:
        return restore_optimizer(state)
    except CtrlGraphError as error:
        raise ValueError(str(error)) from None


def _check_fixed(state: Mapping[str, Any], start: Mapping[str, Any]) -> None:
    """Of an optimiser, what the search decides and no generation changes is what it was at the start."""
    fixed = ("kind", "plan", "rules", "restarts") if start["kind"] == "restarting" else ("kind", "rules", "bounds")
    for name in (*fixed, *(("population",) if "population" in start else ())):
        if not _same(state.get(name), start[name]):
            raise ValueError(f"its optimiser has another '{name}' than this search")
    if start["kind"] == "restarting":
        attempt = state.get("attempt")
        rules = attempt.get("rules") if isinstance(attempt, dict) else None
        if not _same(rules, start["attempt"]["rules"]):
            raise ValueError("its optimiser has another 'rules' than this search")


def _check_fits(data: CheckpointData, optimizer: Optimizer, whole: Whole) -> None:
    """What fields of their types are to each other, and to the search."""
    data.best.fit(whole.cases)
    data.first.fit(whole.cases)
    low, high = whole.bounds
    for x in (np.array(data.best_x), optimizer.best_x):
        if x.shape != low.shape:
            raise ValueError(f"it holds {x.size} parameters instead of {low.size}")
        if not bool(np.all((low <= x) & (x <= high))):
            raise ValueError("its best constants are out of range")
    if len(data.history) != optimizer.generations:
        raise ValueError(f"it tells of {len(data.history)} generations and has done {optimizer.generations}")
    best = data.first.cost
    for entry in data.history:
        if entry.held > whole.cases or entry.terms.keys() - TERMS.keys():
            raise ValueError(f"it tells of a generation that is none of {whole.cases} cases")
        best = min(best, entry.cost)
        if entry.best != best:
            raise ValueError("the costs of its generations do not lead to the best")
    told = min((entry.cost for entry in data.history), default=math.inf)
    if data.best.cost != best or optimizer.best_cost != told or (data.median is None and data.history):
        raise ValueError("the costs of its generations do not lead to the best")


def _same(one: Any, other: Any) -> bool:
    """Whether two values are the same JSON; 1, 1.0 and true are not."""
    return json.dumps(_encoded(one), sort_keys=True) == json.dumps(_encoded(other), sort_keys=True)


def _holds_odd(data: Mapping[str, Any]) -> bool:
    """Whether a term is no finite number: of the optimiser's many numbers none is."""
    terms = [data["best"]["terms"], data["first"]["terms"], *(entry["terms"] for entry in data["history"])]
    return not all(math.isfinite(value) for each in terms for value in each.values())


def _encoded(value: Any) -> Any:
    """Numbers that JSON does not have, as text."""
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if isinstance(value, Mapping):
        return {key: _encoded(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_encoded(item) for item in value]
    return value
