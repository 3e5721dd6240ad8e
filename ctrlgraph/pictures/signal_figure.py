"""A figure of recorded signals over time: lanes (wide plots) below each other with a common time axis."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from ctrlgraph.errors import CtrlGraphError, printable, quoted, suggestion
from ctrlgraph.pictures.style import COLOURS, INK, MUTED, PAPER, label_colours, write_figure
from ctrlgraph.simulation.signals.recorded_signals import Signals

GROUPS: dict[str, tuple[str, ...]] = {
    "joints": ("angle", "target"),
    "speeds": ("velocity",),
    "torques": ("torque", "asked", "least", "greatest"),
    "forces": ("force_x", "force_y", "force_z"),
    "places": ("x", "y", "z"),
}
"""Quantities that a lane of a joint or link shows, by the word before `=` in names such as `joints=rKnee`. Quantities
along z exist only in space."""

BODY: dict[str, tuple[str, ...]] = {
    "com": ("com_x", "com_y", "com_z"),
    "speed": ("com_vx", "com_vy", "com_vz"),
    "energy": ("kinetic_energy", "potential_energy", "spent_energy"),
}
"""Signals that each lane of the whole body shows, by the name of the lane. Quantities along z exist only in space."""

WIDTH, LANE_HEIGHT, BAND_HEIGHT = 10.0, 1.3, 0.45
"""Width of a picture, height of a lane with curves, and height of a lane with coloured intervals (band), inches."""
_BANDS = ("phase", "contacts")
_TEXTS = ("time", "visit", "node", "script", "line")
_FAINT = ("target", "asked", "least", "greatest")


@dataclass(frozen=True, slots=True)
class Lane:
    """A plot of the picture: curves of signals, or a band of coloured intervals of time."""

    title: str
    """Label of the lane. For a band, it also selects the content: "phase" or "contacts"."""
    columns: tuple[str, ...] = ()
    """Names of the signals that are drawn as curves; empty for a band."""

    @property
    def height(self) -> float:
        """Return the height of the lane, inches."""
        return LANE_HEIGHT if self.columns else BAND_HEIGHT


def lanes_of(words: Sequence[str], columns: Collection[str]) -> tuple[Lane, ...]:
    """Return the lanes (plots) that the option `--lanes` requests.

    Args:
        words: Words of the option. Each is `phase`, `contacts`, `com`, `speed`, `energy`, the name of a signal, or a
            group of signals of a joint or link such as `joints=rKnee`. `joints=bKnee` requests the right and the left
            knee.
        columns: Names of all signals of the character (`signals.names_of`).

    Raises:
        CtrlGraphError: A word is not the name of a lane, or the character does not have the joint or link.
    """
    return tuple(_lane(each, columns) for word in words for each in _sides(word.strip(), columns))


def _sides(word: str, columns: Collection[str]) -> tuple[str, ...]:
    """Replace a name that begins with b (both sides) by its right and left name: `joints=bKnee` becomes two words.

    Other words of the option `--lanes` are returned unchanged.

    Args:
        word: Word of the option `--lanes`.
        columns: Names of all signals of the character.
    """
    before, mark, name = word.partition("=") if "=" in word else word.partition(".")
    sides = tuple(f"{before}{mark}{side}{name[1:]}" for side in "rl")
    known = [f"{GROUPS.get(before, (before,))[0]}.{side}{name[1:]}" in columns for side in "rl"]
    return sides if name.startswith("b") and all(known) else (word,)


def _lane(word: str, columns: Collection[str]) -> Lane:
    group, _, name = word.partition("=")
    lane = f"{GROUPS[group][0]}.{name}" if group in GROUPS else word
    if lane in columns and group in GROUPS:
        return Lane(f"{name} {group}", _known((f"{quantity}.{name}" for quantity in GROUPS[group]), columns))
    if word in _BANDS or word in BODY:
        return Lane(word, _known(BODY.get(word, ()), columns))
    if word in columns and word not in _TEXTS:
        return Lane(word, (word,))
    drawn = [
        f"{group}={each.partition('.')[2]}"
        for group in GROUPS
        for each in columns
        if each.startswith(f"{GROUPS[group][0]}.")
    ]
    known = [*_BANDS, *BODY, *drawn, *(each for each in columns if each not in _TEXTS)]
    hint = suggestion(word, known) or "docs/reference/signals.md lists the names"
    raise CtrlGraphError(f"{quoted(word)} is not the name of a signal or lane; {hint}")


def _known(names: Iterable[str], columns: Collection[str]) -> tuple[str, ...]:
    """Return those of `names` that are in `columns`."""
    return tuple(name for name in names if name in columns)


def write_signal_figure(signals: Signals, lanes: Sequence[Lane], path: Path, *, title: str = "") -> None:
    """Write a picture of signals over time: a band that shows which node runs, and the given lanes below it.

    Args:
        signals: Recorded signals of a motion.
        lanes: Lanes (plots) to draw below each other.
        path: Output file, .png or .svg.
        title: Title of the picture.

    Raises:
        CtrlGraphError: The file cannot be written.
    """
    write_figure(path, lambda: _figure(signals, lanes, title))


def _figure(signals: Signals, lanes: Sequence[Lane], title: str) -> Figure:
    heights = [BAND_HEIGHT, *(lane.height for lane in lanes)]
    canvas = Figure(figsize=(WIDTH, 0.9 + sum(heights) + 0.12 * len(heights)), facecolor=PAPER, layout="constrained")
    rows = canvas.subplots(len(heights), 1, sharex=True, squeeze=False, height_ratios=heights)[:, 0]
    _draw_blocks(rows[0], signals, "node")
    rows[0].set_title(printable(title), loc="left", color=INK, fontsize=10)
    starts = [start for start, _, _ in _blocks(signals, "node")][1:]
    for axes, lane in zip(rows[1:], lanes, strict=True):
        if lane.title == "phase":
            _draw_blocks(axes, signals, "phase")
        elif lane.title == "contacts":
            _draw_contacts(axes, signals)
        else:
            _draw_curves(axes, signals, lane)
        for start in starts:
            axes.axvline(start, color=MUTED, lw=0.6, ls=(0, (2, 3)), zorder=0)
    rows[-1].set_xlabel("s")
    rows[-1].set_xlim(float(signals.columns["time"][0]), float(signals.columns["time"][-1]) + 1e-9)
    return canvas


def _blocks(signals: Signals, name: str) -> Iterator[tuple[float, float, str]]:
    """Yield the intervals of time in which a signal is constant: start (s), end (s), and the value as text.

    A change of the node begins a new interval even if the signal keeps its value.

    Args:
        signals: Recorded signals of a motion.
        name: Name of the signal.
    """
    time, texts = signals.columns["time"], [str(value) for value in signals.columns[name].tolist()]
    nodes = signals.columns["node"].tolist()
    first = 0
    for i in range(1, len(texts) + 1):
        if i == len(texts) or texts[i] != texts[first] or nodes[i] != nodes[first]:
            yield float(time[first]), float(time[min(i, len(texts) - 1)]), texts[first]
            first = i


def _draw_blocks(axes: Axes, signals: Signals, name: str) -> None:
    blocks = list(_blocks(signals, name))
    whole = max(float(signals.columns["time"][-1] - signals.columns["time"][0]), 1e-9)
    colours = label_colours(value for _, _, value in blocks)
    for start, end, value in blocks:
        axes.axvspan(start, end, color=colours[value], alpha=0.3, lw=0)
        room = int(170 * (end - start) / whole)  # letters
        text = printable(value) if len(value) <= room else f"{printable(value)[: room - 1]}…" if room > 3 else ""
        axes.text((start + end) / 2, 0.5, text, ha="center", va="center", color=INK, fontsize=7)
    axes.set(ylim=(0, 1), yticks=[])
    axes.set_ylabel(name, rotation=0, ha="right", va="center")
    _plain(axes)


def _draw_contacts(axes: Axes, signals: Signals) -> None:
    time = signals.columns["time"]
    touching = [name for name, column in signals.columns.items() if name.startswith("contact.") and column.any()]
    for row, name in enumerate(reversed(touching)):
        on = signals.columns[name].astype(bool)
        axes.fill_between(time, row + 0.1, row + 0.9, where=on, step="post", color=COLOURS[0], alpha=0.7, lw=0)
    names = [name.partition(".")[2] for name in reversed(touching)]
    axes.set(ylim=(0, max(1, len(touching))), yticks=np.arange(len(touching)) + 0.5, yticklabels=names)
    axes.tick_params(axis="y", length=0, labelsize=6)
    _plain(axes)


def _draw_curves(axes: Axes, signals: Signals, lane: Lane) -> None:
    time = signals.columns["time"]
    for colour, column in zip([*COLOURS, *COLOURS], lane.columns, strict=False):
        quantity, _, _ = column.partition(".")
        style: dict[str, Any] = {"lw": 0.8, "ls": (0, (4, 2))} if quantity in _FAINT else {"lw": 1.3, "ls": "solid"}
        shade = MUTED if quantity in ("least", "greatest") else colour
        axes.plot(time, signals.columns[column], color=shade, label=quantity.replace("_", " "), **style)
    units = ", ".join(dict.fromkeys(filter(None, map(signals.quantities.unit, lane.columns))))
    axes.set_ylabel(f"{lane.title}\n{units}" if units else lane.title)
    if len(lane.columns) > 1:
        axes.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0), frameon=False, fontsize=7)
    _plain(axes)


def _plain(axes: Axes) -> None:
    axes.spines[["top", "right"]].set_visible(False)
