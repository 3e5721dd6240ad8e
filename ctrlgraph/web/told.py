"""What pages are told, as JSON has it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ctrlgraph.control.parameters import Parameter
from ctrlgraph.engine.engine import ENGINES
from ctrlgraph.engine.pushes import Push
from ctrlgraph.errors import CtrlGraphError, Finding
from ctrlgraph.web.state_file import KeptChange, KeptPush
from ctrlgraph.web.world import Event, WorldChange

if TYPE_CHECKING:
    from ctrlgraph.character.model import Character
    from ctrlgraph.project.project import Project


def told_event(event: Event) -> dict[str, Any]:
    """Return an event as JSON has it."""
    if isinstance(event, Push):
        return {"push": event.link, "time": event.start, "duration": event.duration, "x": event.x, "y": event.y}
    return {"time": event.time, "slope": event.slope, "friction": event.friction, "engine": event.engine}


def kept_event(event: Event) -> KeptPush | KeptChange:
    """Return an event as it is remembered."""
    made = KeptPush if isinstance(event, Push) else KeptChange
    return made.model_validate(told_event(event))


def events_of(kept: Sequence[KeptPush | KeptChange], character: Character) -> tuple[Event, ...]:
    """Return the events that were remembered, but those whose link or engine is there no more."""
    found: list[Event] = []
    for each in kept:
        if isinstance(each, KeptPush):
            if character.link_index(each.push) is not None:
                found.append(Push(each.time, each.duration, each.push, each.x, each.y))
        elif each.engine is None or _is_there(each.engine):
            found.append(WorldChange(each.time, each.slope, each.friction, each.engine))
    return tuple(found)


def _is_there(engine: str) -> bool:
    try:
        ENGINES[engine].load()
    except CtrlGraphError:
        return False
    return True


def told_finding(finding: Finding, project: Project) -> dict[str, Any]:
    """Return a finding as a page shows it, its path relative to the project."""
    return {**finding.as_dict(), "path": project.relative(finding.path), "rendered": finding.render()}


def is_of(finding: Finding, path: Path) -> bool:
    """Tell whether a finding is of a script."""
    return Path(finding.path).name == path.name


def told_parameter(parameter: Parameter, name: str, value: float, low: float, high: float) -> dict[str, Any]:
    """Return a constant as a slider needs it: where it stands, its value there, and from where to where it may go."""
    return {
        "id": name,
        "role": parameter.role,
        "quantity": parameter.quantity,
        "phase": parameter.phase,
        "unit": parameter.unit,
        "line": parameter.line,
        "column": parameter.column,
        "endColumn": parameter.end_column,
        "value": value,
        "low": min(low, value),
        "high": max(high, value),
    }
