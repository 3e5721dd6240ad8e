"""Schema of the run log, and a quick reader of the ids of logged runs for shell completion.

This module imports no simulation modules, which would take too long.
"""

from __future__ import annotations

from pathlib import Path

from ctrlgraph.run_log.database import Database, Format

# docs/reference/run-log.md documents the schema; a test compares both
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
"""Maximum length of a run id that `RunNames` returns, characters. Ids that ctrlgraph makes have ten characters."""


class RunNames(Database):
    """Reader of the run log that returns only the ids of the runs."""

    FORMAT = RUN_LOG

    def newest(self, most: int) -> list[str]:
        """Return the ids of at most `most` runs, the newest first."""
        query = "SELECT id FROM runs WHERE length(id) <= ? ORDER BY started DESC, rowid DESC LIMIT ?"
        return [str(name) for (name,) in self._rows(query, (LONGEST_NAME, most))]
