"""Output of commands on the terminal: lines, tables, JSON, percentages and progress bars.

Results go to stdout, everything else to stderr. The library rich, which is slow to import, is imported when needed.

Names, texts and paths may come from untrusted files. Therefore all output passes through this module, which escapes
control characters (`printable`). No other module may print.
"""

from __future__ import annotations

import json
import os
import sys
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import click

from ctrlgraph.cli.exit_codes import ExitCode
from ctrlgraph.errors import printable
from ctrlgraph.paths import display_path

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions, RenderableType
    from rich.progress import Progress
    from rich.segment import Segment
    from rich.text import Text

    from ctrlgraph.statistics import SuccessCount

PIPE_WIDTH = 160  # width of tables in files and pipes
WIDTHS = range(20, 2001)
"""Accepted values of the environment variables COLUMNS and LINES. Other values are ignored."""


@dataclass(frozen=True, slots=True)
class Styled:
    """A text with a style (colour, bold or dim), for a line or a table cell. Only a terminal shows the style."""

    text: str
    """The text, without escape codes."""
    fg: str | None = None
    """Colour of the text, such as "red" (click's names). None: the terminal's default."""
    bold: bool = False
    """Whether the text is bold."""
    dim: bool = False
    """Whether the text is less bright than other text."""

    def render(self) -> str:
        """Return the text with the escape codes of its style. Control characters in the text are made visible."""
        return click.style(printable(self.text), fg=self.fg, bold=self.bold or None, dim=self.dim or None)

    def rich(self) -> Text:
        """Return the text and its style for a table of the library rich. Control characters are made visible."""
        from rich.text import Text

        styles = ("bold" * self.bold, "dim" * self.dim, self.fg or "")
        return Text(printable(self.text), " ".join(filter(None, styles)))


def echo(*parts: object, err: bool = False, nl: bool = True) -> None:
    """Print a line that consists of the given parts, without spaces between them. Control characters are made visible.

    Args:
        *parts: `Styled` texts, and other objects, which are converted by `str`.
        err: Print on stderr instead of stdout. Errors in writing to stderr are ignored.
        nl: End the line.
    """
    text = "".join(part.render() if isinstance(part, Styled) else printable(str(part)) for part in parts)
    with suppress(OSError) if err else nullcontext():  # a command continues if its notes cannot be written
        click.echo(text, err=err, nl=nl)


def echo_pictures(paths: Iterable[Path], *, err: bool) -> None:
    """Print a line with the path of each picture file that a command has written.

    Args:
        paths: Paths of the files.
        err: Print on stderr instead of stdout, so that stdout has only JSON.
    """
    for path in paths:
        echo(f"picture: {display_path(path)}", err=err)


def interrupted(hint: str = "") -> NoReturn:
    """Print "interrupted" on stderr, and end the command with the exit code for Ctrl-C.

    Args:
        hint: Text after "interrupted", such as ": all finished attempts are logged".
    """
    echo(f"interrupted{hint}", err=True)
    raise click.exceptions.Exit(ExitCode.INTERRUPTED)


@cache
def stdout() -> Console:
    """Return rich's console for results, which prints on stdout."""
    return _console(stderr=False)


@cache
def stderr() -> Console:
    """Return rich's console for progress and notes, which prints on stderr."""
    return _console(stderr=True)


def _console(stderr: bool) -> Console:
    from rich.console import Console
    from rich.text import Text

    class OurConsole(Console):
        def render_str(self, text: str, **options: Any) -> Text:
            # a table measures its cells after this call, so escapes have to be in the text already
            return super().render_str(printable(text), **options)

        def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
            # the escape codes that rich adds are not in the text of a segment
            for segment in super().render(renderable, options):
                yield segment if segment.control else segment._replace(text=printable(segment.text))

        def on_broken_pipe(self) -> None:
            raise BrokenPipeError  # rich would end the process; main() handles it

        def print(self, *objects: Any, **options: Any) -> None:
            # other programs expect that a sentence in a pipe or a file is one line, whatever the width
            if not self.is_terminal and all(isinstance(item, str | Text) for item in objects):
                options.setdefault("soft_wrap", True)
            with suppress(OSError) if self.stderr else nullcontext():
                super().print(*objects, **options)

    environment = dict(os.environ)
    for name in ("COLUMNS", "LINES"):  # rich would use numbers that are much too small or large
        if name in environment and not _is_size(environment[name]):
            del environment[name]
    # rich would interpret brackets in names and paths as markup
    console = OurConsole(stderr=stderr, highlight=False, markup=False, emoji=False, _environ=environment)
    if not console.is_terminal and "COLUMNS" not in environment:
        console.width = PIPE_WIDTH
    return console


