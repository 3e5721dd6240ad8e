"""Compilation of a script to a `Program`: `compile_script` checks all scripts first, then expands their calls."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterator, Sequence
from pathlib import Path

from ctrlgraph.character.model import Character
from ctrlgraph.control.script.bounds import MAX_SCRIPTS
from ctrlgraph.control.script.checks.calls import calls_of
from ctrlgraph.control.script.checks.checker import check_script
from ctrlgraph.control.script.checks.report import FindingCollector
from ctrlgraph.control.script.expansion import Expansion
from ctrlgraph.control.script.library import ScriptLibrary
from ctrlgraph.control.script.program import Program
from ctrlgraph.control.script.syntax.parser import Parsed
from ctrlgraph.control.script.syntax.syntax import Script
from ctrlgraph.errors import Finding, SourceError


def compile_script(library: ScriptLibrary, path: Path, args: Sequence[float], character: Character) -> Program:
    """Compile a script and all scripts that it calls to one program.

    Args:
        library: scripts of the project, in which called scripts are found.
        path: file of the script.
        args: values of the script's parameters, in their order.
        character: character that the script is for. It gives the indices of joints and links, the joint limits and the
            pairs of right and left.

    Raises:
        SourceError: the script, or one that it calls, has errors, or `args` does not fit its parameters. `findings`
            lists all errors.
    """
    path = Path(path)
    scripts = _scripts_needed(library, path)
    if len(scripts) > MAX_SCRIPTS:
        scripts = scripts[:1]  # its check reports that there are too many
    errors = [f for needed in scripts for f in check_script(library, needed, character) if f.severity == "error"]
    root = library.parse(path)
    if root.script is not None and not root.header_damaged:
        errors += _wrong_arguments(root, root.script, path, args)
    if errors:
        raise SourceError(dict.fromkeys(errors))
    return Expansion(library, character, scripts).program(path, [float(a) for a in args])


def _scripts_needed(library: ScriptLibrary, path: Path) -> list[Path]:
    """Return the files of a script and of all scripts that its reachable phases call, directly or indirectly.

    Phases are reachable if transitions lead to them from the first phase.
    """
    found = {path.stem: path}
    waiting = deque([path])
    while waiting and len(found) <= MAX_SCRIPTS:
        script = library.parse(waiting.popleft()).script
        for call in calls_of(script, reachable_only=True) if script is not None else ():
            called = library.find(call.script.stem)
            if called is not None and called.stem not in found:
                found[called.stem] = called
                waiting.append(called)
    return list(found.values())


def _wrong_arguments(root: Parsed, script: Script, path: Path, args: Sequence[float]) -> Iterator[Finding]:
    report = FindingCollector(root.path, root.text)
    wanted = [parameter.text for parameter in script.parameters]
    if len(args) != len(wanted):
        noun = "argument" if len(wanted) == 1 else "arguments"
        count = f"{len(wanted)} {noun} ({', '.join(wanted)})" if wanted else "no arguments"
        message = f"'{path.stem}' takes {count}, but was called with {len(args)}"
        report.error("argument-count", message, script.header_span)
    for name, value in zip(wanted, args, strict=False):
        if not math.isfinite(value):
            report.error("absurd-value", f"argument {name} must be a finite number, not {value}", script.header_span)
    yield from report.findings
