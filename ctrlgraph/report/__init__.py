"""Reports: one HTML file of what the log and the sweeps know, and every figure of it as a file."""

from ctrlgraph.report.build import build_report

__all__ = ["build_report"]
