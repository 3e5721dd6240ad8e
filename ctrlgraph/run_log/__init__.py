"""Run log: all attempts of walks in SQLite, and statistics of them."""

__all__ = ["database", "names", "record", "rows", "run_log", "statistics"]
