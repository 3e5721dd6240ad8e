"""Reports of logged runs and sweeps: one HTML page, and every figure as a file."""

from ctrlgraph.ambient import ignore_settings_files

ignore_settings_files()  # before matplotlib is imported

from ctrlgraph.report.build import build_report  # noqa: E402

__all__ = ["build_report"]
