"""All checks of a script: `check_script` returns every error and warning."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, partial
from pathlib import Path

from ctrlgraph.character.model import Character
from ctrlgraph.control.script.bounds import MAX_PARAMETERS, check_count
from ctrlgraph.control.script.checks.binding import BoundAction
from ctrlgraph.control.script.checks.calls import check_called, check_calls, ends
from ctrlgraph.control.script.checks.flow import check_firing, check_reach, check_structure
from ctrlgraph.control.script.checks.names import (
    check_action_names,
    check_limit_names,
    check_name,
    check_parameters,
    check_state_names,
)
from ctrlgraph.control.script.checks.phases import BoundPhase, BoundScript, bind_script
from ctrlgraph.control.script.checks.ranges import PD_KINDS, check_action_values, check_argument, check_operand
from ctrlgraph.control.script.checks.report import FindingCollector
from ctrlgraph.control.script.checks.sides import with_both_sides
from ctrlgraph.control.script.library import ScriptLibrary
from ctrlgraph.control.script.syntax.forms import STATE_VARIABLES
from ctrlgraph.control.script.syntax.parser import Parsed
from ctrlgraph.control.script.syntax.syntax import Expression, Name, Primitive, states_in, walk
from ctrlgraph.errors import Finding

_HARMLESS = ("missing-mark", "misspelt-keyword")
"""Codes of syntax errors in lines that the parser can still read."""


def check_script(library: ScriptLibrary, path: Path, character: Character | None) -> list[Finding]:
    """Return every error and warning of one script, in the order of its text.

    Of called scripts, only this is checked: whether they exist, the number of their arguments, and whether their calls
    lead back to this script. Their own errors are not reported.

    Args:
        library: scripts of the project.
        path: file of the script.
        character: character that the script is for. None skips the checks that need it, such as that of names.
    """
    parsed = library.parse(path)
    if parsed.script is None:
        return list(parsed.findings)
    report = FindingCollector(parsed.path, parsed.text)
    report.findings += parsed.findings
    bound = with_both_sides(bind_script(parsed.script, report), character)
    _check_names(bound, character, report)
    _check_values(bound, character, report)
    if not parsed.header_damaged:
        _check_parameters(bound, parsed, report)
    if parsed.ok:  # after a syntax error, these checks would report false errors
        check_structure(parsed.script, report)
        if not any(finding.code == "too-large" for finding in report.findings):
            check_calls(library, Path(path), parsed.script, report)
            check_reach(parsed.script, report)
            check_firing(bound, character, cache(partial(ends, library)), report)
    elif not parsed.phases_damaged:  # reachability is unknown, because a transition can be missing
        check_structure(parsed.script, report, whole=False)
        check_called(library, parsed.script, range(len(parsed.script.phases)), report)
    return _without_echoes(list(report.sorted()), parsed.findings)


def _without_echoes(findings: list[Finding], syntax: tuple[Finding, ...]) -> list[Finding]:
    """Return the findings without those that are only consequences of a syntax error.

    These are further findings in a line with a syntax error, and findings that a COMFB2 (balance feedback) is not
    followed by the VPD that it corrects.

    Args:
        findings: all findings.
        syntax: the syntax errors among them.
    """
    errors = [finding for finding in syntax if finding.severity == "error"]
    damaged = {f.span.line for f in errors if f.span is not None and f.code not in _HARMLESS}
    echoes = {"feedback-alone"} if errors else set()
    return [
        f for f in findings if f in syntax or (f.code not in echoes and (f.span is None or f.span.line not in damaged))
    ]


def _check_names(bound: BoundScript, character: Character | None, report: FindingCollector) -> None:
    if character is None:
        return
    arguments = (argument for phase in bound.phases for call in phase.phase.calls for argument in call.arguments)
    for expression in (*(operand.expression for operand in bound.operands()), *arguments):
        check_state_names(expression, character, report)
    check_limit_names(bound.joint_limits, character, report)
    for phase in bound.phases:
        for action in phase.actions:
            if isinstance(action, BoundAction):
                check_action_names(action, character, report)
        for transition in phase.transitions:
            for condition in transition.leaves():
                if condition.part is not None:
                    check_name(condition.part, "part", character, report)
        _check_set_twice(phase, character, report)
        for call in phase.phase.calls:
            if call.mirrored and not (character.roles.joint_pairs or character.roles.link_pairs):
                message = (
                    f"'.mirrored' has no effect, because the character {character.name} has no pairs of right and left"
                )
                report.warning("no-sides", message, call.span)


def _check_set_twice(phase: BoundPhase, character: Character, report: FindingCollector) -> None:
    """Warn if a phase sets two targets for one joint, of which only the last one has an effect."""
    seen: dict[int, Name] = {}
    for action in phase.actions:
        if not isinstance(action, BoundAction) or action.kind not in PD_KINDS or action.joint is None:
            continue
        index = character.joint_index(action.joint.name.text)
        if index is None:
            continue
        if index in seen:
            first = seen[index].span.line
            message = f"{action.joint.name.text} already has a target in this phase, in line {first}"
            report.warning(
                "set-twice", message, action.joint.name.span, "only the last target is used: remove the others"
            )
        seen[index] = action.joint.name


def _check_values(bound: BoundScript, character: Character | None, report: FindingCollector) -> None:
    for limit in (*bound.limits, *(limit.operand for limit in bound.joint_limits if not limit.twin)):
        check_operand(limit, report)
        for state in states_in(limit.expression):
            message = f"{limit.value.role} is set before the script runs, so it cannot depend on the state"
            report.error("state-outside", message, state.span)
    for phase in bound.phases:
        for action in phase.actions:
            if isinstance(action, BoundAction):
                check_action_values(action, character, report)
        for transition in phase.transitions:
            for condition in transition.leaves():
                for operand in condition.operands:
                    check_operand(operand, report)
        for call in phase.phase.calls:
            for argument in call.arguments:
                check_argument(argument, report)


def _check_parameters(bound: BoundScript, parsed: Parsed, report: FindingCollector) -> None:
    """Report unknown, duplicate and unused parameters of a script."""
    script = bound.script
    holder = f"script '{script.name.text}'"
    if not check_count(len(script.parameters), MAX_PARAMETERS, holder, "parameters", script.header_span, report):
        return
    names = [parameter.text for parameter in script.parameters]
    for index, parameter in enumerate(script.parameters):
        if parameter.text in names[:index]:
            message = f"parameter '{parameter.text}' is defined twice: rename or remove one"
            report.error("duplicate-parameter", message, parameter.span)
        elif parameter.text == "void":
            report.error(
                "syntax", "'void' means that there are no parameters: remove 'void' or the other names", parameter.span
            )
        elif parameter.text in STATE_VARIABLES:
            message = f"parameter '{parameter.text}' has the name of a quantity of the state: rename the parameter"
            report.warning("hides-state", message, parameter.span)
    for expression in _expressions(bound):
        check_parameters(expression, names, report)
    # Any mention counts as a use, even in a statement that does not match its form.
    used = {node.text for node in walk((script.phases, script.prelude)) if isinstance(node, Name)}
    if parsed.ok:
        for parameter in script.parameters:
            if parameter.text not in used and parameter.text != "void":
                message = f"parameter '{parameter.text}' is never used: use or remove it"
                report.warning("unused-parameter", message, parameter.span)


def _expressions(bound: BoundScript) -> Iterator[Expression]:
    """Return the expressions of a script in which parameters can occur, even those in erroneous statements."""
    for operand in bound.operands():
        yield operand.expression
    for phase in bound.script.phases:
        for action in phase.actions:
            for item in action.items if isinstance(action, Primitive) else ():
                yield from item.arguments
        for call in phase.calls:
            yield from call.arguments
