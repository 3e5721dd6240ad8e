"""No figure is cut off and no texts overlap in the pictures of the shipped nodes."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.collections import PolyCollection
from matplotlib.figure import Figure as Canvas
from matplotlib.transforms import Bbox

from ctrlgraph.pictures.key_poses import key_poses
from ctrlgraph.pictures.planar import filmstrip
from ctrlgraph.pictures.planar.clip import Clip, ClipDrawing
from ctrlgraph.pictures.planar.figure import Figure
from ctrlgraph.pictures.style import Label, plain_lettering
from ctrlgraph.project.project import Project
from ctrlgraph.robustness.usual_motion import UsualMotion, usual_motion
from ctrlgraph.simulation.environment import Environment
from ctrlgraph.simulation.recording.planar_trace import Trace

ROOT = Path(__file__).parents[2]
NODES = tuple(sorted(Project(ROOT).graph.nodes))
SAMPLED = ("walk",)
HALO = 3  # pixels of an outline


@pytest.fixture(scope="module")
def shipped() -> Project:
    return Project(ROOT)


def shown(motion: UsualMotion) -> tuple[Trace, list[Label], list[Label]]:
    labels = list(zip(motion.began, motion.path, strict=True))
    return motion.trace, labels, [(phase.time, phase.caption) for phase in motion.phases]


def strip_of(motion: UsualMotion) -> Canvas:
    """Draw the filmstrip of a node and its predecessors."""
    trace, labels, phases = shown(motion)
    figure = Figure.of(motion.character)
    with plain_lettering():
        poses = key_poses(trace, motion.character, labels=labels, phases=phases)
        rows = filmstrip.figure_rows(trace, figure, poses, level=False)
        canvas = filmstrip._draw(trace, figure, rows, motion.terrain, labels, motion.path[-1])
        canvas.canvas.draw()
    return canvas


def require_framed(canvas: Canvas, inside: Bbox) -> None:
    """Require that figures are within their axes, and texts within the picture without overlap."""
    words = []
    for axes in canvas.axes:
        frame = axes.get_window_extent()
        for drawn in axes.collections:
            if isinstance(drawn, PolyCollection) and drawn.get_zorder() == 5:
                corners = np.concatenate([path.vertices for path in drawn.get_paths()])
                left, bottom = axes.transData.transform(corners.min(axis=0))
                right, top = axes.transData.transform(corners.max(axis=0))
                assert left >= frame.x0 + HALO and right <= frame.x1 - HALO
                assert bottom >= frame.y0 + HALO and top <= frame.y1 - HALO
        words += [text for text in axes.texts if text.get_text() and text.get_visible()]
    boxes = [(text.get_text(), text.get_window_extent()) for text in [*words, *canvas.texts]]
    for text, box in boxes:
        assert box.x0 >= inside.x0 and box.x1 <= inside.x1 and box.y0 >= inside.y0 and box.y1 <= inside.y1, text
    for (one, box), (other, beside) in combinations(boxes, 2):
        wide = min(box.x1, beside.x1) - max(box.x0, beside.x0)
        high = min(box.y1, beside.y1) - max(box.y0, beside.y0)
        assert wide <= 0.5 or high <= 2.5, (one, other)  # lines are close


def require_all_framed(project: Project, node: str) -> None:
    motion = usual_motion(project, node, Environment())
    assert motion is not None
    canvas = strip_of(motion)
    require_framed(canvas, canvas.bbox)
    trace, labels, phases = shown(motion)
    for size in ((768, 432), (320, 240)):
        film = Canvas(figsize=(size[0] / 100, size[1] / 100), dpi=100)
        FigureCanvasAgg(film)
        with plain_lettering():
            colours = dict.fromkeys(motion.path, "#000000")
            clip = Clip(trace, motion.character, motion.terrain, labels, phases)
            drawing = ClipDrawing(film, size, clip, colours, still=False)
            for metre in drawing.metres:
                metre.set_alpha(0.0)
            for pose in key_poses(trace, motion.character, phases=phases):
                drawing.pose(float(trace.time[pose.sample] - trace.time[0]))
                for metre in drawing.metres:
                    metre.set_visible(False)  # they leave and enter the picture
                require_framed(film, film.bbox)


@pytest.mark.parametrize("node", SAMPLED)
def test_nothing_is_cut_off_or_written_over(shipped: Project, node: str) -> None:
    require_all_framed(shipped, node)


@pytest.mark.slow
@pytest.mark.parametrize("node", [node for node in NODES if node not in SAMPLED])
def test_nothing_is_cut_off_or_written_over_of_any_node(shipped: Project, node: str) -> None:
    require_all_framed(shipped, node)


def test_hands_and_trunk_that_touch_the_ground_for_the_first_time_are_landmarks(shipped: Project) -> None:
    motion = usual_motion(shipped, "supine", Environment())
    assert motion is not None
    trace = motion.trace
    poses = key_poses(trace, motion.character)
    said = {caption: float(trace.time[pose.sample]) for pose in poses for caption in pose.captions}
    hands = trace.contact[:, list(motion.character.roles.hands)].any(axis=1)
    assert said["hands touch"] == pytest.approx(trace.time[np.argmax(hands)], abs=0.06)
    assert "trunk touches" in said and "feet touch" not in said
