"""Fitted constraints as the text of a tracking file."""

from __future__ import annotations

from collections.abc import Sequence

from ctrlgraph.control.controller_file import comment_lines, flow_yaml
from ctrlgraph.control.tracking.fitting.fit import ConstraintFit
from ctrlgraph.control.tracking.fitting.gait_plan import GaitPlan
from ctrlgraph.kernels.planar.arrays import Floats


def tracking_text(
    plan: GaitPlan, fit: ConstraintFit, centres: Sequence[float], rates: Sequence[Floats], comment: str
) -> str:
    """Return a tracking file.

    Args:
        plan: of the fit.
        fit: the fitted constraints.
        centres: (S,) place of the ground force in each stage, m before the ankle.
        rates: for each stage the coefficients of the rate of theta for the integral policy, rad/s.
        comment: text at the head of the file.
    """
    begin = plan.standing.ankle or plan.standing.foot
    lines = [
        *comment_lines(comment),
        f"phase: {{angle: {{from: {flow_yaml(begin)}, to: {flow_yaml(plan.standing.hip)}}}}}",
        "swaps: true",
        f"degree: {fit.degree}",
        "gains: {eps: 0.1, k_s: 10}" if plan.has_soles else "gains: {eps: 0.05, k_s: 10}",
        "stages:",
    ]
    for k, (name, stage) in enumerate(zip(plan.stages, fit.stages, strict=True)):
        contacts = ", ".join(f"{flow_yaml(link)}: {kind}" for link, kind in plan.contacts(name).items())
        ends = f"theta: {stage.theta[1]:.6g}" if name == "double" else f"contact: {flow_yaml(plan.swinging.foot)}"
        lines += [
            f"  - name: {name}",
            f"    theta: {_numbers(stage.theta)}",
            f"    contacts: {{{contacts}}}",
            "    track:",
            *(
                f"      {flow_yaml(row)}: {_numbers(coefficients)}"
                for row, coefficients in zip(plan.rows[k], stage.coefficients.tolist(), strict=True)
            ),
            f"    ends: {{{ends}}}",
        ]
        if plan.has_soles:
            at = f"at: {centres[k]:.4g}, gain: 1, rate: {_numbers(rates[k])}"
            lines.append(f"    policy: {{integral: {{{at}}}}}")
    return "\n".join(lines) + "\n"


def _numbers(values: Sequence[float] | Floats) -> str:
    return "[" + ", ".join(f"{value:.6g}" for value in (0.0 if abs(v) < 5e-7 else float(v) for v in values)) + "]"
