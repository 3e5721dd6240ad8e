"""Restarts: an optimiser that can get no further is replaced by a fresh one, behind the same interface."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from typing import Any

from numpy.typing import ArrayLike

from ctrlgraph.optimization.cmaes.interface import FloatArray, Stop
from ctrlgraph.optimization.cmaes.plan import Attempt, OptimizerPlan
from ctrlgraph.optimization.cmaes.record import OptimizerRecord, generation_told
from ctrlgraph.optimization.cmaes.stopping import StopRules, goal_or_budget


class Restarting:
    """Attempts one after another, at most `restarts` after the first, as one `Optimizer`.

    Target and budgets hold for all attempts together; the other rules hold for each. `restarted` counts.
    """

    def __init__(self, plan: OptimizerPlan, restarts: int) -> None:
        self._rules = plan.rules
        self._plan = dataclasses.replace(plan, rules=without_goal_and_budget(plan.rules))
        self._restarts = restarts
        self.restarted = 0
        self._record = OptimizerRecord(best_x=plan.x0.copy())
        self._attempt: Attempt = self._plan.attempt(0, plan.x0, self._record.best_cost)

    @property
    def population(self) -> int:
        return self._attempt.population

    @property
    def sigma(self) -> float:
        return self._attempt.sigma

    @property
    def best_x(self) -> FloatArray:
        return self._record.best_x.copy()

    @property
    def best_cost(self) -> float:
        return self._record.best_cost

    @property
    def generations(self) -> int:
        return self._record.generations

    @property
    def evaluations(self) -> int:
        return self._record.evaluations

    @property
    def stop(self) -> Stop | None:
        ended = goal_or_budget(self._record, self._rules)
        if ended is not None:
            return ended
        ended = self._attempt.stop
        if ended is None:
            return None
        times = "1 restart is" if self._restarts == 1 else f"{self._restarts} restarts are"
        return Stop(ended.reason, f"{ended.explanation[:-1]}; {times} used up.")

    def ask(self) -> FloatArray:
        return self._attempt.ask()

    def tell(self, candidates: ArrayLike, costs: ArrayLike) -> None:
        told, values = generation_told(candidates, costs, self.population, self._record.best_x.size)
        self._attempt.tell(told, values)
        self._record.add(told, values, self._rules.stagnation_tolerance)
        if self.restarted < self._restarts and self._attempt.stop and not goal_or_budget(self._record, self._rules):
            self.restarted += 1
            self._attempt = self._plan.attempt(self.restarted, self.best_x, self.best_cost)

    def state(self) -> dict[str, Any]:
        return {
            "kind": "restarting",
            "plan": self._plan.as_state(),
            "rules": self._rules.as_state(),
            "restarts": self._restarts,
            "restarted": self.restarted,
            "record": self._record.as_state(),
            "attempt": self._attempt.state(),
        }

    @classmethod
    def of_state(cls, state: Mapping[str, Any], attempt_of: Callable[[Mapping[str, Any]], Attempt]) -> Restarting:
        """Return the search from `state`; attempt_of: makes the present attempt from its own."""
        search = cls(OptimizerPlan.of_state(state["plan"]), int(state["restarts"]))
        search._rules = StopRules.of_state(state["rules"])
        search.restarted = int(state["restarted"])
        search._record = OptimizerRecord.of_state(state["record"])
        search._attempt = attempt_of(state["attempt"])
        return search


def without_goal_and_budget(rules: StopRules) -> StopRules:
    """Return the rules that an attempt ends by."""
    return dataclasses.replace(rules, target_cost=None, max_generations=None, max_evaluations=None)
