"""What of a project has changed since a run was logged: its character, its conditions, its controllers."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ctrlgraph.graph.model import Edge
from ctrlgraph.project.old_hashes import old_hashes
from ctrlgraph.runs.record import AttemptRecord, RunRecord

if TYPE_CHECKING:
    from ctrlgraph.graph.model import Node
    from ctrlgraph.project.project import Project


@dataclass(frozen=True, slots=True)
class Changes:
    """Names of nodes, sorted, of which something is not as the log has it.

    controllers: their scripts or learned constants; conditions: their success, bounds or timeout; character: whether
    the character is another; unnamed: something of these, which a log of an older version does not tell apart.
    """

    controllers: tuple[str, ...] = ()
    conditions: tuple[str, ...] = ()
    character: bool = False
    unnamed: tuple[str, ...] = ()

    def sentences(self) -> list[str]:
        """Return what changed, one kind a sentence."""
        since = "changed since the run was logged"
        said = []
        if self.controllers:
            said.append(f"the controllers of {_names(self.controllers)} have {since}")
        if self.conditions:
            said.append(f"the success conditions, bounds or timeouts of {_names(self.conditions)} have {since}")
        if self.character:
            said.append(f"the character has {since}")
        if self.unnamed:
            said.append(
                f"the character, or the conditions or learned constants of {_names(self.unnamed)} or of what leads"
                f" there, have {since} (the log is too old to say which)"
            )
        return said

    def as_dict(self) -> dict[str, Any]:
        return {
            "controllers": list(self.controllers),
            "conditions": list(self.conditions),
            "character": self.character,
            "unnamed": list(self.unnamed),
        }


def run_hashes(project: Project) -> dict[str, str]:
    """Return the hashes of what decides the walks of a project besides the programs, which each attempt has its own of.

    By name: `character`, `conditions NODE`, and where there are learned ones `constants NODE` and
    `constants SOURCE -> TARGET`.
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
    """Return what is not as it was when a walk of the run was logged.

    Args:
        edges: that the attempts took; None where the target ran as it is.
        world: digest of the walk's world.
    """
    controllers, there = set(), set()
    logged = run.settings.get("hashes")
    then: Mapping[str, str] = logged if isinstance(logged, dict) else {}
    now = run_hashes(project) if then else {}
    present = _Present(project, attempts, world)
    then = {name: present(hashed, now.get(name)) for name, hashed in then.items()}
    for attempt, edge in zip(attempts, edges, strict=True):
        program, _ = project.edge_controller(edge, attempt.node, attempt.cycles)
        learned = {f"constants {name}" for name in (attempt.node, edge) if name is not None}
        if present(attempt.program_hash, program.digest) != program.digest or _differ(then, now, learned):
            controllers.add(attempt.node)
        there.add(attempt.node)
    conditions = {name for name in there if _differ(then, now, {f"conditions {name}"})}
    character = _differ(then, now, {"character"})
    unnamed: set[str] = set()
    if not then and not controllers:
        unnamed = {attempt.node for attempt in attempts if not _compares(project, attempt, world, present)}
    return Changes(tuple(sorted(controllers)), tuple(sorted(conditions)), character, tuple(sorted(unnamed)))


def _differ(then: Mapping[str, str], now: Mapping[str, str], names: set[str]) -> bool:
    return any(then.get(name) != now.get(name) for name in names)


def _conditions(node: Node) -> str:
    kinds = [node.success, node.bounds, *([node.plausible] if node.plausible else [])]
    data = [node.timeout, *(sorted((name, *ends) for name, ends in c.items()) for c in kinds)]
    return hashlib.sha256(json.dumps(data).encode()).hexdigest()[:32]


def _compares(project: Project, attempt: AttemptRecord, world: str, present: _Present) -> bool:
    """Whether the attempt was made with all that decides its edge now; an edge that is gone does not."""

    def same(edge: Edge | None) -> bool:
        now = project.edge_hash(edge, world)
        return present(attempt.edge_hash, now) == now

    if attempt.source is None:
        return same(None)
    identity = (attempt.source, attempt.node, attempt.edge_kind, attempt.condition)
    return any(same(e) for e in project.graph.edges if (e.source, e.target, e.kind.value, e.when) == identity)


class _Present:
    """Logged hashes as they would be now: those of older versions become the present ones, where nothing changed."""

    def __init__(self, project: Project, attempts: Sequence[AttemptRecord], world: str) -> None:
        self._ask = (project, world, [(a.source, a.node, a.cycles) for a in attempts if a.source is not None])
        self._known: Mapping[str, str] | None = None

    def __call__(self, logged: str, now: str | None) -> str:
        if logged == now:
            return logged
        if self._known is None:  # most logs need none
            project, world, runs = self._ask
            self._known = old_hashes(project, [world], runs)
        return self._known.get(logged, logged)


def _names(names: Sequence[str]) -> str:
    return ", ".join(f"'{name}'" for name in names)
