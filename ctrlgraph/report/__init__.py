"""Reports of logged runs and sweeps: an HTML page, and the figures and their data as files."""

from ctrlgraph.ambient import ignore_settings_files

ignore_settings_files()  # before matplotlib is imported

from ctrlgraph.report.build import build_report  # noqa: E402

__all__ = ["build_report"]
