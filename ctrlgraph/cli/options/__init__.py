"""Options that several commands have, and the types of their values."""

__all__ = ["common", "motion", "numbers", "own_files", "pictures", "search", "world"]
