"""A candidate: the node that a script is to become, or a node of the graph whose edges are to be tried."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ctrlgraph.bounds import name_fault
from ctrlgraph.control.script.library import EXTENSIONS
from ctrlgraph.control.script.program import ACTION_KIND, ActionKind
from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.graph.model import Node, NodeKind
from ctrlgraph.paths import display_path
from ctrlgraph.project.controller_names import unknown_controller
from ctrlgraph.project.script_success import header_conditions
from ctrlgraph.simulation.measures import Conditions, require

if TYPE_CHECKING:
    from ctrlgraph.project.project import Project

LONGEST_S = 30.0
"""How long a script may take while it is not known how long it does."""


@dataclass(frozen=True)
class CandidateRequest:
    """What was asked for. script: a path or a node's name; None: as its header states it, or to be found out (success),
    to be found out (kind, timeout), or the usual (name: the script's, cycles: once)."""

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
    request = _of_draft(project, request)
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
    success = request.success or header_conditions(project, project.directory / script)
    require(success, project.character)
    earlier = project.graph.drafts.get(name)
    if earlier is not None and earlier.file != script:
        raise CtrlGraphError(f"the graph has a draft '{name}' already ({earlier.file}): give another one with --name")
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
        success=dict(success),
        description=first_comment(text),
    )
    return CandidateNode(node, False)


def _of_draft(project: Project, request: CandidateRequest) -> CandidateRequest:
    """The request with what the graph file says of a draft, where it names one; what is given goes before that."""
    draft = project.graph.drafts.get(request.script)
    if draft is None:
        return request
    stated = header_conditions(project, project.directory / draft.file)
    return CandidateRequest(
        script=draft.file,
        args=request.args or draft.args,
        name=request.name or draft.name,
        success=request.success or stated or draft.success or None,
        kind=request.kind or draft.kind.value,
        cycles=request.cycles or draft.cycles,
        timeout=request.timeout or draft.timeout,
    )


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
        raise unknown_controller(project, given)
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
