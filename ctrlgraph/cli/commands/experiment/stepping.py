"""`ctrlgraph experiment stepping`: walk over gaps with a gait set (gaits of many strides and speeds)."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, cast

import click

from ctrlgraph.cli import console
from ctrlgraph.cli.exit_codes import ExitCode
from ctrlgraph.cli.options.common import Settings, engine_option, json_option, seed_option
from ctrlgraph.cli.options.world import WorldOptions, world_option

if TYPE_CHECKING:
    from ctrlgraph.control.stepping.stepping import Stepping
    from ctrlgraph.robustness.gaits.stepping import Crossing
    from ctrlgraph.terrain.terrain import Terrain


@click.command()
@click.argument("action", type=click.Choice(("tabulate", "walk")))
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@world_option(("terrain",), "walk: the ground, instead of random courses")
@click.option("--courses", type=click.IntRange(1, 10_000), default=20, help="walk: number of random courses.")
@click.option("--ideal", is_flag=True, help="walk: simulate the reduced dynamics instead of an engine.")
@seed_option("walk: seed of the first course.")
@json_option(
    "summary, courses, crossed, low, high, reachable, reasons, walks (walk); summary, steps, continued (tabulate)"
)
@engine_option
@click.pass_context
def command(
    ctx: click.Context,
    action: str,
    file: Path,
    world: WorldOptions,
    courses: int,
    ideal: bool,
    seed: int,
    as_json: bool,
) -> None:
    """Step over gaps with gaits of many strides and speeds.

    FILE is a stepping file, which names the gaits. `tabulate` simulates a step of each gait from each state of the
    reduced dynamics (the motion while the gait is tracked exactly), and stores the outcomes. `walk` crosses random
    courses of gaps (course i has the seed plus i), or the ground of --with. Intervals are 95 %. The exit code is 1 if
    the ground of --with was not crossed.

    Examples:
      ctrlgraph experiment stepping tabulate stepping/over_gaps.yaml
      ctrlgraph experiment stepping walk stepping/over_gaps.yaml --courses 10
    """
    settings: Settings = ctx.obj
    terrain = world.terrain if world.given else None
    if action == "tabulate":
        found = _tabulate(settings, file)
    else:
        found = _walk(settings, file, terrain, courses, ideal, seed, quiet=as_json)
    if as_json:
        console.print_json(found)
    else:
        console.echo(found["summary"])
    # for random courses, the number of crossed courses is the result, and none is an error
    ctx.exit(ExitCode.of(terrain is None or bool(found.get("crossed", True))))


def _tabulate(settings: Settings, file: Path) -> dict[str, object]:
    from ctrlgraph.character.planar_model import require_planar
    from ctrlgraph.control.stepping.gait_set import GaitSet
    from ctrlgraph.control.stepping.sampler import StepSampler
    from ctrlgraph.control.stepping.stepping import read_entry
    from ctrlgraph.paths import contained
    from ctrlgraph.policies import OutcomeStatus, tabulate

    character, entry = require_planar(settings.project().character, "a table of steps"), read_entry(file)[1]
    gaits = GaitSet.load(contained(file.parent, entry.gaits), character.digest)
    sampler = StepSampler(character, gaits, entry.feedback)
    path = contained(file.parent, entry.steps)
    with console.progress("simulating steps", total=sampler.space.grid.size) as (bar, task):
        table = tabulate(sampler.space, sampler.outcomes, path, lambda done: bar.update(task, completed=done))
    steps, on = table.status.size, table.count(OutcomeStatus.CONTINUED)
    text = f"{steps} steps simulated; {100 * on / steps:.0f} % of them can be continued"
    return {"summary": text, "steps": steps, "continued": on}


def _walk(
    settings: Settings, file: Path, terrain: str | None, courses: int, ideal: bool, seed: int, *, quiet: bool
) -> dict[str, object]:
    from ctrlgraph.engine.engine import ENGINES
    from ctrlgraph.robustness.gaits.stepping import cross, cross_ideally, gap_course, summary
    from ctrlgraph.terrain.course_file import terrain_words
    from ctrlgraph.terrain.words import parse

    project = settings.project()
    if not ideal:
        ENGINES[project.engine].load()  # report a missing engine before planning
    stepping = cast("Stepping", project.read_controller("stepping", file))

    def crossing(ground: Terrain, number: int) -> Crossing:
        if ideal:
            return cross_ideally(stepping, ground, number)
        return cross(stepping, ground, number, project.engine)

    if terrain is not None:
        one = crossing(parse(terrain_words(terrain)), 0)
        return {"summary": _line(one), **summary([one]), "walks": [one.as_dict()]}
    found = []
    with console.progress("walking courses", total=courses) as (bar, task):
        for number in range(seed, seed + courses):
            found.append(crossing(gap_course(number, stepping.entry.length), number))
            bar.update(task, advance=1)
            if not quiet:
                console.echo(_line(found[-1]))
    totals = summary(found)
    reasons = "; ".join(f"{reason}: {count}" for reason, count in totals["reasons"].items())
    interval = f"({100 * totals['low']:.0f}-{100 * totals['high']:.0f} %)"
    text = f"{totals['crossed']} of {totals['courses']} courses crossed {interval}, seeds from {seed}"
    text += f"; {reasons}" if reasons else ""
    return {"summary": text, "seed": seed, **totals, "walks": [walk.as_dict() for walk in found]}


def _line(one: Crossing) -> str:
    last = f" at {one.steps[-1].ankle:.1f} m" if one.steps else ""
    end = "crossed" if one.crossed else f"{one.reason}{last}"
    return f"course {one.seed}: {end}; {len(one.steps)} steps, {one.seconds:.1f} s"
