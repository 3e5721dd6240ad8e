"""Progress of an integration (on stderr), and the picture of the terminal state."""

from __future__ import annotations

import contextlib
import math
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from ctrlgraph.cli import console
from ctrlgraph.cli.display.searches import showing_search
from ctrlgraph.cli.options.pictures import Pictures, write_pictures
from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.paths import display_path

if TYPE_CHECKING:
    from ctrlgraph.insertion.insertion import Integration
    from ctrlgraph.insertion.probe import TerminalState
    from ctrlgraph.optimization.search import SearchResult
    from ctrlgraph.project.project import Project


class IntegrationDisplay(contextlib.ExitStack):
    """Progress on stderr: bars for probe rollouts, trials and each search; the first two with an estimated time."""

    def __init__(self, seed: int, minutes: float) -> None:
        """
        Args:
            seed: Seed of the integration.
            minutes: Maximum wall time for learning, min.
        """
        super().__init__()
        self._seed: int | None = seed
        self._minutes = minutes
        self._began = 0.0
        self._done = self._first = 0
        self._run_s = math.nan
        self._advance: Callable[[int], None] = lambda done: None
        self._show: Callable[[SearchResult], None] = lambda done: None

    def begun(self, what: str, total: int) -> None:
        """Show the number of probe rollouts or trials."""
        self._end()
        if self._seed is not None:
            console.echo(f"seed {self._seed}", err=True)
            if self._minutes > 0.0:
                most = console.duration(60.0 * self._minutes)
                console.echo(f"promising transitions are learned for at most {most} (--minutes) afterwards", err=True)
            self._seed = None
        # a probe rollout takes as long as a trial: both lead to the node and run it
        about = "" if math.isnan(self._run_s) else f", about {console.duration(total * self._run_s)}"
        console.echo(f"{what}: {total} runs{about}", err=True)
        bar, task = self.enter_context(console.progress(what, total=total))
        self._advance = lambda done: bar.update(task, completed=done)

    def advanced(self, done: int) -> None:
        """Show the number of finished ones."""
        if self._done == 0:  # compilation and reading precede the first one
            self._began, self._first = time.monotonic(), done
        self._done = done
        self._advance(done)

    def searching(self, what: str, generations: int) -> None:
        """Show that a search begins."""
        self._end()
        console.echo(f"learning {what}", err=True)
        self._show = self.enter_context(showing_search(generations, what))

    def generation(self, done: SearchResult) -> None:
        """Show a finished generation."""
        self._show(done)

    def _end(self) -> None:
        if self._done > self._first:
            self._run_s = (time.monotonic() - self._began) / (self._done - self._first)
        self._done = self._first = 0
        self.close()


SHOWN_S = 2.0
"""Duration of the last part of a rollout that is drawn, s."""


def draw_ending(project: Project, found: Integration, picture: Path | None, as_json: bool) -> Path | None:
    """Draw the end of a rollout that reaches the intended terminal state, or of any rollout where none does.

    Args:
        project: The project.
        found: The integration.
        picture: File to write; None: a file beside the proposal.
        as_json: Print on stderr.

    Returns:
        The picture; None where there is none.
    """
    from ctrlgraph.insertion.proposal import proposal_path
    from ctrlgraph.project.rollout import node_rollout
    from ctrlgraph.project.rollout_request import RolloutRequest, carry_out

    node, shown = found.node, _shown_run(found)
    if shown is None:
        return None
    if picture is None:
        picture = proposal_path(project, node.name).with_name(f"{node.name}.png")
    rollout = node_rollout(node, (project.controller(node), node.cycles[0]), node.cycles[0])
    try:
        after = project.graph.node(shown.source) if shown.source else None
        result = carry_out(project, RolloutRequest(node.name, rollout), after=after)
        picture.parent.mkdir(parents=True, exist_ok=True)
        end = float(result.trace.time[-1])
        write_pictures(
            result.trace.between(max(result.began, end - SHOWN_S), end),
            Pictures(picture),
            character=project.character,
            title=_title(node.name, shown),
            note=_posture(shown),
            engine=project.engine,
        )
    except (CtrlGraphError, OSError) as error:
        console.echo(f"no picture: {error}", err=True)
        return None
    console.echo(f"how it ends: {display_path(picture)}", err=as_json)
    return picture


def _shown_run(found: Integration) -> TerminalState | None:
    """Return a rollout with the intended end, else one that was entered from a node."""
    meant = [ending for ending in found.looks if ending.completed]
    core = [e for e in meant if found.groups and e.source in found.groups[0].sources and e.source]
    reached = [ending for ending in found.looks if ending.entry is not None]
    after = [ending for ending in reached if ending.source]
    return next(iter([*core, *meant, *after, *reached]), None)


def _title(name: str, ending: TerminalState) -> str:
    """Return the node before it and how it ends, for a title."""
    from ctrlgraph.insertion.clustering import posture_text
    from ctrlgraph.insertion.insertion_report import how_it_ended

    after = f" after {ending.source}" if ending.source else ""
    end = how_it_ended(ending) if ending.end is None or ending.fall_exit else posture_text(ending.end)
    return f"{name}{after}: {end}"


def _posture(ending: TerminalState) -> str:
    """Return the measures of a terminal state."""
    if ending.end is None:
        return "the end"
    end = ending.end
    feet = f"{end.feet_contact} feet, {end.hands_contact} hands on the ground"
    return f"torso {end.torso:.2f} rad, com_height {end.com_height:.2f} m, com_speed {end.com_speed:.2f} m/s, {feet}"
