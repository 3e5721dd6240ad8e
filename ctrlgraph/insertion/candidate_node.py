"""Candidate nodes: nodes during their insertion, made from a script or already in the graph and lacking edges."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ctrlgraph.bounds import name_fault
from ctrlgraph.control.kinds import CONTROLLER_KINDS
from ctrlgraph.control.script.library import EXTENSIONS
from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.graph.model import Node, NodeKind
from ctrlgraph.paths import display_path
from ctrlgraph.project.controller_names import unknown_controller
from ctrlgraph.project.script_success import header_conditions
from ctrlgraph.simulation.measures import Conditions, require

if TYPE_CHECKING:
    from ctrlgraph.project.project import Project

LONGEST_S = 30.0
"""Timeout for each cycle of a candidate node, until the insertion proposes a timeout, s."""


@dataclass(frozen=True)
class CandidateRequest:
    """The script to insert, and the fields that the user gives for its future node."""

    script: str
    """Path of the script, or name of a node or draft of the graph."""
    args: tuple[float, ...] = ()
    """Arguments of the script."""
    name: str | None = None
    """Name of the new node. None: the file name of the script, without the suffix."""
    success: Conditions | None = None
    """Success conditions. None: those in the header of the script. If the header has none, the insertion proposes them.
    """
    kind: str | None = None
    """Kind of the node, "static" or "dynamic". None: the insertion proposes it."""
    cycles: tuple[int, int] | None = None
    """Minimum and maximum number of cycles. None: one cycle."""
    timeout: float | None = None
    """Timeout, s. None: the insertion proposes it."""


@dataclass(frozen=True)
class IntegrationRequest:
    """Request of an insertion: the script to insert, and the effort (trials, searches, time) to spend on it."""

    candidate: CandidateRequest
    """The script to insert."""
    trials: int = 20
    """Number of trials of each direct transition that is tried, and of each learned edge."""
    generations: int = 40
    """Maximum number of generations of each search."""
    minutes: float = 10.0
    """Maximum wall time of all searches together, minutes."""
    seed: int = 0
    """Seed of all trials and searches."""
    jobs: int = 1
    """Number of worker processes."""
    only: tuple[str, ...] = ()
    """Names of the nodes with which the new node may be connected. Empty: all nodes."""
    exits: bool = False
    """True: searches may also change the parameters of safety exits (transitions after a fall, and time limits)."""


def find_candidate(project: Project, request: CandidateRequest) -> tuple[Node, bool]:
    """Return the candidate node (the node to insert) of a request, and whether it is a node of the graph already.

    The candidate is a node of the graph if the request has the name of this node, or its script with the same
    arguments. Otherwise the candidate is a new node.

    Args:
        project: Project with the graph.
        request: The script, and the fields of its node that the user gives.

    Raises:
        CtrlGraphError: The script does not exist, lies outside the project or loads a saved state (LOAD), the name of
            the new node is invalid or taken, the character lacks a link that a success condition needs, or the request
            would change a field of a node of the graph.
        SourceError: The script has errors.
    """
    request = _of_draft(project, request)
    script = "" if request.script in project.graph else script_path(project, request.script)
    known = _known(project, request, script)
    if known is not None:
        _check_unchanged(known, request)
        project.program(known)
        return known, True
    name = Path(script).stem if request.name is None else request.name
    fault = name_fault(name)
    if fault is not None:
        raise CtrlGraphError(f"the new node's name {fault}: give another name with --name")
    if name in project.graph:
        taken = project.graph.node(name)
        raise CtrlGraphError(f"the graph already has a node '{name}' ({taken.file}): choose another name with --name")
    success = request.success or header_conditions(project, project.directory / script)
    require(success, project.character)
    earlier = project.graph.drafts.get(name)
    if earlier is not None and earlier.file != script:
        raise CtrlGraphError(
            f"the graph already has a draft '{name}' ({earlier.file}): choose another name with --name"
        )
    program = project.compile(project.directory / script, request.args)
    if CONTROLLER_KINDS[program.kind].jumps_to_saved_state(program):
        raise CtrlGraphError(f"{script} uses LOAD: remove it, because a node must not jump to a saved state")
    text = (project.directory / script).read_text(encoding="utf-8-sig")
    node = Node(
        name=name,
        file=script,
        args=request.args,
        kind=NodeKind.DYNAMIC if request.kind is None else NodeKind(request.kind),
        cycles=request.cycles or (1, 1),
        timeout=request.timeout or LONGEST_S * (request.cycles or (1, 1))[1],
        success=dict(success),
        plausible=dict(project.graph.plausible),
        description=first_comment(text),
    )
    return node, False


def _of_draft(project: Project, request: CandidateRequest) -> CandidateRequest:
    """Complete a request that names a draft (an unfinished node) with the fields of the draft in the graph file.

    Fields that the request gives have priority. Other requests are returned unchanged.
    """
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
    """Return the node of the graph that a request is about, or None if the request is about a new node.

    Args:
        project: Project with the graph.
        request: The script and the fields of its node.
        script: Path of the script relative to the project. Empty: `request.script` is the name of a node.
    """
    if not script:
        return project.graph.node(request.script)
    same = [node for node in project.graph if node.file == script and node.args == request.args]
    return next((node for node in same if request.name in (None, node.name)), None)


def _check_unchanged(node: Node, request: CandidateRequest) -> None:
    if request.args and request.args != node.args:
        fault = f"'{node.name}' is a node of the graph with other arguments"
        raise CtrlGraphError(f"{fault}: for a second node, give the script ({node.file}) with --name")
    given = {name: getattr(request, name) for name in ("success", "kind", "cycles", "timeout")}
    words = [name for name, value in given.items() if value is not None]
    if words:
        advice = f"change '{words[0]}' of this node in graph.yaml; --{words[0]} is only for new nodes"
        raise CtrlGraphError(f"'{node.name}' is a node of the graph: {advice}")
    if request.name not in (None, node.name):
        raise CtrlGraphError(f"'{node.name}' is already a node of the graph: omit --name, which is only for new nodes")


def script_path(project: Project, given: str) -> str:
    """Return the path of a script relative to the project, as in the graph file.

    Args:
        project: Project with the script.
        given: Path of the script, relative to the current directory or to the project.

    Raises:
        CtrlGraphError: The file does not exist, is not a script, or lies outside the project.
    """
    found = [path.resolve() for path in (Path(given), project.directory / given) if path.is_file()]
    if not found:
        raise unknown_controller(project, given)
    if found[0].suffix not in EXTENSIONS:
        raise CtrlGraphError(f"'{given}' is not a script: names of scripts end in {' or '.join(EXTENSIONS)}")
    directory = project.directory.resolve()
    inside = next((path for path in found if path.is_relative_to(directory)), None)
    if inside is None:
        raise CtrlGraphError(
            f"'{given}' lies outside the project: copy the script into {display_path(project.directory)}"
        )
    return inside.relative_to(directory).as_posix()


def first_comment(text: str) -> str:
    """Return the first sentence of the comment at the beginning of a script. Empty: there is no such comment."""
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
