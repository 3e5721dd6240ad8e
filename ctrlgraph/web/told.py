"""What pages are told, as JSON has it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ctrlgraph.control.parameters import Parameter
from ctrlgraph.engine.engine import known_engine
from ctrlgraph.engine.pushes import Push
from ctrlgraph.errors import CtrlGraphError, Finding
from ctrlgraph.web.world import MAX_EVENTS, Event, WorldChange

if TYPE_CHECKING:
    from ctrlgraph.project.project import Project


def told_event(event: Event) -> dict[str, Any]:
    """Return an event as JSON has it."""
    if isinstance(event, Push):
        return {"push": event.link, "time": event.start, "duration": event.duration, "x": event.x, "y": event.y}
    return {"time": event.time, "slope": event.slope, "friction": event.friction, "engine": event.engine}


def event_of(entry: dict[str, Any]) -> Event:
    """Return the event that JSON tells of.

    Raises:
        CtrlGraphError, KeyError, TypeError, ValueError: it is none.
    """
    if "push" in entry:
        start, duration, x, y = (float(entry[name]) for name in ("time", "duration", "x", "y"))
        return Push(start, duration, str(entry["push"]), x, y)
    slope, friction, engine = (entry.get(name) for name in ("slope", "friction", "engine"))
    return WorldChange(float(entry["time"]), slope, friction, None if engine is None else known_engine(engine))


def events_of(entries: Sequence[dict[str, Any]]) -> tuple[Event, ...]:
    """Return the events that JSON tells of, `MAX_EVENTS` at most; none where one of them is none."""
    try:
        return tuple(event_of(entry) for entry in entries[:MAX_EVENTS])
    except (CtrlGraphError, KeyError, TypeError, ValueError):
        return ()


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


def phases_of(script: Any) -> list[dict[str, int]]:
    """Return from which line to which each phase of a script goes; nothing where it cannot be read."""
    if script is None:
        return []
    return [
        {"phase": int(phase.number.value), "first": phase.span.line, "last": phase.span.end_line}
        for phase in script.phases
    ]
