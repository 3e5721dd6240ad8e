"""Comparison of two compiled scripts, phase by phase.

It is used after an edit of a script: the part of a recorded motion in which only unchanged phases were active need not
be simulated again.
"""

from __future__ import annotations

from collections.abc import Callable

from ctrlgraph.control.controller import Controller
from ctrlgraph.control.script.execution.state import DEPTH, ENTRIES, LEVEL_ENTRY, LEVEL_PHASE, ControlState
from ctrlgraph.control.script.identity import PhaseDigests
from ctrlgraph.control.script.program import FRAME_FIRST_PHASE, Program

ActivePhases = tuple[int, ...]
"""Rows of the active phases in `Program.phases`: first the phase of the root script, then those of called scripts.

Empty if further phases have begun and ended since the previous sample.
"""


def active_phases(state: object, entries_before: int) -> ActivePhases:
    """Return the rows of the active phases in `Program.phases`, from the root script to the innermost called script.

    The result is empty if the state is not that of a script, or if further phases have begun and ended since the
    previous sample.

    Args:
        state: state of a controller.
        entries_before: result of `entries` for the state at the previous sample.
    """
    if not isinstance(state, ControlState):
        return ()
    levels = state.levels[: int(state.counters[DEPTH]) + 1]
    begun = int((levels[:, LEVEL_ENTRY] > entries_before).sum())
    return tuple(levels[:, LEVEL_PHASE].tolist()) if entries(state) == entries_before + begun else ()


def entries(state: object) -> int:
    """Return how many times a phase has begun so far; 0 if the state of the controller is not that of a script."""
    return int(state.counters[ENTRIES]) if isinstance(state, ControlState) else 0


class Correspondence:
    """The phases that are equal in two compiled scripts, such as a script before and after an edit.

    Phases are equal if they have the same digest and the same path of calls (`identity.PhasePath`). `rows` maps the row
    of a phase in the first program's `phases` to that of the equal phase in the second program's `phases`.
    """

    def __init__(self, before: Program, after: Program, digests: Callable[[Program], PhaseDigests]) -> None:
        """
        Args:
            before: the first program.
            after: the second program.
            digests: function that returns `identity.phase_digests` of a program for the character of both programs.
        """
        old, new = digests(before), digests(after)
        self.rows = {row: new[path][0] for path, (row, digest) in old.items() if new.get(path, (0, ""))[1] == digest}
        self._before = before
        first = int(before.frames[0, FRAME_FIRST_PHASE])
        self.begins_alike = self.rows.get(first) == int(after.frames[0, FRAME_FIRST_PHASE])
        """Whether both programs begin with equal phases. If not, no part of a recorded motion can be reused."""

    @property
    def complete(self) -> bool:
        """Return whether every phase of the first program has an equal phase in the second program.

        The phases with which the programs begin must be equal to each other, too.
        """
        return self.begins_alike and len(self.rows) == len(self._before.phases)

    def holds(self, active: ActivePhases) -> bool:
        """Return whether each of some phases of the first program has an equal phase in the second program.

        Args:
            active: rows of the phases in the first program; if it is empty, because the phases are unknown, the result
                is False.
        """
        return bool(active) and all(row in self.rows for row in active)

    def seen(self, active: ActivePhases) -> ActivePhases:
        """Return the rows of the second program's phases that are equal to some phases of the first program.

        Args:
            active: rows of the phases in the first program, for which `holds` is true.
        """
        return tuple(self.rows[row] for row in active)

    def carried(self, state: ControlState) -> ControlState:
        """Convert a state of the first program to the same state of the second program. `state` is not changed.

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
        digests: function that returns `identity.phase_digests` of a program for the character of both controllers.
    """
    if isinstance(before, Program) and isinstance(after, Program):
        return Correspondence(before, after, digests)
    return None
