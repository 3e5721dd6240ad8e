"""Success conditions of a script that is not a node: from its header (SET SUCCESS) or from the command line.

A condition is a measure with a range, such as `com_height = 0.8:1.1`. One end of the range may be omitted.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ctrlgraph.bounds import MAX_MAGNITUDE
from ctrlgraph.control.script.checks.report import FindingCollector
from ctrlgraph.errors import CtrlGraphError, Finding, SourceError, suggestion
from ctrlgraph.simulation.measures import MEASURES, Conditions, lacking, remedy

if TYPE_CHECKING:
    from ctrlgraph.character.model import Character
    from ctrlgraph.control.script.syntax.parser import Parsed
    from ctrlgraph.project.project import Project

_CONDITION = re.compile(r"(\w+)=([^:]*):([^:]*)")


def check_success(parsed: Parsed, character: Character | None) -> list[Finding]:
    """Return the errors in the success conditions of a script's header (SET SUCCESS): unknown measures, wrong ranges.

    Errors of syntax are not returned, since the parser finds them.

    Args:
        parsed: Parsed script.
        character: Character that must have the links that the measures need. None: links are not checked.
    """
    if parsed.script is None:
        return []
    report = FindingCollector(parsed.path, parsed.text)
    for success in parsed.script.successes:
        name = success.measure.text
        if name not in MEASURES:
            hint = suggestion(name, MEASURES) or "`ctrlgraph measures` lists them"
            report.error("unknown-measure", f"unknown measure '{name}'", success.measure.span, hint)
        elif character is not None and (faults := lacking([name], character)):
            report.error("missing-role", faults[name], success.measure.span, remedy(name, character))
        for end in (success.low, success.high):
            if end is not None and abs(end.value) > MAX_MAGNITUDE:
                message = f"must be within {-MAX_MAGNITUDE:g} and {MAX_MAGNITUDE:g}, not {end.value:g}"
                report.error("absurd-value", f"the range of {name} {message}", end.span)
    return list(report.sorted())


def header_conditions(project: Project, path: Path) -> Conditions:
    """Return the success conditions in the header of a script (SET SUCCESS). Empty: the header has no conditions.

    Args:
        project: Project with the character.
        path: File of the script.

    Raises:
        SourceError: A measure does not exist, the character lacks a link that a measure needs, or a range is out of
            bounds.
    """
    parsed = project.library.parse(path)
    findings = check_success(parsed, project.character)
    if findings:
        raise SourceError(findings)
    if parsed.script is None:
        return {}
    return {
        success.measure.text: (
            -math.inf if success.low is None else success.low.value,
            math.inf if success.high is None else success.high.value,
        )
        for success in parsed.script.successes
    }


def parse_conditions(words: Sequence[str]) -> Conditions:
    """Return success conditions that are written as MEASURE=LOW:HIGH, such as `torso=-0.3:0.3`.

    Args:
        words: Texts of the conditions. An end of a range that is omitted is infinite.

    Raises:
        CtrlGraphError: A text has another form, a measure does not exist or is given twice, or a range is empty.
    """
    conditions: Conditions = {}
    for word in words:
        match = _CONDITION.fullmatch(word.replace(" ", ""))
        if match is None:
            raise CtrlGraphError(f"'{word}' is not a condition MEASURE=LOW:HIGH, such as torso=-0.3:0.3")
        name, low, high = match.groups()
        if name not in MEASURES:
            hint = suggestion(name, MEASURES) or f"known measures: {', '.join(MEASURES)}"
            raise CtrlGraphError(f"there is no measure '{name}' ({hint})")
        if name in conditions:
            raise CtrlGraphError(f"the measure {name} is given twice: give one range for each measure")
        conditions[name] = _end(word, low, -math.inf), _end(word, high, math.inf)
        if conditions[name][0] > conditions[name][1]:
            raise CtrlGraphError(f"'{word}' is an empty range: LOW must not be above HIGH")
    return conditions


def _end(word: str, text: str, if_open: float) -> float:
    if not text:
        return if_open
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if math.isnan(value):
        raise CtrlGraphError(f"'{word}' is not a condition MEASURE=LOW:HIGH: '{text}' is not a number")
    return value
