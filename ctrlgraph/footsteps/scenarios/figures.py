"""The figures of the thesis, each with the scenario that reproduces it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ctrlgraph.footsteps.model import PlanSettings
from ctrlgraph.footsteps.planner import URGENT_ITERATIONS
from ctrlgraph.footsteps.scenarios import body_scenarios, pendulum_scenarios, step_scenarios, support_scenarios
from ctrlgraph.footsteps.scenarios.scenario import ScenarioResult


@dataclass(frozen=True, slots=True)
class SourceFigure:
    """A figure of the thesis."""

    number: str
    """Number of the figure in the thesis."""
    shows: str
    """What the figure shows: a sentence."""
    run: Callable[[], ScenarioResult]
    """Scenario that repeats it."""
    note: str = ""
    """Remarks on the measures, and on differences from the thesis."""


FIGURES = {
    "contraction": SourceFigure("3.1", "The pendulum contracts twice in each sway.", pendulum_scenarios.contraction),
    "step-weight": SourceFigure("4.1", "The activation of a foot around a ground contact.", step_scenarios.step_weight),
    "pattern": SourceFigure("4.2", "Footprints of a trot, and the activations of the feet.", step_scenarios.pattern),
    "separation": SourceFigure("4.3", "The separation of a step from the other feet.", step_scenarios.separation),
    "update": SourceFigure(
        "5.1",
        "Forces, steps and shares of a plan before and after an update.",
        support_scenarios.update,
        f"The update follows a push, and therefore has {URGENT_ITERATIONS} iterations; others have "
        f"{PlanSettings().iterations}.",
    ),
    "base": SourceFigure(
        "5.2",
        "The base pendulum carries the response to the feet.",
        pendulum_scenarios.base,
        "The response depends on the command, but less than the base does: the largest response of the first command "
        "is `response_mm`, and those of the other commands differ from it by up to `difference_mm`.",
    ),
    "foot-roll": SourceFigure("6.1", "A foot rolls less about its heel than about its toes.", body_scenarios.foot_roll),
    "ankle-path": SourceFigure(
        "6.2", "The path of an ankle follows from the height of the foot and from its roll.", body_scenarios.ankle_path
    ),
    "robots": SourceFigure("7.1", "The four robots.", body_scenarios.robots),
    "unsafe": SourceFigure(
        "7.2",
        "Steps avoid unsafe places and do not overlap.",
        step_scenarios.unsafe_places,
        "The plan and the measures take the unsafety at the centre of a sole; `most_below_soles` is the largest "
        "anywhere below a sole.",
    ),
    "polygon": SourceFigure(
        "7.3",
        "Support points that shares can give, with the true hull.",
        support_scenarios.polygon,
        "The activation of a foot weights its contact points; it does not change the area of the polygon.",
    ),
    "pressure": SourceFigure(
        "7.4", "Centre of pressure and support point, before and after a push.", support_scenarios.pressure
    ),
    "slowing": SourceFigure(
        "7.5",
        "A plan is slower than a command that its steps cannot follow.",
        support_scenarios.slowing,
        "Here the command is limited to a feasible one before the plan is made. In the thesis, the objective of "
        "support slows the plan.",
    ),
}
"""The figures by the names of their scenarios, in the order of the thesis."""
