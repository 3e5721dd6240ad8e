"""Schema of the run log, and the ids of its runs.

This module imports no simulation modules, so that the shell completion of ids is fast.
"""

from __future__ import annotations

from pathlib import Path

from ctrlgraph.run_log.database import Database, Format

# documented in docs/reference/run-log.md; a test compares the two
SCHEMA = Path(__file__).with_name("run_log.sql").read_text(encoding="utf-8")

RUN_LOG = Format(
    file="runs.sqlite",
    schema=SCHEMA,
    version=2,
    noun="run log",
    purpose="runs cannot be logged",
    nothing="no run is logged",
    maker="'ctrlgraph walk'",
)

LONGEST_NAME = 100
"""Maximum length of the ids that are returned, characters. Those that ctrlgraph makes have ten."""


class RunNames(Database):
    """Run log, open for reading only the ids of the runs."""

    FORMAT = RUN_LOG

    def newest(self, most: int) -> list[str]:
        """Return the ids of the newest runs, at most `most`, the newest first."""
        query = "SELECT id FROM runs WHERE length(id) <= ? ORDER BY started DESC, rowid DESC LIMIT ?"
        return [str(name) for (name,) in self._rows(query, (LONGEST_NAME, most))]
