"""`ctrlgraph courses`: walk many random courses to their end."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

import click

from ctrlgraph.cli import console
from ctrlgraph.cli.exit_codes import ExitCode
from ctrlgraph.cli.numbers import FloatRange
from ctrlgraph.cli.settings import Settings, engine_option, jobs_option
from ctrlgraph.cli.walk_display import MAX_SEED, command_line, drawn_seed
from ctrlgraph.errors import CtrlGraphError, printable
from ctrlgraph.terrain.course import MAX_LENGTH, RANDOM_KINDS, RANDOM_LENGTH
from ctrlgraph.terrain.pieces import PIECES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ctrlgraph.walkthrough.courses import CourseBenchmark, CourseResult


@click.command()
@click.option("--count", type=click.IntRange(1, 10_000), default=20, show_default=True, help="Courses.")
@click.option("--length", type=FloatRange(1, MAX_LENGTH), default=RANDOM_LENGTH, show_default=True, help="In m.")
@click.option(
    "--kinds",
    default=",".join(RANDOM_KINDS),
    show_default=True,
    metavar="KIND[,...]",
    help=f"Pieces that courses are drawn from, of {', '.join(PIECES)}.",
)
@click.option(
    "--tries", type=click.IntRange(1, 100_000), help="Transitions simulated for one plan, at most.  [default: 100]"
)
@jobs_option("Processes that share the courses.", default=1)
@click.option("--seed", type=click.IntRange(0, MAX_SEED), help="Of all that is drawn; without it, a new one.")
@click.option("--friction", type=FloatRange(0, 10), default=1.0, help="Of the ground.", show_default=True)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@engine_option
@click.pass_context
def command(
    ctx: click.Context,
    count: int,
    length: float,
    kinds: str,
    tries: int | None,
    jobs: int,
    seed: int | None,
    friction: float,
    as_json: bool,
) -> None:
    """Walk random courses to their end, and tell how many were finished without a reset.

    Each course is drawn by a seed of its own and walked once from the start pose, as `goto --x` walks it; every one is
    a logged run. The same seed gives the same courses and walks, whatever the number of jobs. The interval is of 95 %.
    """
    from ctrlgraph.parallel import IsolatedProcesses
    from ctrlgraph.walkthrough import walk_courses
    from ctrlgraph.walkthrough.lookahead import MAX_TRIES

    settings: Settings = ctx.obj
    project = settings.project()
    wanted = [kind for kind in kinds.split(",") if kind]
    if not wanted:
        raise CtrlGraphError("--kinds names no kind of pieces")
    with contextlib.ExitStack() as stack:
        executor = stack.enter_context(IsolatedProcesses(jobs)) if jobs > 1 else None
        on_result = stack.enter_context(_counted(count)) if as_json else _print_result
        found = walk_courses(
            project,
            count=count,
            seed=drawn_seed(seed),
            length=length,
            kinds=wanted,
            friction=friction,
            max_tries=tries or MAX_TRIES,
            command=command_line(),
            executor=executor,
            on_result=on_result,
        )
    if as_json:
        console.print_json(found.as_dict())
    else:
        _print(found)
    if found.interrupted:
        console.echo("interrupted: what had ended by then is logged", err=True)
        ctx.exit(ExitCode.INTERRUPTED)
    ctx.exit(ExitCode.DONE)


@contextlib.contextmanager
def _counted(count: int) -> Iterator[Callable[[CourseResult], None]]:
    """A bar of the courses that have ended, where nothing is printed of each."""
    with console.progress("courses", total=count) as (bar, task):
        yield lambda _: bar.update(task, advance=1)


def _print_result(result: CourseResult) -> None:
    x = result.summary.get("x", 0.0)
    end = "finished" if result.reached else f"came to {x:.1f} m: {result.reason}"
    console.stdout().print(
        printable(f"course {result.number}, seed {result.seed}: {end}"), markup=False, highlight=False
    )


def _print(found: CourseBenchmark) -> None:
    low, high = found.count.interval
    sentence = f"{found.count.successes} of {found.count.trials} courses of {found.length:g} m finished"
    sentence += f" ({100 * low:.0f}-{100 * high:.0f} %), seed {found.seed}"
    if found.stopped_by:
        sentence += "; the others stopped before " + ", ".join(f"{kind}: {n}" for kind, n in found.stopped_by.items())
    console.stdout().print(sentence, markup=False, highlight=False)
