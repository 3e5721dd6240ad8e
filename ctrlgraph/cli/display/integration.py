"""Progress of an integration (on stderr), and the picture of the terminal state."""

from __future__ import annotations

import math
import time
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING

from ctrlgraph.cli import console
from ctrlgraph.cli.display.searches import SearchDisplay
from ctrlgraph.cli.options.pictures import Pictures, write_pictures
from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.paths import display_path

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

    from ctrlgraph.insertion.insertion import Integration
    from ctrlgraph.insertion.probe import TerminalState
    from ctrlgraph.optimization.search import Generation
    from ctrlgraph.project.project import Project


class IntegrationDisplay:
    """What goes on (stderr): a bar of looks and trials, about how long they take, and each search as `learn` shows it.

    Args:
        seed: of all; minutes: how long may be learned.
    """

    def __init__(self, seed: int, minutes: float) -> None:
        self._seed: int | None = seed
        self._minutes = minutes
        self._began = 0.0
        self._done = self._first = 0
        self._run_s = math.nan
        self._bar: Progress | None = None
        self._task: TaskID | None = None
        self._search: SearchDisplay | None = None

    def __enter__(self) -> IntegrationDisplay:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._end()

    def begun(self, what: str, total: int) -> None:
        """Show the number of probe rollouts or trials."""
        self._end()
        if self._seed is not None:  # once, when there is something to be repeated
            console.echo(f"seed {self._seed}", err=True)
            if self._minutes > 0.0:
                most = console.duration(60.0 * self._minutes)
                console.echo(f"what comes near is learned for {most} at most (--minutes), after the trials", err=True)
            self._seed = None
        self._done = self._first = 0
        # looks and trials are alike: a way to the node, and the node
        about = "" if math.isnan(self._run_s) else f", about {console.duration(total * self._run_s)}"
        console.echo(f"{what}: {total} runs{about}", err=True)
        if not console.stderr().is_terminal:
            return
        from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

        columns = (TextColumn("{task.description}", markup=False), BarColumn())
        counts = (TextColumn("{task.completed} of {task.total}"), TimeRemainingColumn())
        self._bar = Progress(*columns, *counts, console=console.stderr(), transient=True)
        self._bar.start()
        self._task = self._bar.add_task(what, total=total)

    def advanced(self, done: int) -> None:
        """Show the number of finished ones."""
        if self._done == 0:  # what comes before the first is compiling and reading as well
            self._began, self._first = time.monotonic(), done
        self._done = done
        if self._bar is not None and self._task is not None:
            self._bar.update(self._task, completed=done)

    def searching(self, what: str, generations: int) -> None:
        """Note that a search begins."""
        self._end()
        console.echo(f"learning {what}", err=True)
        self._search = SearchDisplay(generations, what)
        self._search.__enter__()

    def generation(self, done: Generation) -> None:
        """Note that a generation of it has ended."""
        if self._search is not None:
            self._search.generation(done)

    def _end(self) -> None:
        if self._done > self._first:
            self._run_s = (time.monotonic() - self._began) / (self._done - self._first)
        self._done = 0
        if self._bar is not None:
            self._bar.stop()
        if self._search is not None:
            self._search.__exit__(None, None, None)
        self._bar = self._search = None


LAST_S = 2.0
"""So much of a run is drawn: how it comes to its end."""


def draw_ending(project: Project, found: Integration, picture: Path | None, as_json: bool) -> Path | None:
    """Draw the last moments of a run that ends as is meant, or of any run where none does; the picture, None where
    there is none.
    """
    from ctrlgraph.insertion.proposal_file import proposal_path
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
            result.trace.between(max(result.began, end - LAST_S), end),
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
    """The run of the end that is taken for what is meant; where none is, one after a node."""
    meant = [ending for ending in found.looks if ending.completed]
    core = [e for e in meant if found.groups and e.source in found.groups[0].sources and e.source]
    reached = [ending for ending in found.looks if ending.entry is not None]
    after = [ending for ending in reached if ending.source]
    return next(iter([*core, *meant, *after, *reached]), None)


def _title(name: str, ending: TerminalState) -> str:
    """After which node, and how it ends, in as few words as a picture holds."""
    from ctrlgraph.insertion.clustering import posture_text
    from ctrlgraph.insertion.insertion_report import how_it_ended

    after = f" after {ending.source}" if ending.source else ""
    end = how_it_ended(ending) if ending.end is None or ending.fall_exit else posture_text(ending.end)
    return f"{name}{after}: {end}"


def _posture(ending: TerminalState) -> str:
    """The measures of a run's end."""
    if ending.end is None:
        return "the end"
    end = ending.end
    feet = f"{end.feet_contact} feet, {end.hands_contact} hands on the ground"
    return f"torso {end.torso:.2f} rad, com_height {end.com_height:.2f} m, com_speed {end.com_speed:.2f} m/s, {feet}"
