"""Calls between scripts: missing ones, wrong arguments, unused ones, loops."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from ctrlgraph.errors import Span, suggestion
from ctrlgraph.language.flow import can_end, reachable_phases
from ctrlgraph.language.library import ScriptLibrary
from ctrlgraph.language.report import Report
from ctrlgraph.language.syntax import Call, Script


def calls_of(script: Script, reachable_only: bool = False) -> Iterator[Call]:
    """The script's calls in the order written."""
    reached = reachable_phases(script) if reachable_only else range(len(script.phases))
    for index, phase in enumerate(script.phases):
        if index in reached:
            yield from phase.calls


def called_script(library: ScriptLibrary, call: Call) -> Script | None:
    """The tree of the called script; None where it is missing or cannot be read."""
    path = library.find(call.script.stem)
    return library.parse(path).script if path is not None else None


def ends(library: ScriptLibrary, call: Call) -> bool:
    """Whether the called script can end; one that cannot be read gets the benefit of the doubt."""
    script = called_script(library, call)
    return script is None or can_end(script)


def check_calls(library: ScriptLibrary, path: Path, script: Script, report: Report) -> None:
    """Report what is wrong between this script and those that it names."""
    reached = reachable_phases(script)
    for index, phase in enumerate(script.phases):
        for call in phase.calls:
            _check_call(library, call, index in reached, report)
    _check_uses(library, script, report)
    _check_loops(library, path, script, report)


def _check_call(library: ScriptLibrary, call: Call, reached: bool, report: Report) -> None:
    if _is_found(library, call.script.stem, call.script.span, reached, report):
        called = called_script(library, call)
        if called is not None and not library.parse(library.candidates(call.script.stem)[0]).header_damaged:
            _check_arguments(call, called, report)


def _is_found(library: ScriptLibrary, stem: str, span: Span, reached: bool, report: Report) -> bool:
    found = library.candidates(stem)
    if len(found) == 1:
        return True
    if found:
        places = " and ".join(str(path) for path in found)
        report.error("ambiguous-script", f"more than one script is named '{stem}'", span, places)
    elif reached:
        hint = suggestion(stem, library.stems())
        report.error("missing-script", f"script '{stem}' not found", span, hint)
    else:
        message = f"script '{stem}' not found; no phase that can be reached calls it"
        report.warning("missing-script", message, span)
    return False


def _check_arguments(call: Call, called: Script, report: Report) -> None:
    wanted, given = len(called.parameters), len(call.arguments)
    if wanted == given:
        return
    names = ", ".join(parameter.text for parameter in called.parameters) or "void"
    noun = "argument" if wanted == 1 else "arguments"
    count = f"{wanted} {noun}" if wanted else "no arguments"
    message = f"'{call.script.stem}' takes {count}, found {given}"
    report.error("argument-count", message, call.span, f"its parameters are ({names})")


def _check_uses(library: ScriptLibrary, script: Script, report: Report) -> None:
    called = {call.script.stem for call in calls_of(script)}
    seen: set[str] = set()
    for name in script.uses:
        if name.stem in seen:
            report.warning("unused-script", f"script '{name.stem}' is listed twice", name.span)
        elif name.stem not in called and _is_found(library, name.stem, name.span, False, report):
            report.warning("unused-script", f"script '{name.stem}' is listed and never called", name.span)
        seen.add(name.stem)


def _check_loops(library: ScriptLibrary, path: Path, script: Script, report: Report) -> None:
    for call in calls_of(script):
        loop = _way_back(library, call.script.stem, path.stem)
        if loop is not None:
            shown = " -> ".join([path.stem, *loop])
            message = f"calls lead back to the same script: {shown}"
            report.error("call-loop", message, call.script.span)


def _way_back(library: ScriptLibrary, start: str, goal: str) -> list[str] | None:
    """The shortest way of calls from a script to another, both included."""
    ways: dict[str, list[str]] = {start: [start]}
    waiting = [start]
    while waiting:
        current = waiting.pop(0)
        if current == goal:
            return ways[current]
        path = library.find(current)
        script = library.parse(path).script if path is not None else None
        for call in calls_of(script) if script is not None else ():
            stem = call.script.stem
            if stem not in ways:
                ways[stem] = [*ways[current], stem]
                waiting.append(stem)
    return None
