"""Changes of a project since a run was logged: of character, conditions and controllers."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ctrlgraph.graph.model import Edge
from ctrlgraph.runs.record import AttemptRecord, RunRecord

if TYPE_CHECKING:
    from ctrlgraph.graph.model import Node
    from ctrlgraph.project.project import Project


@dataclass(frozen=True, slots=True)
class Changes:
    """Changes since a run was logged; names are sorted."""

    controllers: tuple[str, ...] = ()
    """Nodes whose script or learned constants have changed."""
    conditions: tuple[str, ...] = ()
    """Nodes whose success conditions, bounds or timeout have changed."""
    character: bool = False
    """Whether the character has changed."""
    unnamed: tuple[str, ...] = ()
    """Nodes with a change of any of these kinds, which logs of older versions do not distinguish."""

    def sentences(self) -> list[str]:
        """Return a sentence for each kind of change."""
        since = "changed since the run was logged"
        sentences = []
        if self.controllers:
            sentences.append(f"the controllers of {_names(self.controllers)} have {since}")
        if self.conditions:
            sentences.append(f"the success conditions, bounds or timeouts of {_names(self.conditions)} have {since}")
        if self.character:
            sentences.append(f"the character has {since}")
        if self.unnamed:
            sentences.append(
                f"the character, or the conditions or learned constants of {_names(self.unnamed)} or of what leads"
                f" there, have {since} (the log is too old to say which)"
            )
        return sentences

    def as_dict(self) -> dict[str, Any]:
        """Return the changes as JSON data."""
        return {
            "controllers": list(self.controllers),
            "conditions": list(self.conditions),
            "character": self.character,
            "unnamed": list(self.unnamed),
        }


def run_hashes(project: Project) -> dict[str, str]:
    """Return hashes of everything that affects the walks of a project, except controllers, which attempts have.

    Their names are `character`, `conditions NODE`, `constants NODE` and `constants SOURCE -> TARGET`.
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
    project: Project, run: RunRecord, attempts: Sequence[AttemptRecord], edges: Sequence[Edge | None], world: str
) -> Changes:
    """Return the changes since a walk was logged.

    Args:
        project: the present project.
        run: the run of the walk.
        attempts: attempts of the walk.
        edges: edges of the attempts; None for targets without learned constants.
        world: digest of the walk's environment.
    """
    controllers, there = set(), set()
    logged = run.settings.get("hashes")
    then: Mapping[str, str] = logged if isinstance(logged, dict) else {}
    now = run_hashes(project) if then else {}
    for attempt, edge in zip(attempts, edges, strict=True):
        program, _ = project.edge_controller(edge, attempt.node, attempt.cycles)
        learned = {f"constants {name}" for name in (attempt.node, edge) if name is not None}
        if attempt.program_hash != program.digest or _differ(then, now, learned):
            controllers.add(attempt.node)
        there.add(attempt.node)
    conditions = {name for name in there if _differ(then, now, {f"conditions {name}"})}
    character = _differ(then, now, {"character"})
    unnamed: set[str] = set()
    if not then and not controllers:
        unnamed = {attempt.node for attempt in attempts if not _compares(project, attempt, world)}
    return Changes(tuple(sorted(controllers)), tuple(sorted(conditions)), character, tuple(sorted(unnamed)))


def _differ(then: Mapping[str, str], now: Mapping[str, str], names: set[str]) -> bool:
    return any(then.get(name) != now.get(name) for name in names)


def _conditions(node: Node) -> str:
    kinds = [node.success, node.bounds, *([node.plausible] if node.plausible else [])]
    data = [node.timeout, *(sorted((name, *ends) for name, ends in c.items()) for c in kinds)]
    return hashlib.sha256(json.dumps(data).encode()).hexdigest()[:32]


def _compares(project: Project, attempt: AttemptRecord, world: str) -> bool:
    """Tell whether an attempt has the present hash of its edge; False if the edge no longer exists."""

    def same(edge: Edge | None) -> bool:
        return project.edge_hash(edge, world) == attempt.edge_hash

    if attempt.source is None:
        return same(None)
    identity = (attempt.source, attempt.node, attempt.edge_kind, attempt.condition)
    return any(same(e) for e in project.graph.edges if (e.source, e.target, e.kind.value, e.when) == identity)


def _names(names: Sequence[str]) -> str:
    return ", ".join(f"'{name}'" for name in names)
