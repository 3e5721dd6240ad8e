"""What pages do with searches: watch one, whose best so far moves beside the present motion."""

from __future__ import annotations

from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.web import protocol
from ctrlgraph.web.programs import Programs
from ctrlgraph.web.search_panel import SearchPanel
from ctrlgraph.web.workspace import Workspace


class SearchCommands:
    """Does what is said of searches; panel: the one that is watched."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self.panel = SearchPanel(workspace.project.directory)

    def on_search(self, page: int | None, message: protocol.Watch) -> None:
        """Watch a search, or none."""
        self.panel.watch(message.path)
        self._workspace.stage.leave_beside()
        if message.path is None:
            self._workspace.say(self.panel.told())
        else:
            self.look()

    def look(self) -> None:
        """Tell how the search that is watched has gone on, and let its best so far move beside the present motion."""
        at = self._workspace
        try:
            progress = self.panel.look()
        except CtrlGraphError as error:
            at.complain(str(error))
            return
        if progress is None:
            return
        at.say({"type": "search", "path": self.panel.path, "progress": progress.as_dict()})
        if progress.values:
            programs = Programs(at.project)
            programs.set_values(progress.values)
            at.stage.move_beside(programs, at.world(), at.segments())
