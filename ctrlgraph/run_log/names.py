"""Schema of the run log, and names of its runs; imports nothing that simulates, for fast completion."""

from __future__ import annotations

from ctrlgraph.run_log.database import Database, Format

# Documented in docs/reference/run-log.md; a test compares the two.
SCHEMA = """
CREATE TABLE runs (
    id TEXT PRIMARY KEY,
    command TEXT NOT NULL,
    started REAL NOT NULL,
    seed INTEGER NOT NULL,
    graph_hash TEXT NOT NULL,
    versions TEXT NOT NULL,
    settings TEXT NOT NULL,
    finished REAL,
    summary TEXT
) STRICT;
CREATE TABLE attempts (
    run TEXT NOT NULL REFERENCES runs(id),
    walk INTEGER NOT NULL,
    position INTEGER NOT NULL,
    node TEXT NOT NULL,
    source TEXT,
    edge_kind TEXT NOT NULL,
    condition TEXT,
    planned INTEGER NOT NULL,
    args TEXT NOT NULL,
    cycles INTEGER NOT NULL,
    status TEXT NOT NULL,
    reason TEXT NOT NULL,
    phase INTEGER,
    script TEXT,
    line INTEGER,
    started_s REAL NOT NULL,
    simulated_s REAL NOT NULL,
    wall_s REAL NOT NULL,
    energy_j REAL,
    entry_digest TEXT NOT NULL,
    exit_digest TEXT NOT NULL,
    history_digest TEXT NOT NULL,
    seed INTEGER NOT NULL,
    program_hash TEXT NOT NULL,
    graph_hash TEXT NOT NULL,
    edge_hash TEXT NOT NULL,
    engine_messages INTEGER NOT NULL,
    measures TEXT NOT NULL,
    PRIMARY KEY (run, walk, position)
) STRICT;
CREATE INDEX attempts_by_edge ON attempts (edge_hash, status);
"""

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
"""Maximum length of the names that are returned; ours have ten characters."""


class RunNames(Database):
    """Names of the runs in a log."""

    FORMAT = RUN_LOG

    def newest(self, most: int) -> list[str]:
        """Return the names of the `most` newest runs, the newest first."""
        query = "SELECT id FROM runs WHERE length(id) <= ? ORDER BY started DESC, rowid DESC LIMIT ?"
        return [str(name) for (name,) in self._rows(query, (LONGEST_NAME, most))]
