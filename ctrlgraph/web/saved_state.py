"""What of a workspace survives its process, and how it is taken up again."""

from __future__ import annotations

from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.web.settings import ChosenSettings
from ctrlgraph.web.state_file import Remembered, UnsavedText
from ctrlgraph.web.target import Target
from ctrlgraph.web.told import events_of, kept_event
from ctrlgraph.web.workspace import Workspace


def remembered_of(workspace: Workspace) -> Remembered:
    """Return what is to survive."""
    target, opened = workspace.target, workspace.scripts.opened().items()
    return Remembered(
        names=list(target.names),
        script=target.script,
        cycles=target.cycles,
        drafts={name: UnsavedText(text=s.text, digest=s.digest) for name, s in opened if not s.saved},
        values=dict(workspace.settings.values),
        events=[kept_event(event) for event in workspace.settings.events],
        variants=workspace.variants.kept(),
    )


def take_up(workspace: Workspace, state: Remembered, *, asked: bool) -> None:
    """Go on with what was remembered, so far as it still fits the project.

    Args:
        asked: whether something was asked for by name, which then is the target.
    """
    graph = workspace.project.graph
    if not asked and (state.names or state.script) and all(name in graph for name in state.names):
        workspace.target = Target(tuple(state.names), state.script, state.cycles)
        try:
            workspace.segments()
        except CtrlGraphError:
            workspace.target = Target((graph.start,))
    for name, draft in state.drafts.items():
        try:
            script = workspace.scripts.get(name)
            workspace.scripts.put(name, draft.text, script.revision)
            workspace.programs.revise(script.path, script.text)
        except CtrlGraphError:
            continue
    character = workspace.project.character
    workspace.settings = ChosenSettings(tuple(sorted(state.values.items())), events_of(state.events, character))
    workspace.variants.recall(state.variants, character)
