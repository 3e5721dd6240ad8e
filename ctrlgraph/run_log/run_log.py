"""The run log: an SQLite database of runs (what one command has logged) and attempts (nodes tried in a run).

A run consists of walks. A walk consists of attempts, one after another. Several processes can write to the log at the
same time.
"""

from __future__ import annotations

import dataclasses
import json
import math
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ctrlgraph.errors import RunLogError, suggestion
from ctrlgraph.run_log.database import Database
from ctrlgraph.run_log.names import RUN_LOG
from ctrlgraph.run_log.record import AttemptRecord, RunRecord, new_run_id
from ctrlgraph.run_log.rows import ATTEMPT_COLUMNS, RUN_COLUMNS, attempt_of, json_text, row_of, run_of
from ctrlgraph.run_log.statistics import PICKED, Statistics, create_picked, statistics_of_picked

_NAMED = ", ".join(ATTEMPT_COLUMNS)
_INSERT_ATTEMPT = f"INSERT INTO attempts ({_NAMED}) VALUES ({', '.join('?' * len(ATTEMPT_COLUMNS))})"


class RunLog(Database):
    """Run log of a project: the database of all runs of commands and of all attempts (nodes tried in these runs).

    Each attempt is written in one transaction.

    >>> from ctrlgraph import Project, walk_random
    >>> project = Project.find()
    >>> run = walk_random(project, transitions=1, seed=5).run
    >>> with project.read_log() as log:
    ...     [attempt.node for attempt in log.attempts(run)][0]
    'stand'
    """

    FORMAT = RUN_LOG

    # writing

    def begin_run(self, run: RunRecord) -> RunRecord:
        """Log the beginning of a run.

        Args:
            run: Record of the run. Its end and result are not logged.

        Returns:
            The record, with a new id if the log already has a run with the id of `run`.

        Raises:
            RunLogError: The log cannot be written.
        """
        while True:
            texts = (json_text(run.versions), json_text(run.settings))
            values = (run.command, run.started, run.seed, run.graph_hash, *texts)
            try:
                with self._transaction():
                    self._connection.execute(
                        "INSERT INTO runs (id, command, started, seed, graph_hash, versions, settings)"
                        " VALUES (?, ?, ?, ?, ?, ?, ?)",
                        (run.id, *values),
                    )
                return run
            except sqlite3.IntegrityError:
                run = dataclasses.replace(run, id=new_run_id(run.started))

    def add(self, attempt: AttemptRecord) -> None:
        """Log an attempt that has ended. When the method returns, the attempt is in the file.

        Raises:
            RunLogError: The log cannot be written, does not have the attempt's run, or already has an attempt at the
                same position of the walk.
        """
        try:
            with self._transaction():
                self._connection.execute(_INSERT_ATTEMPT, row_of(attempt))
        except sqlite3.IntegrityError as error:
            raise self._damaged(
                f"attempt {attempt.position} of walk {attempt.walk} cannot be added ({error})"
            ) from None

    def finish_run(self, run: str, finished: float, summary: Mapping[str, Any]) -> None:
        """Log the end and the result of a run.

        Args:
            run: Id of the run.
            finished: Time at which the run ended, s since 1970.
            summary: Result of the command, as data for JSON.
        """
        with self._transaction():
            self._connection.execute(
                "UPDATE runs SET finished = ?, summary = ? WHERE id = ?", (finished, json_text(summary), run)
            )

    # reading

    def runs(self) -> Iterator[RunRecord]:
        """Yield all logged runs, the newest first."""
        return self._runs("TRUE", ())

    def run(self, name: str) -> RunRecord:
        """Return one logged run.

        Args:
            name: Id of the run, first characters of the id that no other id has, or `last` for the newest run.

        Raises:
            RunLogError: No logged run has this name, or several ids begin with it.
        """
        if name == "last":
            newest = next(self.runs(), None)
            if newest is not None:
                return newest
        found = list(self._runs("id = ?", (name,))) or list(self._runs("substr(id, 1, ?) = ?", (len(name), name)))
        if len(found) > 1:
            raise RunLogError(
                f"several runs have ids that begin with '{name}', so give more characters:"
                f" {', '.join(run.id for run in found)}"
            )
        if not found:
            hint = suggestion(name, [run.id for run in self.runs()]) or "'ctrlgraph log runs' lists them"
            raise RunLogError(f"no run '{name}' is logged ({hint})")
        return found[0]

    def _runs(self, condition: str, values: Sequence[Any]) -> Iterator[RunRecord]:
        with self._errors():
            rows = self._connection.execute(
                f"SELECT {', '.join(RUN_COLUMNS)} FROM runs WHERE {condition} ORDER BY started DESC, rowid DESC", values
            )
            for row in rows:
                yield self._sound(run_of, row, f"run '{row[0]}'")

    def walks(self, run: str) -> list[int]:
        """Return the indices of the walks of a run that have attempts, in rising order."""
        rows = self._rows("SELECT DISTINCT walk FROM attempts WHERE run = ? ORDER BY walk", (run,))
        return [self._sound(int, row[0], f"a walk of run '{run}'") for row in rows]

    def statistics(
        self,
        runs: Sequence[str] = (),
        *,
        node: str | None = None,
        edge_hashes: Sequence[str] | None = None,
        engine: str | None = None,
    ) -> Statistics:
        """Return success rates and failures of the attempts that meet all given conditions.

        The required memory does not grow with the log.

        Args:
            runs: Ids of the runs whose attempts count. Empty: all runs.
            node: Name of a node. Attempts at the node, and attempts directly after it, count. None: all nodes.
            edge_hashes: Attempts with one of these hashes count (see `AttemptRecord.edge_hash`). None: all attempts.
            engine: Name of an engine. Attempts on this engine count. None: all engines.
        """
        on_engine = None if engine is None else [run.id for run in self.runs() if run.engine == engine]
        conditions, values = ["TRUE"], list[str]()
        for column, among in (("run", runs or None), ("run", on_engine), ("edge_hash", edge_hashes)):
            if among is not None:
                conditions.append(f"{column} IN (SELECT value FROM json_each(?))")
                values.append(json.dumps(list(among)))
        if node is not None:
            conditions.append("? IN (node, source)")
            values.append(node)
        names = ", ".join(PICKED)
        source = f"main.attempts WHERE {' AND '.join(conditions)}"
        try:
            with self._errors():
                create_picked(self._connection)
                try:
                    self._connection.execute(f"INSERT INTO temp.picked ({names}) SELECT {names} FROM {source}", values)
                    return statistics_of_picked(self._connection)
                finally:
                    self._connection.execute("DROP TABLE temp.picked")
        except sqlite3.IntegrityError as error:
            raise self._damaged(str(error).replace("picked.", "attempts.")) from None

    def attempts(self, run: str | None = None, *, walk: int | None = None) -> Iterator[AttemptRecord]:
        """Yield logged attempts: of one run sorted by walk and position, or of all runs in the order of logging.

        Args:
            run: Id of the run. None: all runs.
            walk: Index of the walk in its run. None: all walks.
        """
        conditions = {"run = ?": run, "walk = ?": walk}
        given = {condition: value for condition, value in conditions.items() if value is not None}
        order = "rowid" if run is None else "walk, position"
        query = f"SELECT {_NAMED} FROM attempts WHERE {' AND '.join(['TRUE', *given])} ORDER BY {order}"
        with self._errors():
            for row in self._connection.execute(query, list(given.values())):
                yield self._sound(attempt_of, row, f"attempt {row[2]} of walk {row[1]} of run '{row[0]}'")

    def counts(self) -> dict[str, tuple[int, int]]:
        """Return (number of attempts, number of successes) of each run with attempts, by id of the run."""
        rows = self._rows("SELECT run, COUNT(*), SUM(status = 'completed') FROM attempts GROUP BY run")
        return {row[0]: (row[1], row[2] or 0) for row in rows}

    def edge_results(self, edge_hashes: Sequence[str]) -> dict[str, tuple[int, int, float]]:
        """Count the attempts and successes for each of some edge hashes (see `AttemptRecord.edge_hash`).

        Args:
            edge_hashes: Hashes to count.

        Returns:
            (number of attempts, number of successes, mean simulated duration of the successful attempts in s, NaN if
            none was successful) by hash. Hashes without attempts are omitted.
        """
        rows = self._rows(
            "SELECT edge_hash, COUNT(*), SUM(status = 'completed'),"
            " AVG(CASE WHEN status = 'completed' THEN simulated_s END)"
            " FROM attempts WHERE edge_hash IN (SELECT value FROM json_each(?)) GROUP BY edge_hash",
            [json.dumps(list(edge_hashes))],
        )
        return {name: (count, ok, math.nan if mean_s is None else mean_s) for name, count, ok, mean_s in rows}

    def attempts_after(self, run: str, mark: int) -> tuple[int, list[AttemptRecord]]:
        """Return the attempts of a run that were logged since the previous call.

        Args:
            run: Id of the run.
            mark: Row number in the log that the previous call has returned; 0 at the first call.

        Returns:
            Row number to pass to the next call, and the new attempts.
        """
        rows = self._rows(
            f"SELECT rowid, {_NAMED} FROM attempts WHERE run = ? AND rowid > ? ORDER BY rowid", (run, mark)
        )
        attempts = [self._sound(attempt_of, row[1:], f"attempt {row[3]} of walk {row[2]}") for row in rows]
        return max((row[0] for row in rows), default=mark), attempts
