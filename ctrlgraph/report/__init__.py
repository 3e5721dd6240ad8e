"""Reports: one HTML file of what the log and the sweeps know, and every figure of it as a file."""

from ctrlgraph.ambient import ignore_settings_files

ignore_settings_files()  # before matplotlib is imported, wherever the process may be by now

from ctrlgraph.report.build import build_report  # noqa: E402

__all__ = ["build_report"]
