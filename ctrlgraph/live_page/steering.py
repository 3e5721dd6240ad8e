"""Handlers of messages that steer a character in space: desired velocities of gaits, and nodes to go to.

The method `on_TYPE` handles the messages of `live_page.protocol` whose field `type` is TYPE. The argument `page` is the
number of the page that has sent the message.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ctrlgraph.control.controller import Command
from ctrlgraph.control.gait.gait import Gait
from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.live_page import protocol
from ctrlgraph.live_page.graph_panel import edge_evidence
from ctrlgraph.live_page.motion.segments import Queue, SteeredWalk
from ctrlgraph.live_page.motion.world import Steering
from ctrlgraph.live_page.workspace import Workspace

if TYPE_CHECKING:
    from ctrlgraph.project.project import Project


class SteeringCommands:
    """Handlers of messages that steer a gait, and that choose the node that goes on from then."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace

    def on_drive(self, page: int | None, message: protocol.Drive) -> None:
        """Continue with a walk to a node that then goes on. A gait that runs at the time in the message ends there."""
        self._go_on(message.node, message.time, cuts_gait=True)
        self._workspace.broadcast_state()

    def on_steer(self, page: int | None, message: protocol.Steer) -> None:
        """Set the desired velocity of the gait that runs at the time in the message, and let this gait go on."""
        live = self._workspace.stage.live
        node = None if live is None else live.gait_at(message.time)
        if live is None or node is None:
            raise CtrlGraphError("no gait runs at this time: choose a gait first")
        if not isinstance(live.queue.walk, SteeredWalk):
            self._go_on(node, message.time)
        command = Command(message.forward, message.sideways, message.turn)
        self._workspace.add_event(Steering(message.time, command))

    def _go_on(self, node: str, time: float, *, cuts_gait: bool = False) -> None:
        project = self._workspace.project
        walk = SteeredWalk(project.graph, node, edge_evidence(project))
        self._workspace.stage.set_queue(Queue([], walk), time, cuts_gait=cuts_gait)


def steered_nodes(project: Project) -> list[dict[str, Any]]:
    """Return the nodes that number keys choose: the start node, then each gait that can be reached from it.

    Each has its name and its desired velocity `command` (forward, sideways, turn); null for a start node that is no
    gait. Without gaits, the list is empty.
    """
    graph = project.graph
    reached = graph.shortest_paths(graph.start)
    commands = {name: _command(project, name) for name in graph.nodes if name in reached and name != graph.start}
    gaits = [{"name": name, "command": command} for name, command in commands.items() if command is not None]
    return [{"name": graph.start, "command": _command(project, graph.start)}, *gaits] if gaits else []


def _command(project: Project, name: str) -> list[float] | None:
    """Return the desired velocity of a node; None if it is no gait, or its file has errors."""
    node = project.graph.node(name)
    if node.controller != Gait.kind:
        return None
    try:
        gait = project.program(node)
    except CtrlGraphError:
        return None
    assert isinstance(gait, Gait)
    return [gait.values.forward, gait.values.sideways, gait.values.turn]
