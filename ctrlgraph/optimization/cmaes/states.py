"""What the state of an optimiser must be: every field, its type, its range, and how the fields fit together.

A state comes from a file that may be damaged, or made to do damage: a wrong one is refused before anything is made of
it. What passes is a state that a search could have reached, or one so near that the search goes on from it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal, Self

import numpy as np
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, model_validator

from ctrlgraph.yaml_source import dotted, shown_value

LARGEST = 1e32
"""Of the points that are searched; the library takes none as large."""

_SIGMA = (1e-100, 1e100)
_MATRIX = 1e50  # entries of matrices: squares and products of them are numbers still
_PATH = 500.0  # entries of the path of the step size, which is an exponent
_MOST = 2**53  # of what is counted
_ROUNDING = 1e-6


def _decoded(value: object) -> object:
    """Infinities are written as text."""
    return float(value) if isinstance(value, str) and value in ("inf", "-inf") else value


def _cost(value: object) -> object:
    value = _decoded(value)
    if isinstance(value, float) and math.isnan(value):
        raise ValueError("is no cost")
    return value


Count = Annotated[int, Field(ge=0, le=_MOST)]
Finite = Annotated[float, Field(allow_inf_nan=False)]
Cost = Annotated[float, BeforeValidator(_cost)]
Bound = Annotated[float, BeforeValidator(_decoded)]
Sigma = Annotated[float, Field(ge=_SIGMA[0], le=_SIGMA[1])]
Row = Annotated[list[Annotated[float, Field(gt=-LARGEST, lt=LARGEST)]], Field(min_length=1)]
Step = list[Annotated[float, Field(ge=-_MATRIX, le=_MATRIX)]]
Matrix = list[Step]
Population = Annotated[int, Field(ge=4, le=1_000_000)]


class _State(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class RecordState(_State):
    """See `record.Record`."""

    best_x: Row
    best_cost: Cost
    generations: Count
    evaluations: Count
    notable_cost: Cost
    notable_generation: Count
    level_cost: Cost
    level_generations: Count

    @model_validator(mode="after")
    def _fits(self) -> Self:
        _require(self.notable_generation <= self.generations, "its generations are counted wrongly")
        _require(self.level_generations <= self.generations <= self.evaluations, "its generations are counted wrongly")
        return self


class RulesState(_State):
    """See `stopping.StopRules`."""

    target_cost: Bound | None
    max_generations: Annotated[int, Field(ge=1)] | None
    max_evaluations: Annotated[int, Field(ge=1)] | None
    step_tolerance: Annotated[Bound, Field(ge=0)] | None
    divergence_limit: Annotated[Bound, Field(ge=0)] | None
    condition_limit: Annotated[Bound, Field(ge=0)] | None
    stagnation_generations: Annotated[int, Field(ge=1)] | None
    stagnation_tolerance: Annotated[Bound, Field(ge=0)]
    flat_generations: Annotated[int, Field(ge=1)] | None


class BoundsState(_State):
    """See `bounds.Bounds`."""

    low: list[Bound]
    high: list[Bound]
    width: list[Annotated[float, Field(gt=0, allow_inf_nan=False)]]

    @model_validator(mode="after")
    def _fits(self) -> Self:
        _require(len(self.low) == len(self.high) == len(self.width), "its bounds are of different lengths")
        _require(all(low < high for low, high in zip(self.low, self.high, strict=True)), "its bounds are empty")
        return self


class _Attempt(_State):
    record: RecordState
    rules: RulesState
    bounds: BoundsState | None
    asked: list[Row] | None
    sigma: Sigma

    def check(self, points: Sequence[str], matrices: Sequence[str]) -> None:
        """Raise a ValueError where something is not of as many parameters as the best x."""
        n = len(self.record.best_x)
        for name in points:
            _require(len(getattr(self, name)) == n, f"its {name} is not of {n} numbers")
        for name in matrices:
            rows = getattr(self, name)
            _require(len(rows) == n and all(len(row) == n for row in rows), f"its {name} is not of {n} x {n} numbers")
        _require(self.bounds is None or len(self.bounds.low) == n, f"its bounds are not of {n} numbers")
        _require(all(len(row) == n for row in self.asked or ()), f"its candidates are not of {n} numbers")
        if self.bounds is not None:
            low, x, high = self.bounds.low, self.record.best_x, self.bounds.high
            _require(all(a <= b <= c for a, b, c in zip(low, x, high, strict=True)), "its best x is out of bounds")


_WORD = Annotated[int, Field(ge=0, lt=2**32)]
_LONG = Annotated[int, Field(ge=0, lt=2**128)]


class _PCG64Numbers(_State):
    state: _LONG
    inc: _LONG


class _PCG64State(_State):
    bit_generator: Literal["PCG64"]
    state: _PCG64Numbers
    has_uint32: Annotated[int, Field(ge=0, le=1)]
    uinteger: _WORD

    @model_validator(mode="after")
    def _fits(self) -> Self:
        _require(self.state.inc % 2 == 1, "its generator of chance has an even step")
        return self


class _MT19937Numbers(_State):
    key: Annotated[list[_WORD], Field(min_length=624, max_length=624)]
    pos: Annotated[int, Field(ge=0, le=624)]


class _MT19937State(_State):
    bit_generator: Literal["MT19937"]
    state: _MT19937Numbers
    has_gauss: Annotated[int, Field(ge=0, le=1)]
    gauss: Annotated[float, Field(ge=-100, le=100)]

    @model_validator(mode="after")
    def _fits(self) -> Self:
        # few bits give few for long, and none give none for ever: normal numbers are then drawn again without end
        bits = sum(word.bit_count() for word in self.state.key)
        _require(bits >= 624, "its generator of chance has run dry")
        return self


class OnePlusOneState(_Attempt):
    """See `one_plus_one.OnePlusOne`."""

    kind: Literal["1+1"]
    parent: Row
    parent_cost: Cost | None
    p_succ: Annotated[float, Field(ge=0, le=1)]
    path: Step
    factor: Matrix
    inverse: Matrix
    generator: _PCG64State

    @model_validator(mode="after")
    def _fits(self) -> Self:
        self.check(("parent", "path"), ("factor", "inverse"))
        factor, inverse = np.array(self.factor), np.array(self.inverse)
        with np.errstate(all="ignore"):
            error = np.abs(factor @ inverse - np.eye(len(factor)))
            _require(
                bool(np.all(error <= _ROUNDING * (np.abs(factor) @ np.abs(inverse)))),
                "its covariance matrix is not positive: the factor has another inverse",
            )
        return self


class PopulationState(_Attempt):
    """See `population.Population`."""

    kind: Literal["cma"]
    population: Population
    generation: Count
    mean: Row
    C: Matrix
    p_sigma: list[Annotated[float, Field(ge=-_PATH, le=_PATH)]]
    pc: Step
    funhist_values: list[Cost]
    B: list[list[Annotated[float, Field(ge=-2, le=2)]]] | None
    D: list[Annotated[float, Field(gt=0, le=_MATRIX)]] | None
    generator: _MT19937State

    @model_validator(mode="after")
    def _fits(self) -> Self:
        self.check(("mean", "p_sigma", "pc"), ("C",))
        n = len(self.mean)
        _require(self.sigma <= LARGEST, f"sigma cannot be {self.sigma:g}")
        _require(self.generation <= self.record.generations, "its generations are counted wrongly")
        history = 2 * (10 + math.ceil(30 * n / self.population))
        _require(len(self.funhist_values) == history, f"its funhist_values are not {history} numbers")
        _require(self.asked is None or len(self.asked) == self.population, "its candidates are not a population")
        covariance = np.array(self.C)
        _check_covariance(covariance)
        _require((self.B is None) == (self.D is None), "only one of B and D is known")
        if self.B is not None and self.D is not None:
            self.check(("D",), ("B",))
            axes, lengths = np.array(self.B), np.array(self.D)
            made = (axes * lengths**2) @ axes.T
            scale = np.max(np.abs(covariance))
            orthogonal = np.all(np.abs(axes @ axes.T - np.eye(n)) <= _ROUNDING)
            _require(
                bool(orthogonal) and bool(np.all(np.abs(made - covariance) <= _ROUNDING * scale)),
                "B and D are not those of C",
            )
        return self


def _check_covariance(covariance: np.ndarray[Any, np.dtype[np.float64]]) -> None:
    variances = np.diag(covariance)
    _require(bool(np.all(variances > 0)), "its covariance matrix is not positive")
    scale = np.sqrt(np.outer(variances, variances))
    _require(
        bool(np.all(np.abs(covariance - covariance.T) <= _ROUNDING * scale)), "its covariance matrix is not symmetric"
    )
    values = np.linalg.eigvalsh((covariance + covariance.T) / 2)
    _require(bool(values[0] >= -_ROUNDING * values[-1]), "its covariance matrix is not positive")


Attempt = Annotated[OnePlusOneState | PopulationState, Field(discriminator="kind")]


class PlanState(_State):
    """See `plan.Plan`."""

    kind: Literal["1+1", "cma"]
    x0: Row
    sigma: Sigma
    seed: Annotated[int, Field(ge=0)]
    bounds: BoundsState | None
    population: Annotated[int, Field(ge=1, le=1_000_000)]
    rules: RulesState


class RestartingState(_State):
    """See `restarting.Restarting`."""

    kind: Literal["restarting"]
    plan: PlanState
    rules: RulesState
    restarts: Annotated[int, Field(ge=1, le=1_000_000)]
    restarted: Count
    record: RecordState
    attempt: Attempt

    @model_validator(mode="after")
    def _fits(self) -> Self:
        plan, attempt, n = self.plan, self.attempt, len(self.record.best_x)
        _require(self.restarted <= self.restarts, "its restarts are counted wrongly")
        _require(attempt.kind == plan.kind, "its plan is of another kind than its attempt")
        _require(attempt.record.generations <= self.record.generations, "its generations are counted wrongly")
        _require(len(plan.x0) == len(attempt.record.best_x) == n, f"its attempt is not of {n} unknowns")
        _require(plan.bounds == attempt.bounds, "its attempt has other bounds than its plan")
        if isinstance(attempt, PopulationState):
            _require(plan.population >= 4, f"plan.population cannot be {plan.population}")
            doubled = self.restarted < 64 and attempt.population == plan.population << self.restarted
            _require(doubled, f"attempt.population cannot be {attempt.population}")
        return self


_MODELS: dict[str, type[_State]] = {"1+1": OnePlusOneState, "cma": PopulationState, "restarting": RestartingState}


def check_state(state: Mapping[str, Any]) -> None:
    """Say what is wrong with a state, if anything is.

    Raises:
        ValueError: the first thing that is wrong, in words.
    """
    if not isinstance(state, Mapping):
        raise ValueError(f"it is {shown_value(state)}")
    if "kind" not in state:
        raise ValueError("it has no 'kind'")
    kind = state["kind"]
    if not isinstance(kind, str) or kind not in _MODELS:
        raise ValueError(f"there is no kind {shown_value(kind)}")
    check(_MODELS[kind], state)


def check(model: type[BaseModel], data: Any) -> BaseModel:
    """Data as a model.

    Raises:
        ValueError: the first thing that is wrong, in words.
    """
    try:
        return model.model_validate(data)
    except ValidationError as error:
        # what is not there says more than what does not fit
        fault = min(error.errors(), key=lambda each: each["type"] != "missing")
    place, kind = [step for step in fault["loc"] if step not in _MODELS], fault["type"]
    where = dotted(place)
    if kind == "missing":
        raise ValueError(f"it has no '{where}'")
    if kind == "extra_forbidden":
        raise ValueError(f"it has an unknown '{shown_value(where)[1:-1]}'")
    if kind in ("union_tag_invalid", "union_tag_not_found"):
        raise ValueError("there is no such kind of attempt")
    if kind in ("too_short", "too_long"):
        raise ValueError(f"{where} is of a wrong length")
    if kind == "value_error" and "is no cost" not in str(fault["ctx"]["error"]):
        raise ValueError(str(fault["ctx"]["error"]))
    raise ValueError(f"{where} cannot be {shown_value(fault['input'])}")


def _require(fits: bool, otherwise: str) -> None:
    if not fits:
        raise ValueError(otherwise)
