"""The page of a planned motion: one HTML file that shows the robot, footsteps, support and pressure over time."""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from ctrlgraph.footsteps.planner import FootstepPlanner
from ctrlgraph.footsteps.posing import PosedMotion, trunk_corners
from ctrlgraph.footsteps.survey import ROUNDING_M, PlannedMotion, PlanSurvey
from ctrlgraph.playback.assets import embedded_bytes, joined, module, stylesheet
from ctrlgraph.playback.page import page_in_one_file

_SCRIPTS, _STYLE = ("playback.js", "planview.js", "footsteps.js"), "footsteps.css"
_DIGITS = 4  # of positions, m


def footsteps_page(
    planner: FootstepPlanner, survey: PlanSurvey, motion: PlannedMotion, posed: PosedMotion, title: str
) -> str:
    """Return an HTML page that plays a planned motion, and needs no network.

    Args:
        planner: Planner of the motion.
        survey: Measures of the motion.
        motion: Planned motion.
        posed: Body of the robot in the motion.
        title: Title of the page.
    """
    script, style = joined(_SCRIPTS), stylesheet() + module(_STYLE)
    data = json.dumps(_data(planner, survey, motion, posed)).encode()
    return page_in_one_file(title, style, script, [embedded_bytes(data, "plan")])


def _data(planner: FootstepPlanner, survey: PlanSurvey, motion: PlannedMotion, posed: PosedMotion) -> dict[str, Any]:
    outside = [None if not np.isfinite(d) else 0.0 if d <= ROUNDING_M else float(d) for d in motion.outside]
    return {
        "tick": planner.settings.tick_s,
        "hips": planner.robot.hips_m,
        "contact": planner.robot.contact_m,
        "unsafe": planner.unsafe.tolist(),
        "pressure": motion.pressure.round(_DIGITS).tolist(),
        "mass": motion.mass.round(_DIGITS).tolist(),
        "heading": motion.heading.round(_DIGITS).tolist(),
        "poses": motion.poses.round(_DIGITS).tolist(),
        "legs": posed.legs.round(_DIGITS).tolist(),
        "trunk": trunk_corners(planner.robot, posed.poses[:, 0]).round(_DIGITS).tolist(),
        "ground": motion.ground.astype(int).tolist(),
        "outside": outside,
        "update_ms": motion.update_ms.round(3).tolist(),
        "command": motion.command.round(3).tolist(),
        "p50": survey.update_p50_ms,
        "p99": survey.update_p99_ms,
    }
