"""Progress of walks (on a terminal, on stderr), and the tables at their end."""

from __future__ import annotations

import contextlib
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ctrlgraph.cli import console

if TYPE_CHECKING:
    from ctrlgraph.cli.options.pictures import Pictures
    from ctrlgraph.graph.goal_planner import GoalPlan
    from ctrlgraph.project.project import Project
    from ctrlgraph.run_log.record import AttemptRecord
    from ctrlgraph.simulation.environment import Environment
    from ctrlgraph.walks.lookahead import Prospect
    from ctrlgraph.walks.states import WalkStates
    from ctrlgraph.walks.tally import Tally


def command_line() -> str:
    """Return the command line, for the log."""
    return shlex.join(["ctrlgraph", *sys.argv[1:]])


class WalkDisplay(contextlib.ExitStack):
    """Progress of a walk: the running node, the transitions, and how many failed."""

    def __init__(self, static: frozenset[str], total: int | None = None) -> None:
        """
        Args:
            static: Names of the static poses.
            total: Number of transitions; None where it is unknown.
        """
        from ctrlgraph.walks.tally import Tally

        super().__init__()
        self.tally: Tally = Tally(static)
        self._bar, self._task = self.enter_context(console.progress("walking", total=total))

    def run_began(self, run: str, seed: int) -> None:
        """Do nothing: the first node is shown when it begins."""

    def planned(self, plan: GoalPlan) -> None:
        """Print a plan above the display."""
        console.stderr().print(plan.explain())

    def looked_ahead(self, prospect: Prospect) -> None:
        """Print the planner's result above the display."""
        console.stderr().print(prospect.sentence())

    def began(self, node: str, cycles: int) -> None:
        """Show the running node."""
        self._show(node if cycles == 1 else f"{node} x{cycles}")

    def simulated(self, seconds: float) -> None:
        """Do nothing: the time of the running node is not shown."""

    def ended(self, attempt: AttemptRecord) -> None:
        """Count a finished attempt."""
        self.tally.add(attempt)
        self._show(attempt.node)

    def _show(self, node: str) -> None:
        tally = self.tally
        counts = f"{tally.transitions} transitions, {tally.failed} failed, {tally.resets} resets"
        self._bar.update(self._task, completed=tally.transitions, description=f"{node}: {counts}")


def print_tally(tally: Tally) -> None:
    """Print the tables of nodes and edges, and the counts."""
    out, right = console.stdout(), ("attempts", "succeeded")
    nodes = [(name, str(count.trials), console.success(count)) for name, count in sorted(tally.nodes.items())]
    console.print_table(("node", *right), nodes, right=right)
    out.print()
    edges = [(*edge, str(count.trials), console.success(count)) for edge, count in sorted(tally.edges.items())]
    console.print_table(("from", "to", "kind", *right), edges, right=right)
    out.print()
    failed = f"{tally.failed} failed"
    if tally.failed:
        failed += f" ({tally.recovered} recovered, {tally.resets} reset{'s' * (tally.resets != 1)})"
    out.print(f"{tally.transitions} transitions: {tally.succeeded} succeeded, {failed}")
    out.print(f"{100 * tally.static_share:.0f} % of the time in static poses")


def draw_walk(project: Project, world: Environment, run: str, pictures: Pictures) -> list[Path]:
    """Draw pictures of the first walk of a run from its stored states.

    Args:
        project: The project.
        world: World of the walk.
        run: Id of the run.
        pictures: Pictures to draw.

    Returns:
        Files written; none where no states are stored.
    """
    from ctrlgraph.walks.state_files import MAX_DRAWN, load_states, states_path

    if not pictures:
        return []
    states = load_states(states_path(project.runs_directory, run, 0), at_most=MAX_DRAWN)
    if states is None or len(states.trace) == 0:
        return []
    with project.read_log() as log:
        attempts = list(log.attempts(run, walk=0))
    shown = [attempt for attempt in attempts if attempt.started_s <= states.trace.time[-1]]
    simulated_s = sum(attempt.simulated_s for attempt in attempts)
    return draw_states(project, world, f"run {run}, walk 0", states, shown, pictures, simulated_s)


def draw_states(
    project: Project,
    world: Environment,
    title: str,
    states: WalkStates,
    attempts: Sequence[AttemptRecord],
    pictures: Pictures,
    simulated_s: float,
) -> list[Path]:
    """Draw pictures of the states of a walk; return the files written.

    Args:
        project: The project.
        world: World of the walk.
        title: Title of a filmstrip.
        states: States of the walk or of its beginning.
        attempts: Attempts of these states.
        pictures: Pictures to draw.
        simulated_s: Duration of the whole walk, s.
    """
    from ctrlgraph.cli.options.pictures import write_pictures
    from ctrlgraph.walks.replay import attempt_labels, phase_captions

    return write_pictures(
        states.trace,
        pictures,
        character=world.body.of(project.character),
        terrain=world.ground(),
        labels=attempt_labels(list(attempts)),
        phases=phase_captions(project, attempts, states, world),
        title=title,
        engine=world.engine,
        whole_s=simulated_s,
    )


def warn(warnings: tuple[str, ...]) -> None:
    """Print warnings on stderr."""
    for sentence in warnings:
        console.echo(f"warning: {sentence}", err=True)
