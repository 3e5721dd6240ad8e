"""Progress and results of commands on a terminal."""
