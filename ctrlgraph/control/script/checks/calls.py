"""Calls between scripts: missing ones, wrong arguments, unused ones, loops, too many scripts."""

from __future__ import annotations

from collections import deque
from collections.abc import Container, Iterator
from pathlib import Path

from ctrlgraph.control.script.bounds import MAX_SCRIPTS
from ctrlgraph.control.script.checks.flow import can_end, reachable_phases
from ctrlgraph.control.script.checks.report import FindingCollector
from ctrlgraph.control.script.library import ScriptLibrary
from ctrlgraph.control.script.syntax.syntax import Call, Script
from ctrlgraph.errors import Span, suggestion

_SHOWN_FILES = 5


def calls_of(script: Script, reachable_only: bool = False) -> Iterator[Call]:
    """Return the script's calls in the order written."""
    reached = reachable_phases(script) if reachable_only else range(len(script.phases))
    for index, phase in enumerate(script.phases):
        if index in reached:
            yield from phase.calls


def called_script(library: ScriptLibrary, stem: str) -> Script | None:
    """Return the syntax tree of a script; None if the script is missing or cannot be read."""
    path = library.find(stem)
    return library.parse(path).script if path is not None else None


def ends(library: ScriptLibrary, stem: str) -> bool:
    """Return whether a called script can end; True for one that cannot be read."""
    script = called_script(library, stem)
    return script is None or can_end(script)


def check_calls(library: ScriptLibrary, path: Path, script: Script, report: FindingCollector) -> None:
    """Report errors in the calls of a script, unused scripts, and loops of calls."""
    check_called(library, script, reachable_phases(script), report)
    _check_uses(library, script, report)
    _check_loops(library, path, script, report)


def check_called(library: ScriptLibrary, script: Script, reached: Container[int], report: FindingCollector) -> None:
    """Report calls of scripts that do not exist, and calls with a wrong number of arguments.

    Args:
        library: scripts of the project.
        script: syntax tree of the calling script.
        reached: Indices of the phases that can be reached; in others a missing script is a warning.
        report: receives the findings.
    """
    for index, phase in enumerate(script.phases):
        for call in phase.calls:
            _check_call(library, call, index in reached, report)


def _check_call(library: ScriptLibrary, call: Call, reached: bool, report: FindingCollector) -> None:
    if _is_found(library, call.script.stem, call.script.span, reached, report):
        called = library.parse(library.candidates(call.script.stem)[0])
        if called.script is not None and not called.header_damaged:
            _check_arguments(call, called.script, report)


def _is_found(library: ScriptLibrary, stem: str, span: Span, reached: bool, report: FindingCollector) -> bool:
    found = library.candidates(stem)
    if len(found) == 1:
        return True
    if found:
        places = " and ".join(str(path) for path in found[:_SHOWN_FILES]) + " ..." * (len(found) > _SHOWN_FILES)
        report.error("ambiguous-script", f"more than one script is named '{stem}'", span, places)
    elif reached:
        hint = _hint(library, stem) if not report.is_full else None
        report.error("missing-script", f"script '{stem}' not found", span, hint)
    else:
        message = f"script '{stem}' not found; no phase that can be reached calls it"
        report.warning("missing-script", message, span)
    return False


def _hint(library: ScriptLibrary, stem: str) -> str | None:
    link = library.leading_out(stem)
    if link is not None:
        return f"{link} is a link that leads out of the scripts' directory; such links are not followed"
    return suggestion(stem, library.stems())


def _check_arguments(call: Call, called: Script, report: FindingCollector) -> None:
    wanted, given = len(called.parameters), len(call.arguments)
    if wanted == given:
        return
    names = ", ".join(parameter.text for parameter in called.parameters) or "void"
    noun = "argument" if wanted == 1 else "arguments"
    count = f"{wanted} {noun}" if wanted else "no arguments"
    message = f"'{call.script.stem}' takes {count}, found {given}"
    report.error("argument-count", message, call.span, f"its parameters are ({names})")


def _check_uses(library: ScriptLibrary, script: Script, report: FindingCollector) -> None:
    called = {call.script.stem for call in calls_of(script)}
    seen: set[str] = set()
    for name in script.uses:
        if name.stem in seen:
            report.warning("unused-script", f"script '{name.stem}' is listed twice", name.span)
        elif name.stem not in called and _is_found(library, name.stem, name.span, False, report):
            report.warning("unused-script", f"script '{name.stem}' is listed and never called", name.span)
        seen.add(name.stem)


def _check_loops(library: ScriptLibrary, path: Path, script: Script, report: FindingCollector) -> None:
    following = _ways_back(library, path.stem, script)
    if following is None:
        message = f"'{path.stem}' is made of more than {MAX_SCRIPTS} scripts"
        report.error("too-large", message, script.header_span)
        return
    for call in calls_of(script):
        stem = call.script.stem
        if stem == path.stem or stem in following:
            loop = [path.stem, stem]
            while loop[-1] != path.stem:
                loop.append(following[loop[-1]])
            report.error("call-loop", f"calls lead back to the same script: {' -> '.join(loop)}", call.script.span)


def _ways_back(library: ScriptLibrary, goal: str, script: Script) -> dict[str, str] | None:
    """Return, for every script with calls that lead to `goal`, the next script on a shortest path to it.

    Return None if the calls lead to more scripts than a controller can have.
    """
    callers: dict[str, list[str]] = {}
    known, waiting = {goal}, deque([(goal, script)])
    while waiting:
        caller, tree = waiting.popleft()
        for stem in dict.fromkeys(call.script.stem for call in calls_of(tree)):
            callers.setdefault(stem, []).append(caller)
            if stem in known:
                continue
            known.add(stem)
            if len(known) > MAX_SCRIPTS:
                return None
            called = called_script(library, stem)
            if called is not None:
                waiting.append((stem, called))
    following: dict[str, str] = {}
    goals = deque([goal])
    while goals:
        stem = goals.popleft()
        for caller in callers.get(stem, ()):
            if caller != goal and caller not in following:
                following[caller] = stem
                goals.append(caller)
    return following
