"""The picture of an integration: how the script comes to the end that is taken for what is meant."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from ctrlgraph.cli import console
from ctrlgraph.cli.pictures import Pictures, write_pictures
from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.paths import display_path

if TYPE_CHECKING:
    from ctrlgraph.insertion.insertion import Integration
    from ctrlgraph.insertion.probe import TerminalState
    from ctrlgraph.project.project import Project

LAST_S = 2.0
"""So much of a run is drawn: how it comes to its end."""


def draw_ending(project: Project, found: Integration, picture: Path | None, as_json: bool) -> Path | None:
    """Draw the last moments of a run that ends as is meant, or of any run where none does; the picture, None where
    there is none."""
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
