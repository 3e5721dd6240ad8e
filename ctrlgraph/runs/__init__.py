"""Run log: all attempts of walks in SQLite, and statistics of them."""

__all__ = ["database", "names", "record", "report_attempts", "rows", "run_log", "statistics"]
