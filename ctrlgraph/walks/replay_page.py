"""HTML pages that play replays of logged walks in a browser."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ctrlgraph.character.spatial_model import SpatialCharacter
from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.files import write_text
from ctrlgraph.playback.encoder import PlaybackEncoder
from ctrlgraph.playback.graph_data import measured_graph
from ctrlgraph.playback.page import ReplayedMotion, replay_page
from ctrlgraph.playback.script_data import scripts_of
from ctrlgraph.run_log.record import AttemptRecord, RunRecord
from ctrlgraph.simulation.environment import Environment
from ctrlgraph.walks.replay import WHOLE, Spare, WalkReplay, replay_walk

if TYPE_CHECKING:
    from ctrlgraph.project.project import Project
    from ctrlgraph.run_log.run_log import RunLog

RATE = 50.0
"""Samples of the motion per simulated second. The page interpolates between samples."""
MAX_SECONDS = 600.0
"""Maximum total simulated duration of the walks of a page, s. A minute takes about a megabyte.

It is also the limit of the simulated time by which all replays together may last longer than logged.
"""
MAX_MOTIONS = 8
"""Maximum number of walks on a page."""

Progress = Callable[[RunRecord, int], None]
"""Function that is called before each walk is simulated, with the log record of the run and the index of the walk."""


def write_replay_page(
    project: Project,
    log: RunLog,
    walks: Sequence[tuple[RunRecord, int]],
    path: Path,
    *,
    shown: tuple[float, float] = WHOLE,
    whole: bool = False,
    progress: Progress | None = None,
) -> list[tuple[RunRecord, WalkReplay]]:
    """Replay logged walks, compare them with the log, and write an HTML page that plays them side by side.

    A replay that differs from the log is shown with a note.

    Args:
        project: the project of the walks.
        log: log of the project.
        walks: (log record of the run, index of the walk in the run) of each walk.
        path: HTML file to write.
        shown: interval (from, to) to show, simulated s since each walk began.
        whole: whether to compare attempts (executions of nodes) outside `shown`, too.
        progress: function that is called before each walk is simulated.

    Returns:
        For each walk, the log record of its run, and the replay with its comparison with the log.

    Raises:
        CtrlGraphError: the page would be too large, or the file cannot be written.
        RunLogError: a run has no walk of this index, a walk ends before `shown`, a replay lasts far longer than logged,
            or the log is damaged.

    >>> import tempfile
    >>> from pathlib import Path
    >>> from ctrlgraph import Project, walk_random
    >>> from ctrlgraph.walks.replay_page import write_replay_page
    >>> project = Project.find()
    >>> run = walk_random(project, transitions=1, seed=3).run
    >>> with tempfile.TemporaryDirectory() as directory, project.read_log() as log:
    ...     made = write_replay_page(project, log, [(log.run(run), 0)], Path(directory) / "walk.html")
    >>> made[0][1].difference is None
    True
    """
    _check_amount(log, walks, shown)
    done, motions, spare = [], [], Spare(MAX_SECONDS)
    for run, walk in walks:
        if progress is not None:
            progress(run, walk)
        replay = replay_walk(
            project, log, run, walk, verify=True, whole=whole, shown=shown, signal_rate=RATE, spare=spare
        )
        seen = replay
        if replay.difference is not None:  # a verified replay ends at the first difference
            seen = replay_walk(project, log, run, walk, shown=shown, signal_rate=RATE, spare=spare)
        done.append((run, replay))
        motions.append(_motion(project, run, replay, seen, shown))
    name = project.directory.absolute().name
    title = f"{name}: {motions[0].title}" if len(motions) == 1 else f"{name}: {len(motions)} walks side by side"
    names = {name for motion in motions for name in motion.scripts}
    graph = measured_graph(project.graph, log.statistics())
    in_space = isinstance(project.character, SpatialCharacter)
    write_text(path, replay_page(title, motions, graph, scripts_of(project, names), in_space=in_space))
    return done


def _check_amount(log: RunLog, walks: Sequence[tuple[RunRecord, int]], shown: tuple[float, float]) -> None:
    if len(walks) > MAX_MOTIONS:
        raise CtrlGraphError(f"a page shows {MAX_MOTIONS} walks at most, not {len(walks)}: give fewer walks")
    seconds = 0.0
    for run, walk in walks:
        ends = max((each.started_s + each.simulated_s for each in log.attempts(run.id, walk=walk)), default=0.0)
        seconds += max(min(ends, shown[1]) - shown[0], 0.0)
    if seconds > MAX_SECONDS:
        what = f"a page shows {MAX_SECONDS:g} simulated seconds at most, not {seconds:.0f}"
        raise CtrlGraphError(f"{what}; give --between A B to show a part")


def _motion(
    project: Project, run: RunRecord, replay: WalkReplay, seen: WalkReplay, shown: tuple[float, float]
) -> ReplayedMotion:
    world = Environment.from_dict(run.settings.get("world", {}))
    character = world.body.of(project.character)
    ground = world.ground() if isinstance(character, SpatialCharacter) else world.planar_ground()
    encoder = PlaybackEncoder(character, ground, tick=world.settings.dt)
    assert seen.signals is not None
    note = "Simulated again; every bit is as logged."
    if replay.is_part:
        first, last = replay.attempts[0], replay.attempts[-1]
        part = f"from {first.started_s:.1f} to {last.started_s + last.simulated_s:.1f} s"
        note = f"Simulated again {part}; every bit is as logged."
    if replay.difference is not None:
        note = f"Different from the log: {replay.difference.sentence()}. The page shows the replayed motion."
    return ReplayedMotion(
        title=f"run {run.id}, walk {replay.walk}",
        note=note,
        warning=replay.difference is not None,
        message=encoder.message(seen.signals),
        rows=[
            _row(attempt)
            for attempt in seen.attempts
            if attempt.started_s <= shown[1] and attempt.started_s + attempt.simulated_s >= shown[0]
        ],
        scripts=tuple(sorted(set(seen.signals.columns["script"].tolist()))),
    )


def _row(attempt: AttemptRecord) -> dict[str, Any]:
    return {
        "time": attempt.started_s,
        "seconds": attempt.simulated_s,
        "node": attempt.node,
        "source": attempt.source,
        "kind": attempt.edge_kind,
        "cycles": attempt.cycles,
        "status": attempt.status,
        "reason": attempt.reason,
    }
