"""Detection of what has changed in a project since a run was logged: controllers, success conditions, character."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ctrlgraph.errors import RunLogError
from ctrlgraph.graph.model import Edge
from ctrlgraph.run_log.record import AttemptRecord, RunRecord

if TYPE_CHECKING:
    from ctrlgraph.graph.model import Node
    from ctrlgraph.project.project import Project


@dataclass(frozen=True, slots=True)
class Changes:
    """Changes of a project since a run was logged, among the nodes of a walk. Names are sorted."""

    controllers: tuple[str, ...] = ()
    """Names of the nodes whose controller or learned constants have changed."""
    conditions: tuple[str, ...] = ()
    """Names of the nodes whose success conditions, bounds or timeout have changed."""
    character: bool = False
    """Whether the character has changed."""

    def sentences(self) -> list[str]:
        """Return a message for each of the three fields that reports a change; an empty list if nothing has changed."""
        since = "changed since the run was logged"
        sentences = []
        if self.controllers:
            sentences.append(f"the controllers of {_names(self.controllers)} have {since}")
        if self.conditions:
            sentences.append(f"the success conditions, bounds or timeouts of {_names(self.conditions)} have {since}")
        if self.character:
            sentences.append(f"the character has {since}")
        return sentences


def run_hashes(project: Project) -> dict[str, str]:
    """Return hashes of everything in a project that affects its walks, except controllers, by name.

    The names are `character`, `conditions NODE`, `constants NODE` (learned constants of a gain-scheduled node) and
    `constants SOURCE -> TARGET` (learned constants of an edge). Hashes of controllers are logged with each attempt.
    """
    hashes = {"character": project.character.digest}
    for node in project.graph:
        hashes[f"conditions {node.name}"] = _conditions(node)
        if node.adapted is not None:
            hashes[f"constants {node.name}"] = project.resolver.learned(node.adapted).file.digest
    for edge in project.graph.edges:
        if edge.parameters is not None:
            hashes[f"constants {edge}"] = project.resolver.edge_digest(edge)
    return hashes


def changes_since(
    project: Project, run: RunRecord, attempts: Sequence[AttemptRecord], edges: Sequence[Edge | None]
) -> Changes:
    """Return the changes of a project since a walk was logged, among the nodes of the walk.

    Args:
        project: the project as it is now.
        run: log record of the run to which the walk belongs.
        attempts: log records of the attempts (executions of nodes) of the walk.
        edges: the learned edge of each attempt; None for an attempt that took another edge.

    Raises:
        RunLogError: the log has no hashes for the run, so it is damaged.
    """
    controllers, there = set(), set()
    then, now = run.settings.get("hashes"), run_hashes(project)
    if not isinstance(then, dict):
        raise RunLogError(f"the run log is damaged, so restore or delete it: run '{run.id}' has no hashes")
    for attempt, edge in zip(attempts, edges, strict=True):
        program, _ = project.edge_controller(edge, attempt.node, attempt.cycles)
        learned = {f"constants {name}" for name in (attempt.node, edge) if name is not None}
        if attempt.program_hash != program.digest or _differ(then, now, learned):
            controllers.add(attempt.node)
        there.add(attempt.node)
    conditions = {name for name in there if _differ(then, now, {f"conditions {name}"})}
    character = _differ(then, now, {"character"})
    return Changes(tuple(sorted(controllers)), tuple(sorted(conditions)), character)


def _differ(then: Mapping[str, str], now: Mapping[str, str], names: set[str]) -> bool:
    return any(then.get(name) != now.get(name) for name in names)


def _conditions(node: Node) -> str:
    kinds = [node.success, node.bounds, *([node.plausible] if node.plausible else [])]
    data = [node.timeout, *(sorted((name, *ends) for name, ends in c.items()) for c in kinds)]
    return hashlib.sha256(json.dumps(data).encode()).hexdigest()[:32]


def _names(names: Sequence[str]) -> str:
    return ", ".join(f"'{name}'" for name in names)
