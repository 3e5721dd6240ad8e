"""The run log: every attempt, kept in SQLite, and what it says."""
