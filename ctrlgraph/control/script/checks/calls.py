"""Calls between scripts: missing scripts, wrong arguments, loops of calls, too many scripts."""

from __future__ import annotations

from collections import deque
from collections.abc import Container, Iterator
from pathlib import Path

from ctrlgraph.control.script.bounds import MAX_SCRIPTS
from ctrlgraph.control.script.checks.flow import can_end, reachable_phases
from ctrlgraph.control.script.checks.report import FindingCollector
from ctrlgraph.control.script.library import ScriptLibrary
from ctrlgraph.control.script.syntax.syntax import Call, Script
from ctrlgraph.errors import suggestion

_SHOWN_FILES = 5


def calls_of(script: Script, reachable_only: bool = False) -> Iterator[Call]:
    """Return the calls in a script in the order of the text.

    Args:
        script: syntax tree of the script.
        reachable_only: whether to omit calls in phases that no transition can reach.
    """
    reached = reachable_phases(script) if reachable_only else range(len(script.phases))
    for index, phase in enumerate(script.phases):
        if index in reached:
            yield from phase.calls


def called_script(library: ScriptLibrary, stem: str) -> Script | None:
    """Return the syntax tree of the script with this stem (file name without suffix).

    The result is None if the script is missing or cannot be parsed.
    """
    path = library.find(stem)
    return library.parse(path).script if path is not None else None


def ends(library: ScriptLibrary, stem: str) -> bool:
    """Return whether the script with this stem (file name without suffix) can end.

    The result is True if the script is missing or cannot be parsed.
    """
    script = called_script(library, stem)
    return script is None or can_end(script)


def check_calls(library: ScriptLibrary, path: Path, script: Script, report: FindingCollector) -> None:
    """Report errors in the calls of a script, chains of calls that lead back to it, and too many called scripts.

    Args:
        library: scripts of the project.
        path: file of the script.
        script: syntax tree of the script.
        report: receives the findings.
    """
    check_called(library, script, reachable_phases(script), report)
    _check_loops(library, path, script, report)


def check_called(library: ScriptLibrary, script: Script, reached: Container[int], report: FindingCollector) -> None:
    """Report calls of scripts that do not exist, and calls with a wrong number of arguments.

    Args:
        library: scripts of the project.
        script: syntax tree of the calling script.
        reached: indices of the phases in which a missing script is an error; in others, it is a warning.
        report: receives the findings.
    """
    for index, phase in enumerate(script.phases):
        for call in phase.calls:
            _check_call(library, call, index in reached, report)


def _check_call(library: ScriptLibrary, call: Call, reached: bool, report: FindingCollector) -> None:
    stem, span = call.script.stem, call.script.span
    found = library.candidates(stem)
    if len(found) == 1:
        called = library.parse(found[0])
        if called.script is not None and not called.header_damaged:
            _check_arguments(call, called.script, report)
    elif found:
        places = " and ".join(str(path) for path in found[:_SHOWN_FILES]) + " ..." * (len(found) > _SHOWN_FILES)
        report.error("ambiguous-script", f"more than one script is named '{stem}': rename all but one", span, places)
    elif reached:
        hint = suggestion(stem, library.stems()) if not report.is_full else None
        report.error("missing-script", f"script '{stem}' not found", span, hint)
    else:
        message = f"script '{stem}' not found, but only unreachable phases call it"
        report.warning("missing-script", message, span)


def _check_arguments(call: Call, called: Script, report: FindingCollector) -> None:
    wanted, given = len(called.parameters), len(call.arguments)
    if wanted == given:
        return
    names = ", ".join(parameter.text for parameter in called.parameters) or "void"
    noun = "argument" if wanted == 1 else "arguments"
    count = f"{wanted} {noun}" if wanted else "no arguments"
    message = f"'{call.script.stem}' takes {count}, found {given}"
    report.error("argument-count", message, call.span, f"the parameters of the script are ({names})")


def _check_loops(library: ScriptLibrary, path: Path, script: Script, report: FindingCollector) -> None:
    """Report chains of calls that lead back to a script, and too many scripts in the chains.

    Args:
        library: scripts of the project.
        path: file of the script.
        script: syntax tree of the script.
        report: receives the errors.
    """
    caller = {path.stem: ""}  # of each script, the one from which it was first found
    waiting = deque([(path.stem, script)])
    while waiting:
        stem, tree = waiting.popleft()
        for name in dict.fromkeys(call.script.stem for call in calls_of(tree)):
            if name == path.stem:
                loop = [stem, name]
                while caller[loop[0]]:
                    loop.insert(0, caller[loop[0]])
                place = next(call.script.span for call in calls_of(script) if call.script.stem == loop[1])
                report.error(
                    "call-loop",
                    f"a script must not call itself, not even through other scripts: {' -> '.join(loop)}",
                    place,
                )
            elif name not in caller:
                caller[name] = stem
                called = called_script(library, name)
                if called is not None:
                    waiting.append((name, called))
        if len(caller) > MAX_SCRIPTS:
            message = (
                f"'{path.stem}' calls more than {MAX_SCRIPTS} scripts, directly or through other scripts: call fewer"
            )
            report.error("too-large", message, script.header_span)
            return
