"""What pages do with constants and the world: set, push, change, calm."""

from __future__ import annotations

from ctrlgraph.engine.engine import ENGINES, known_engine
from ctrlgraph.engine.pushes import Push
from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.web import protocol
from ctrlgraph.web.settings import ChosenSettings
from ctrlgraph.web.workspace import Workspace
from ctrlgraph.web.world import MAX_EVENTS, Event, WorldChange


class SettingCommands:
    """Does what is said of constants and of the world."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace

    def on_set(self, page: int | None, message: protocol.SetValues) -> None:
        """Let constants have other values."""
        at = self._workspace
        values = dict(at.settings.values)
        for name, value in message.values.items():
            if value is None:
                values.pop(name, None)
            else:
                values[name] = value
        if len(values) > protocol.MAX_VALUES:
            raise CtrlGraphError(f"at most {protocol.MAX_VALUES} constants can have other values")
        at.change("constants", ChosenSettings(tuple(sorted(values.items())), at.settings.events), final=message.final)

    def on_push(self, page: int | None, message: protocol.PushLink) -> None:
        """Push a link at a moment."""
        self._add_event(Push(message.time, message.duration, message.link, message.x, message.y))

    def on_world(self, page: int | None, message: protocol.Change) -> None:
        """Change the world from a moment on."""
        engine = None if message.engine is None else known_engine(message.engine)
        if engine is not None:
            ENGINES[engine].load()
        self._add_event(WorldChange(message.time, message.slope, message.friction, engine))

    def _add_event(self, event: Event) -> None:
        at = self._workspace
        if len(at.settings.events) >= MAX_EVENTS:
            raise CtrlGraphError(f"a motion may have {MAX_EVENTS} pushes and changes of its world; calm it first")
        at.change(
            "push" if isinstance(event, Push) else "world",
            ChosenSettings(at.settings.values, (*at.settings.events, event)),
        )

    def on_calm(self, page: int | None, message: protocol.Calm) -> None:
        """Forget all pushes and changes of the world."""
        self._workspace.change("calm", ChosenSettings(self._workspace.settings.values))
