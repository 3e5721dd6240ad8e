"""A candidate: the node that a script is to become, or a node of the graph whose edges are to be tried."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ctrlgraph.bounds import name_fault
from ctrlgraph.control.script.library import EXTENSIONS
from ctrlgraph.control.script.program import ACTION_KIND, ActionKind
from ctrlgraph.errors import CtrlGraphError, suggestion
from ctrlgraph.graph.model import Node, NodeKind
from ctrlgraph.paths import display_path
from ctrlgraph.simulation.measures import MEASURES, Conditions, require

if TYPE_CHECKING:
    from ctrlgraph.project.project import Project

LONGEST_S = 30.0
"""How long a script may take while it is not known how long it does."""


_CONDITION = re.compile(r"(\w+)=([^:]*):([^:]*)")


@dataclass(frozen=True)
class CandidateRequest:
    """What was asked for. script: a path or a node's name; None: to be found out (success, kind, timeout), or the
    usual (name: the script's, cycles: once)."""

    script: str
    args: tuple[float, ...] = ()
    name: str | None = None
    success: Conditions | None = None
    kind: str | None = None
    cycles: tuple[int, int] | None = None
    timeout: float | None = None


@dataclass(frozen=True)
class CandidateNode:
    """node: as far as it is known; known: it is in the graph already and stays as it is."""

    node: Node
    known: bool


def find_candidate(project: Project, request: CandidateRequest) -> CandidateNode:
    """Return the node of this name or of this script and its arguments, or a new one.

    Raises:
        CtrlGraphError: there is no such script, it cannot become a node, its name is taken, or the character lacks
            what a measure of its success needs.
        SourceError: the script has errors.
    """
    script = "" if request.script in project.graph else script_path(project, request.script)
    known = _known(project, request, script)
    if known is not None:
        _check_unchanged(known, request)
        project.program(known)
        return CandidateNode(known, True)
    name = Path(script).stem if request.name is None else request.name
    fault = name_fault(name)
    if fault is not None:
        raise CtrlGraphError(f"the new node's name {fault}: give another one with --name")
    if name in project.graph:
        taken = project.graph.node(name)
        raise CtrlGraphError(f"the graph has a node '{name}' already ({taken.file}): give another one with --name")
    require(request.success or {}, project.character)
    program = project.compile(project.directory / script, request.args)
    if (program.actions[:, ACTION_KIND] == ActionKind.LOAD).any():
        raise CtrlGraphError(f"{script} uses LOAD: a node of the graph must not jump to a saved state")
    text = (project.directory / script).read_text(encoding="utf-8-sig")
    node = Node(
        name=name,
        file=script,
        args=request.args,
        kind=NodeKind.DYNAMIC if request.kind is None else NodeKind(request.kind),
        cycles=request.cycles or (1, 1),
        timeout=request.timeout or LONGEST_S * (request.cycles or (1, 1))[1],
        success=dict(request.success or {}),
        description=first_comment(text),
    )
    return CandidateNode(node, False)


def _known(project: Project, request: CandidateRequest, script: str) -> Node | None:
    """The node of the graph that is meant; None for a new one."""
    if not script:
        return project.graph.node(request.script)
    same = [node for node in project.graph if node.file == script and node.args == request.args]
    return next((node for node in same if request.name in (None, node.name)), None)


def _check_unchanged(node: Node, request: CandidateRequest) -> None:
    if request.args and request.args != node.args:
        raise CtrlGraphError(
            f"'{node.name}' is a node of the graph with other arguments: for a second one, give its script"
            f" ({node.file}) with --name"
        )
    given = {name: getattr(request, name) for name in ("success", "kind", "cycles", "timeout")}
    words = [name for name, value in given.items() if value is not None]
    if words:
        raise CtrlGraphError(
            f"'{node.name}' is a node of the graph: its {words[0]} stands in the graph file, and --{words[0]} is for"
            " new ones"
        )
    if request.name not in (None, node.name):
        raise CtrlGraphError(f"'{node.name}' is a node of the graph: --name is for new ones")


def script_path(project: Project, given: str) -> str:
    """Return a script's path from the project's directory, as the graph file writes it.

    Raises:
        CtrlGraphError: there is no such script, or it lies outside the project.
    """
    found = [path.resolve() for path in (Path(given), project.directory / given) if path.is_file()]
    if not found:
        known = [*project.graph.nodes, *(project.relative(str(script)) for script in project.library.paths())]
        hint = suggestion(given, known)
        sentence = f"'{given}' is neither a node of the graph nor a script"
        raise CtrlGraphError(f"{sentence}; {hint}" if hint else sentence)
    if found[0].suffix not in EXTENSIONS:
        raise CtrlGraphError(f"'{given}' is no script: their names end in {' or '.join(EXTENSIONS)}")
    directory = project.directory.resolve()
    inside = next((path for path in found if path.is_relative_to(directory)), None)
    if inside is None:
        raise CtrlGraphError(f"'{given}' lies outside the project: copy it into {display_path(project.directory)}")
    return inside.relative_to(directory).as_posix()


def first_comment(text: str) -> str:
    """Return the first sentence of the comment that a script begins with; empty where it begins with none."""
    words: list[str] = []
    for line in text.splitlines():
        stripped = line.strip()
        if not stripped.startswith("#"):
            if stripped or words:
                break
            continue
        words += stripped.lstrip("#").split()
    sentence = re.split(r"(?<=[.!?]) ", " ".join(words), maxsplit=1)[0]
    return sentence.rstrip(". ")


def parse_conditions(words: Sequence[str]) -> Conditions:
    """`torso=-0.3:0.3` as a success condition; an end that is left open does not count.

    Raises:
        CtrlGraphError: a word has another form, or there is no such measure.
    """
    conditions: Conditions = {}
    for word in words:
        match = _CONDITION.fullmatch(word.replace(" ", ""))
        if match is None:
            raise CtrlGraphError(f"'{word}' is not MEASURE=LOW:HIGH, such as torso=-0.3:0.3")
        name, low, high = match.groups()
        if name not in MEASURES:
            hint = suggestion(name, MEASURES) or f"known: {', '.join(MEASURES)}"
            raise CtrlGraphError(f"there is no measure '{name}' ({hint})")
        if name in conditions:
            raise CtrlGraphError(f"{name} is given twice")
        conditions[name] = _end(word, low, -math.inf), _end(word, high, math.inf)
        if conditions[name][0] > conditions[name][1]:
            raise CtrlGraphError(f"'{word}' is an empty range")
    return conditions


def _end(word: str, text: str, if_open: float) -> float:
    if not text:
        return if_open
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if math.isnan(value):
        raise CtrlGraphError(f"'{word}' is not MEASURE=LOW:HIGH, such as torso=-0.3:0.3: '{text}' is no number")
    return value
