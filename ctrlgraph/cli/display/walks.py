"""Output of walks (nodes run one after another): progress on stderr, tables of their success, and pictures."""

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
    """Return the command line of this process as a text such as "ctrlgraph walk --seed 1", for the run log."""
    return shlex.join(["ctrlgraph", *sys.argv[1:]])


class WalkDisplay(contextlib.ExitStack):
    """Progress bar of a walk on stderr, with the current node and the numbers of transitions, failures and resets.

    The walk calls a method of this observer at each event.
    """

    def __init__(self, static: frozenset[str], total: int | None = None) -> None:
        """Show the progress bar.

        Args:
            static: Names of the nodes that are static poses.
            total: Number of transitions at which the bar is full. None: unknown.
        """
        from ctrlgraph.walks.tally import Tally

        super().__init__()
        self.tally: Tally = Tally(static)
        self._bar, self._task = self.enter_context(console.progress("walking", total=total))

    def run_began(self, run: str, seed: int) -> None:
        """Do nothing when the logged run begins. The method `began` shows each node, including the first."""

    def planned(self, plan: GoalPlan) -> None:
        """Print the planned path of a walk to a goal, above the progress bar."""
        console.stderr().print(plan.explain())

    def looked_ahead(self, prospect: Prospect) -> None:
        """Print the transitions that were tried in a copy of the simulation and chosen, above the progress bar."""
        console.stderr().print(prospect.sentence())

    def began(self, node: str, cycles: int) -> None:
        """Show the name of the node that begins, and how many cycles (repetitions) it runs."""
        self._show(node if cycles == 1 else f"{node} x{cycles}")

    def simulated(self, seconds: float) -> None:
        """Ignore the progress within a node: its simulated time is not shown."""

    def ended(self, attempt: AttemptRecord) -> None:
        """Add a finished attempt (one node tried in the walk) to the counts, and show these."""
        self.tally.add(attempt)
        self._show(attempt.node)

    def _show(self, node: str) -> None:
        tally = self.tally
        counts = f"{tally.transitions} transitions, {tally.failed} failed, {tally.resets} resets"
        self._bar.update(self._task, completed=tally.transitions, description=f"{node}: {counts}")


def print_tally(tally: Tally) -> None:
    """Print how often each node and edge of a walk succeeded, and the numbers of transitions and failures."""
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
    """Draw pictures of the first walk of a logged run from its stored states.

    Args:
        project: Project with the run.
        world: Environment (engine settings, terrain, body and disturbances) of the walk.
        run: Id of the logged run.
        pictures: Pictures to draw.

    Returns:
        Paths of the files written; empty if no states are stored.
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
    """Draw pictures of a walk.

    Args:
        project: Project whose graph was walked.
        world: Environment (engine settings, terrain, body and disturbances) of the walk.
        title: Title of the filmstrip.
        states: Sampled states of the walk, or of its beginning.
        attempts: Attempts (nodes tried) during these states.
        pictures: Pictures to draw.
        simulated_s: Duration of the whole walk, simulated s.

    Returns:
        Paths of the files written.
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
    """Print each warning as a line on stderr."""
    for sentence in warnings:
        console.echo(f"warning: {sentence}", err=True)