def _is_size(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 6 and int(text) in WIDTHS


def print_table(
    titles: Sequence[str],
    rows: Sequence[Sequence[str | Styled]],
    *,
    title: str | None = None,
    right: Sequence[str] = (),
) -> None:
    """Print a table of short texts on stdout, each row on one line if the width allows.

    Tables for a pipe or a file whose rows fit are printed without the library rich, which takes half a second for the
    layout of a thousand rows.

    Args:
        titles: Titles of the columns. If all are empty, no line of titles is printed.
        rows: Cells of each row, one for each column.
        title: Line above the table. None: no such line.
        right: Titles of the columns that are aligned to the right.
    """
    out, lines = stdout(), [titles, *rows] if any(titles) else rows
    texts = [[printable(cell.text if isinstance(cell, Styled) else cell) for cell in row] for row in lines]
    widths = [max(map(len, column)) for column in zip(*texts, strict=True)]
    is_plain = all(text.isascii() and "\n" not in text and "\t" not in text for row in texts for text in row)
    if title is not None:
        echo(title)
    if is_plain and not out.is_terminal and sum(widths) + 2 * (len(widths) - 1) <= out.width:
        aligned = [str.rjust if name in right else str.ljust for name in titles]
        for line in texts:
            cells = (align(text, width) for align, text, width in zip(aligned, line, widths, strict=True))
            echo("  ".join(cells).rstrip())
        return
    from rich.table import Table

    table = Table(box=None, pad_edge=False, show_header=any(titles))
    for name in titles:
        table.add_column(name, justify="right" if name in right else "left", overflow="fold")
    for row in rows:
        table.add_row(*(cell.rich() if isinstance(cell, Styled) else cell for cell in row))
    out.print(table)


def print_json(value: Any) -> None:
    """Print a value on stdout as JSON. NaN and infinity become null.

    If the JSON text has control characters, or characters that the encoding of stdout lacks, all characters that are
    not ASCII are written as JSON escapes (a backslash, u and four digits), which a JSON parser converts back.
    """
    from ctrlgraph.files import finite

    data = finite(value)
    text = json.dumps(data, indent=2, ensure_ascii=False, allow_nan=False)
    if printable(text) != text or not _can_be_sent(text):
        text = json.dumps(data, indent=2, allow_nan=False).replace("\x7f", "\\u007f")
    click.echo(text)


def _can_be_sent(text: str) -> bool:
    try:
        text.encode(getattr(sys.stdout, "encoding", None) or "utf-8")
    except (UnicodeError, LookupError):
        return False
    return True


def percent(share: float | None, interval: tuple[float, float] | None = None) -> str:
    """Return a share in percent, such as "97 %", or "97 % (91-99)" with a confidence interval.

    Args:
        share: Share, 0 to 1. None: the result is "-".
        interval: Ends of the confidence interval, 0 to 1.
    """
    if share is None:
        return "-"
    text = f"{100 * share:.0f} %"
    return text if interval is None else f"{text} ({100 * interval[0]:.0f}-{100 * interval[1]:.0f})"


def duration(seconds: float) -> str:
    """Return a duration in seconds as a text such as "45 s", "4 min 20 s" or "1 h 5 min"."""
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s".removesuffix(" 0 s")
    minutes = round(seconds / 60)
    return f"{minutes // 60} h {minutes % 60} min".removesuffix(" 0 min")


def success(count: SuccessCount) -> str:
    """Return a success rate with its 95 % confidence interval as a text: "97 % (91-99)", or "-" without trials."""
    return percent(count.share, count.interval)


FIRST_LINE_S, LINE_EVERY_S = 20.0, 300.0
"""If stderr is not a terminal: time until the first line about progress, and maximum time between two lines, s."""


@contextmanager
def progress(description: str, total: float | None = None) -> Iterator[tuple[Progress, Any]]:
    """Show a progress bar on stderr during a `with` block.

    If stderr is not a terminal, lines are printed instead: the first after `FIRST_LINE_S` seconds, the next ones after
    2, 4 and 8 times this time and so on, and at least every `LINE_EVERY_S` seconds.

    Args:
        description: Text next to the bar.
        total: Value of the progress at the end. None: unknown.

    Yields:
        The bar, and the task to pass to the bar's method `update`.
    """
    from rich.progress import BarColumn, Progress, SpinnerColumn, TaskProgressColumn, TextColumn, TimeElapsedColumn

    console = stderr()
    columns = (
        SpinnerColumn("dots" if console.encoding.startswith("utf") else "line"),
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        TaskProgressColumn(),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task(description, total=total)
        with nullcontext() if console.is_terminal else _lines(bar, description):
            yield bar, task


@contextmanager
def _lines(bar: Progress, description: str) -> Iterator[None]:
    """Print lines on stderr about the progress of an invisible bar during a `with` block.

    Args:
        bar: Progress bar with one task. It is invisible because stderr is not a terminal.
        description: Beginning of each line.
    """
    ended = threading.Event()

    def report() -> None:
        passed, pause = 0.0, FIRST_LINE_S
        while not ended.wait(pause):
            passed += pause
            pause = min(passed, LINE_EVERY_S)
            [task] = bar.tasks
            done = "" if not task.total else f"{task.percentage:.0f} %, "
            echo(f"{description}: {done}{passed:.0f} s", err=True)

    thread = threading.Thread(target=report, daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()


COMPILING = "compiling the simulation for this machine, at the first start and after updates: this takes up to a minute"
COMPILING_AFTER_S = 1.0
"""Duration of a compilation after which a note about it is printed, s."""


@contextmanager
def compiling() -> Iterator[None]:
    """Print a line on stderr if a compilation during the `with` block takes longer than `COMPILING_AFTER_S` seconds.

    The line is printed at most once.
    """
    from ctrlgraph import compilation

    report = _CompilationReport()
    with compilation.watched(report.changed):
        try:
            yield
        finally:
            report.changed(False)


class _CompilationReport:
    """Timer that prints a line about a running compilation, unless the compilation ends within `COMPILING_AFTER_S`."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._timer: threading.Timer | None = None
        self._printed = False

    def changed(self, compiling: bool) -> None:
        """Start the timer when a compilation begins, and cancel the timer when the compilation has ended.

        Args:
            compiling: Whether a compilation begins (True) or has ended (False).
        """
        with self._lock:
            if self._timer is not None:
                self._timer.cancel()
                self._timer = None
            if compiling and not self._printed:
                self._timer = threading.Timer(COMPILING_AFTER_S, self._print)
                self._timer.daemon = True
                self._timer.start()

    def _print(self) -> None:
        with self._lock, suppress(OSError, ValueError):  # stderr may be closed
            if self._timer is not None and not self._printed:
                self._printed = True
                echo(COMPILING, err=True)
