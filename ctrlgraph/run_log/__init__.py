"""Run log: an SQLite database of all attempts (nodes tried in walks), and statistics of attempts."""

__all__ = ["database", "names", "record", "rows", "run_log", "statistics"]
