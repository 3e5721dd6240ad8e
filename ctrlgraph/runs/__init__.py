"""Run log: all attempts of walks in SQLite, and statistics of them."""
