"""Comparison of two programs by phase. After an edit, the part of a run with unchanged phases need not be repeated."""

from __future__ import annotations

from collections.abc import Callable

from ctrlgraph.control.controller import Controller
from ctrlgraph.control.script.execution.state import DEPTH, ENTRIES, LEVEL_ENTRY, LEVEL_PHASE, ControlState
from ctrlgraph.control.script.identity import PhaseDigests
from ctrlgraph.control.script.program import FRAME_FIRST_PHASE, Program

ActivePhases = tuple[int, ...]
"""Rows of the active phases, the outermost first. Empty if other phases have begun and ended since the previous sample.
"""


def active_phases(state: object, entries_before: int) -> ActivePhases:
    """Return the active phases; none if the state is not that of a script.

    Args:
        state: control state.
        entries_before: value of `entries` at the previous sample.
    """
    if not isinstance(state, ControlState):
        return ()
    levels = state.levels[: int(state.counters[DEPTH]) + 1]
    begun = int((levels[:, LEVEL_ENTRY] > entries_before).sum())
    return tuple(levels[:, LEVEL_PHASE].tolist()) if entries(state) == entries_before + begun else ()


def entries(state: object) -> int:
    """Return the number of phases that have begun; 0 if the state is not that of a script."""
    return int(state.counters[ENTRIES]) if isinstance(state, ControlState) else 0


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
        first = int(before.frames[0, FRAME_FIRST_PHASE])
        self.begins_alike = self.rows.get(first) == int(after.frames[0, FRAME_FIRST_PHASE])
        """Whether both begin with the same phase. If not, no part of a run can be reused."""

    @property
    def complete(self) -> bool:
        """Return whether the second program does the same as the first."""
        return self.begins_alike and len(self.rows) == len(self._before.phases)

    def holds(self, active: ActivePhases) -> bool:
        """Return whether the phases are known and equal in both programs."""
        return bool(active) and all(row in self.rows for row in active)

    def seen(self, active: ActivePhases) -> ActivePhases:
        """Return active phases of the first program, for which `holds` is true, as phases of the second one."""
        return tuple(self.rows[row] for row in active)

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


def correspondence(
    before: Controller, after: Controller, digests: Callable[[Program], PhaseDigests]
) -> Correspondence | None:
    """Return the equal phases of two controllers; None if one of them is not a script.

    Args:
        before: the first controller.
        after: the second controller.
        digests: returns `identity.phase_digests` of a program for the character of both.
    """
    if isinstance(before, Program) and isinstance(after, Program):
        return Correspondence(before, after, digests)
    return None
