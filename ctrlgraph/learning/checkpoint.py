"""Checkpoints of searches: JSON files with the cost of every candidate.

A search is deterministic. To resume it, a new optimiser repeats the earlier generations with the costs in the file. A
file therefore cannot introduce constants that the search itself would not have chosen.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, TypeVar

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, PlainSerializer, ValidationError

from ctrlgraph.errors import CtrlGraphError, printable
from ctrlgraph.files import read_bytes, write_text
from ctrlgraph.learning.cmaes import Optimizer
from ctrlgraph.learning.cost import Score
from ctrlgraph.learning.problem import TERMS
from ctrlgraph.paths import display_path
from ctrlgraph.yaml_source import dotted

VERSION = 6
"""Version of the file format."""

LARGEST_BYTES = 64 * 2**20
"""Maximum size of a checkpoint, bytes."""


def _decoded(value: object) -> object:
    return float(value) if isinstance(value, str) and value in ("nan", "inf", "-inf") else value


def _known_terms(terms: dict[str, float]) -> dict[str, float]:
    if unknown := terms.keys() - TERMS.keys():
        raise ValueError(f"unknown cost terms {', '.join(sorted(unknown))[:80]}: use {', '.join(TERMS)}")
    return terms


Count = Annotated[int, Field(ge=0, le=2**53)]
Finite = Annotated[float, Field(allow_inf_nan=False)]
Seconds = Annotated[float, Field(ge=0, allow_inf_nan=False)]
Number = Annotated[
    float, BeforeValidator(_decoded), PlainSerializer(lambda value: value if math.isfinite(value) else str(value))
]
"""A float that can be not-a-number or infinite, which JSON contains as the text "nan", "inf" or "-inf"."""
Terms = Annotated[dict[str, Number], AfterValidator(_known_terms)]
"""Values of cost terms by name (see `problem.TERMS`)."""


ModelT = TypeVar("ModelT", bound=BaseModel)


class _Model(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class ScoreData(_Model):
    """The score of a candidate, as it is stored in a checkpoint. The fields are those of `cost.Score`."""

    cost: Finite
    """Cost that the search minimises."""
    terms: Terms
    """Mean of each cost term over the evaluated cases, by name."""
    succeeded: Count
    """Number of cases in which the candidate succeeded."""
    cases: Count
    """Number of cases."""
    worst: Count
    """Index of the case with the maximum cost."""
    reason: Annotated[str, Field(max_length=10_000)]
    """Failed node and reason in this case, empty if the case succeeded."""
    costs: tuple[Number, ...]
    """Cost of each case, NaN if it was not evaluated."""

    def score(self) -> Score:
        """Return the stored score as a `cost.Score`."""
        return Score(**{**dict(self), "reason": printable(self.reason)})


class GenerationData(_Model):
    """Record of one generation of a search in a checkpoint."""

    cost: Finite
    """Cost of the best candidate of the generation, the minimum of `costs`."""
    best: Finite
    """Cost of the best candidate so far."""
    succeeded: Count
    """Number of cases in which the best candidate so far succeeds."""
    sigma: Finite
    """Global step size of the optimiser after the generation."""
    terms: Terms
    """Mean of each cost term over the cases, by name, of the best candidate of the generation."""
    costs: list[Finite]
    """Cost of each candidate of the generation."""


class Checkpoint(_Model):
    """Contents of a checkpoint: what is needed to resume a search after an interruption."""

    version: int
    """Version of the file format."""
    problem: str
    """Digest of the search problem (`Problem.digest`)."""
    plan: dict[str, str | int | float | None]
    """Settings of the search: the fields of `search.SearchPlan`, by name."""
    best: ScoreData
    """Score of the best candidate so far, or of the original constants if none is better."""
    first: ScoreData
    """Score of the original constants, before the search."""
    history: list[GenerationData]
    """All generations, in their order."""
    simulated_s: Seconds
    """Simulated time of all cases, s."""
    physics_s: Seconds
    """Wall time of the simulations, summed over all processes, s."""
    wall_s: Seconds
    """Wall time of the search, s."""
    values: dict[str, dict[str, Finite]] = {}
    """Constants of the best candidate by part of the transition and parameter id. For display only."""


class _Header(BaseModel):
    model_config = ConfigDict(strict=True)

    version: int
    problem: str = ""
    plan: dict[str, Any] = {}


def write_checkpoint(path: Path, data: Mapping[str, Any]) -> None:
    """Write a checkpoint of a search. An existing file is replaced only after the new one is complete.

    Args:
        path: File to write.
        data: Fields of `Checkpoint` except `version`.

    Raises:
        CtrlGraphError: The file cannot be written.
    """
    text = Checkpoint(version=VERSION, **data).model_dump_json()
    try:
        write_text(path, text)
    except CtrlGraphError as error:
        reason = str(error).rpartition(": ")[2]
        raise CtrlGraphError(f"cannot write the checkpoint of the search to {display_path(path)}: {reason}") from None


def read_checkpoint(path: Path, problem: str, plan: Mapping[str, Any], cases: int, optimizer: Optimizer) -> Checkpoint:
    """Read a checkpoint, and bring a new optimiser to the state after the last generation in the file.

    Args:
        path: File to read.
        problem: Digest of the search problem, which must be that in the file.
        plan: Fields of the `search.SearchPlan`, by name, which must be those in the file.
        cases: Number of cases of the search problem.
        optimizer: New optimiser. It repeats all generations of the file.

    Raises:
        CtrlGraphError: The file is damaged, has another format version, or belongs to another search.
    """
    shown = display_path(path)
    try:
        content = read_bytes(path, LARGEST_BYTES)
        header = _parsed(_Header, content)
        if header.version != VERSION:
            raise CtrlGraphError(f"the checkpoint {shown} is of another version of ctrlgraph: delete it to start again")
        if header.problem != problem or header.plan != plan:
            raise CtrlGraphError(
                f"the checkpoint {shown} belongs to another search with other scripts, cases or settings:"
                " name another file, or delete this file to start again"
            )
        data = _parsed(Checkpoint, content)
        _check_scores(data, cases)
        _repeat(optimizer, data.history)
    except (OSError, ValueError, MemoryError) as error:
        reason = (error.strerror if isinstance(error, OSError) else None) or str(error) or "it is too large"
        raise CtrlGraphError(
            f"the checkpoint {shown} is damaged, so delete it to start again"
            f" ({printable(reason.splitlines()[0][:200])})"
        ) from None
    return data


def _parsed(model: type[ModelT], content: bytes) -> ModelT:
    """Parse and validate JSON content, and return it as an instance of a pydantic model.

    Raises:
        ValueError: The content does not fit the model. The message names the first field that is wrong.
    """
    try:
        return model.model_validate_json(content)
    except ValidationError as error:
        fault = error.errors()[0]
    where = dotted(fault["loc"])
    raise ValueError(f"{where}: {fault['msg']}" if where else fault["msg"])


def _check_scores(data: Checkpoint, cases: int) -> None:
    for score in (data.best, data.first):
        if not (score.cases == len(score.costs) == cases and score.succeeded <= cases and score.worst < max(cases, 1)):
            raise ValueError(
                f"'best' and 'first' must have 'costs', 'succeeded' and 'worst' that match the {cases} cases of"
                " the search"
            )
    best = data.first.cost
    for i, entry in enumerate(data.history):
        best = min(best, *entry.costs, math.inf)
        if not entry.costs or entry.cost != min(entry.costs) or entry.best != best or entry.succeeded > cases:
            raise ValueError(
                f"'cost', 'best' or 'succeeded' of generation {i + 1} contradicts the costs of the generations so far"
            )
    if data.best.cost != best:
        raise ValueError(f"the cost of 'best' must be the least of all costs, {best:g}, not {data.best.cost:g}")


def _repeat(optimizer: Optimizer, history: Sequence[GenerationData]) -> None:
    """Repeat the generations of a checkpoint: the optimiser creates the candidates and receives the stored costs.

    Raises:
        ValueError: The number of candidates or the step size of a generation differs from that in the file.
    """
    for i, entry in enumerate(history):
        candidates = optimizer.ask()
        if len(entry.costs) != len(candidates):
            raise ValueError(f"generation {i + 1} must have {len(candidates)} costs, not {len(entry.costs)}")
        optimizer.tell(entry.costs)
        if optimizer.sigma != entry.sigma:
            raise ValueError(
                f"generation {i + 1} cannot be repeated: the file was changed, or written with another version of"
                " ctrlgraph, numpy or cmaes"
            )
