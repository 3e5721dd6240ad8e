"""Scenarios that reproduce the figures of the thesis: what each one computes, draws and measures."""

__all__ = ["body_scenarios", "figures", "pendulum_scenarios", "scenario", "step_scenarios", "support_scenarios"]
