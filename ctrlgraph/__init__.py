"""ctrlgraph: controllers for simulated characters, joined into one graph.

`__all__` lists the public names. The docstring of each public name has an example that can be run in a project
directory (`ctrlgraph init DIR` creates one). A name is imported when it is first used, so `import ctrlgraph` is quick.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from ctrlgraph.ambient import ignore_settings_files
from ctrlgraph.version import __version__ as __version__

if TYPE_CHECKING:
    from ctrlgraph.character.files import load_character as load_character
    from ctrlgraph.character.mjcf.writer import write_mjcf as write_mjcf
    from ctrlgraph.character.model import Character as Character
    from ctrlgraph.control.controller import Controller as Controller
    from ctrlgraph.control.keyframes.keyframes import Keyframes as Keyframes
    from ctrlgraph.engine.planar_pushes import Push as Push
    from ctrlgraph.engine.world_settings import WorldSettings as WorldSettings
    from ctrlgraph.errors import CtrlGraphError as CtrlGraphError
    from ctrlgraph.errors import SourceError as SourceError
    from ctrlgraph.graph.model import ControllerGraph as ControllerGraph
    from ctrlgraph.graph.model import Edge as Edge
    from ctrlgraph.graph.model import Node as Node
    from ctrlgraph.pictures.planar.filmstrip import write_filmstrip as write_filmstrip
    from ctrlgraph.project.project import Project as Project
    from ctrlgraph.robustness.evaluator import Evaluator as Evaluator
    from ctrlgraph.robustness.perturbation import perturbations as perturbations
    from ctrlgraph.run_log.run_log import RunLog as RunLog
    from ctrlgraph.run_log.statistics import summarize as summarize
    from ctrlgraph.simulation.environment import Environment as Environment
    from ctrlgraph.simulation.outcome import Outcome as Outcome
    from ctrlgraph.simulation.recording.planar_trace import Trace as Trace
    from ctrlgraph.simulation.simulation import Simulation as Simulation
    from ctrlgraph.terrain.words import parse as parse_terrain  # noqa: F401
    from ctrlgraph.walks.goal_walk import go_to as go_to
    from ctrlgraph.walks.random_run import walk_random as walk_random
    from ctrlgraph.walks.replay import replay_walk as replay_walk

# module of each public name; `:attribute` follows if the object has another name in its module
_HOMES: dict[str, str] = {
    "Character": "character.model",
    "Controller": "control.controller",
    "ControllerGraph": "graph.model",
    "CtrlGraphError": "errors",
    "Edge": "graph.model",
    "Environment": "simulation.environment",
    "Evaluator": "robustness.evaluator",
    "Keyframes": "control.keyframes.keyframes",
    "Node": "graph.model",
    "Outcome": "simulation.outcome",
    "Project": "project.project",
    "Push": "engine.planar_pushes",
    "RunLog": "run_log.run_log",
    "Simulation": "simulation.simulation",
    "SourceError": "errors",
    "Trace": "simulation.recording.planar_trace",
    "WorldSettings": "engine.world_settings",
    "go_to": "walks.goal_walk",
    "load_character": "character.files",
    "parse_terrain": "terrain.words:parse",
    "perturbations": "robustness.perturbation",
    "replay_walk": "walks.replay",
    "summarize": "run_log.statistics",
    "walk_random": "walks.random_run",
    "write_filmstrip": "pictures.planar.filmstrip",
    "write_mjcf": "character.mjcf.writer",
}

__all__ = list(_HOMES)

ignore_settings_files()


def __getattr__(name: str) -> Any:
    """Import the module of a public name, such as `Project`, and return the object with this name.

    Raises:
        AttributeError: `name` is not a public name.
    """
    if name not in _HOMES:
        raise AttributeError(f"the module {__name__!r} has no attribute {name!r}: dir({__name__}) lists the attributes")
    module, _, attribute = _HOMES[name].partition(":")
    return getattr(import_module(f"{__name__}.{module}"), attribute or name)


def __dir__() -> list[str]:
    """Return the public names and the version."""
    return [*__all__, "__version__"]
