"""Comparison of two programs by phase. After an edit, the part of a run with unchanged phases need not be repeated."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property

from ctrlgraph.control.script.codes import OMITTED
from ctrlgraph.control.script.execution.state import DEPTH, ENTRIES, LEVEL_ENTRY, LEVEL_PHASE, ControlState
from ctrlgraph.control.script.identity import PhaseDigests
from ctrlgraph.control.script.program import (
    FRAME_FIRST_PHASE,
    PHASE_CALL,
    PHASE_FRAME,
    TRANSITION_TARGET,
    Program,
)


@dataclass(frozen=True)
class ActivePhases:
    """Rows of the active phases, the outermost first, and a number of phases that have ended.

    These have begun since the previous comparison and are no longer active.
    """

    rows: tuple[int, ...]
    unseen: int


def active_phases(state: ControlState, entries_before: int) -> ActivePhases:
    """Return the active phases.

    Args:
        state: control state.
        entries_before: value of `entries` at the previous comparison.
    """
    depth = int(state.counters[DEPTH])
    levels = state.levels[: depth + 1]
    seen = int((levels[:, LEVEL_ENTRY] > entries_before).sum())
    rows = tuple(levels[:, LEVEL_PHASE].tolist())
    return ActivePhases(rows, int(state.counters[ENTRIES]) - entries_before - seen)


def entries(state: ControlState) -> int:
    """Return the number of phases that have begun."""
    return int(state.counters[ENTRIES])


class Correspondence:
    """Equal phases of two programs.

    `rows` maps the row of a phase of the first program to the row of the equal phase of the second one.
    """

    def __init__(self, before: Program, after: Program, digests: Callable[[Program], PhaseDigests]) -> None:
        """
        Args:
            before: the first program.
            after: the second program.
            digests: returns `identity.phase_digests` of a program for the character of both.
        """
        old, new = digests(before), digests(after)
        self.rows = {row: new[path][0] for path, (row, digest) in old.items() if new.get(path, (0, ""))[1] == digest}
        self._before = before
        self._first = int(before.frames[0, FRAME_FIRST_PHASE])
        self.begins_alike = self.rows.get(self._first) == int(after.frames[0, FRAME_FIRST_PHASE])
        """Whether both begin with the same phase. If not, no part of a run can be reused."""

    @property
    def complete(self) -> bool:
        """Return whether the second program does the same as the first."""
        return self.begins_alike and len(self.rows) == len(self._before.phases)

    def holds(self, active: ActivePhases, before: ActivePhases | None = None) -> bool:
        """Return whether only phases that are equal in both programs have begun.

        Args:
            active: the active phases.
            before: the active phases at the previous comparison; None at the beginning.
        """
        if not self._all_of(active.rows):
            return False
        if not active.unseen:
            return True
        if before is None:
            return self._all_of({self._first, *self._within((self._first,), active.unseen)})
        return self._all_of(self._within(before.rows, active.unseen))

    def seen(self, active: ActivePhases) -> ActivePhases:
        """Return active phases of the first program, for which `holds` is true, as phases of the second one.

        Raises:
            KeyError: a phase has no equal phase in the second program.
        """
        return ActivePhases(tuple(self.rows[row] for row in active.rows), active.unseen)

    def carried(self, state: ControlState) -> ControlState:
        """Return a state of the first program as one of the second, for phases for which `holds` is true.

        Raises:
            KeyError: an active phase has no equal phase in the second program.
        """
        levels = state.levels.copy()
        for level in range(int(state.counters[DEPTH]) + 1):
            levels[level, LEVEL_PHASE] = self.rows[int(levels[level, LEVEL_PHASE])]
        copied = {name: array.copy() for name, array in state._asdict().items()}
        return ControlState(**copied | {"levels": levels})

    def _within(self, origin: tuple[int, ...], steps: int) -> set[int]:
        """Return the phases that can be reached from `origin` within a number of transitions."""
        reached: set[int] = set()
        edge = set(origin)
        for _ in range(steps):
            edge = {after for row in edge for after in self._followers[row]} - reached
            reached |= edge
        return reached

    def _all_of(self, rows: Iterable[int]) -> bool:
        return all(row in self.rows for row in rows)

    @cached_property
    def _followers(self) -> dict[int, set[int]]:
        """For each phase, the phases that can begin next: its targets, its call, and those after its callers."""
        program = self._before
        caller = {int(row[PHASE_CALL]): i for i, row in enumerate(program.phases) if row[PHASE_CALL] != OMITTED}
        first = program.frames[:, FRAME_FIRST_PHASE].tolist()
        found: dict[int, set[int]] = {}
        for row, phase in enumerate(program.phases.tolist()):  # callers come before called scripts
            leads = program.transitions_of(row)[:, TRANSITION_TARGET]
            after = {int(target) for target in leads if target >= 0}
            if phase[PHASE_CALL] != OMITTED:
                after.add(first[phase[PHASE_CALL]])
            above = caller.get(phase[PHASE_FRAME])
            if above is not None:  # a failure without a transition in the caller leaves the caller, too
                after |= found[above]
            elif (leads < 0).any():
                after.add(first[0])
            found[row] = after
        return found
