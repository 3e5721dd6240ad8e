"""Options that commands share, and their types."""

__all__ = ["common", "motion", "numbers", "own_files", "pictures", "search", "world"]
