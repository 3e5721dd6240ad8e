"""When a search should end: the rules, and the sentence in which the first that applies says so."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ctrlgraph.errors import CtrlGraphError, suggestion
from ctrlgraph.optimization.cmaes.encoding import number
from ctrlgraph.optimization.cmaes.interface import FloatArray, Stop
from ctrlgraph.optimization.cmaes.record import OptimizerRecord

WHOLE = ("max_generations", "max_evaluations", "stagnation_generations", "flat_generations")


@dataclass(frozen=True, slots=True)
class StopRules:
    """When to end; None turns a rule off.

    target_cost: as soon as a candidate costs no more; max_generations, max_evaluations: budgets (a
    generation that was begun is evaluated whole); step_tolerance: the largest standard deviation of a
    coordinate falls below it; divergence_limit: it rises above it; condition_limit: the condition number of
    the covariance matrix rises above it; stagnation_generations: for so long the best cost has not fallen by
    more than stagnation_tolerance; flat_generations: for so long all candidates have cost the same.
    """

    target_cost: float | None = None
    max_generations: int | None = None
    max_evaluations: int | None = None
    step_tolerance: float | None = None
    divergence_limit: float | None = None
    condition_limit: float | None = 1e14
    stagnation_generations: int | None = None
    stagnation_tolerance: float = 1e-12
    flat_generations: int | None = None

    def as_state(self) -> dict[str, Any]:
        """Return the rules as JSON."""
        values = dataclasses.asdict(self).items()
        return {name: number(value) if isinstance(value, float) else value for name, value in values}

    @classmethod
    def of_state(cls, state: Mapping[str, Any]) -> StopRules:
        """Return the rules from `as_state`."""
        values: dict[str, Any] = {
            name: float(value) if isinstance(value, str) else value for name, value in state.items()
        }
        return cls(**values)


def stop_rules(default: StopRules, given: Mapping[str, Any]) -> StopRules:
    """Return the default rules with those given in their place.

    Raises:
        CtrlGraphError: there is no such rule, or its value makes no sense.
    """
    known = [field.name for field in dataclasses.fields(StopRules)]
    for name in given:
        if name not in known:
            hint = suggestion(name, known) or f"known: {', '.join(known)}"
            raise CtrlGraphError(f"there is no stopping rule '{name}' ({hint})")
    checked: dict[str, Any] = {name: _checked_rule(name, value) for name, value in given.items()}
    return dataclasses.replace(default, **checked)


def _checked_rule(name: str, value: Any) -> float | None:
    if value is None and name != "stagnation_tolerance":
        return None
    if isinstance(value, bool) or not isinstance(value, (int, float, np.integer, np.floating)) or math.isnan(value):
        raise CtrlGraphError(f"{name} must be a number, not {value!r}")
    if name in WHOLE and (not isinstance(value, (int, np.integer)) or value < 1):
        raise CtrlGraphError(f"{name} must be a whole number above 0, not {value!r}")
    if name != "target_cost" and value < 0:
        raise CtrlGraphError(f"{name} must not be negative, as {value!r} is")
    return int(value) if name in WHOLE else float(value)


@dataclass(frozen=True, slots=True)
class PriorScale:
    """The distribution that candidates are drawn from, as far as the rules look at it.

    centre, deviations: (n,), its mean and the standard deviation of each coordinate; condition: the condition
    number of its covariance matrix.
    """

    centre: FloatArray
    deviations: FloatArray
    condition: float


def goal_or_budget(record: OptimizerRecord, rules: StopRules) -> Stop | None:
    """Tell whether the search has reached what it was for, or may go no further."""
    if rules.target_cost is not None and record.best_cost <= rules.target_cost:
        return Stop("target", f"The cost {record.best_cost:.6g} is within the target of {rules.target_cost:g}.")
    if rules.max_evaluations is not None and record.evaluations >= rules.max_evaluations:
        return Stop(
            "evaluations", f"The budget of {rules.max_evaluations} evaluations is spent ({record.evaluations} made)."
        )
    if rules.max_generations is not None and record.generations >= rules.max_generations:
        return Stop("generations", f"The budget of {rules.max_generations} generations is spent.")
    return None


def nothing_left(record: OptimizerRecord, rules: StopRules, spread: PriorScale) -> Stop | None:
    """Tell whether the search can get no further from where it is; a restart may."""
    if rules.flat_generations is not None and record.level_generations >= rules.flat_generations:
        return _flat(record, rules.flat_generations)
    widest = float(np.max(spread.deviations))
    if rules.step_tolerance is not None and widest < rules.step_tolerance:
        return Stop(
            "step-size", f"The step size fell below its tolerance: {widest:.3g} is less than {rules.step_tolerance:g}."
        )
    if np.all(spread.centre + 0.2 * spread.deviations == spread.centre):
        return Stop("step-size", f"A step size of {widest:.3g} is too small to change the numbers searched over.")
    if rules.divergence_limit is not None and widest > rules.divergence_limit:
        return Stop(
            "diverged", f"The step size grew beyond bounds: {widest:.3g} is more than {rules.divergence_limit:g}."
        )
    if rules.condition_limit is not None and spread.condition > rules.condition_limit:
        return Stop(
            "condition",
            f"The covariance matrix is ill-conditioned: its condition number, {spread.condition:.3g}, is above "
            f"{rules.condition_limit:g}.",
        )
    waited = record.generations - record.notable_generation
    if rules.stagnation_generations is not None and waited >= rules.stagnation_generations:
        return Stop(
            "stagnation",
            f"The cost has not improved by more than {rules.stagnation_tolerance:g} for {waited} generations.",
        )
    return None


def _flat(record: OptimizerRecord, generations: int) -> Stop:
    if record.level_cost == math.inf:
        return Stop("flat", f"No candidate of the last {generations} generations could be evaluated.")
    return Stop(
        "flat",
        f"The search space is flat: all candidates of the last {generations} generations cost {record.level_cost:.6g}.",
    )
