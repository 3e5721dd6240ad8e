"""What a shell completes: names of nodes, paths of scripts, names of runs.

It is asked at each press of the tab key, in whatever directory: it loads nothing that simulates, it takes a project as
it finds it, and where there is nothing to be read it has nothing to offer. Names come from files of others and go onto
a command line, so that only those are offered that mean nothing to a shell.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import click
from click.shell_completion import CompletionItem

GRAPH_FILE = "graph.yaml"  # of ctrlgraph.project, which is not loaded for this
RUNS = "runs"
MOST = 500
"""So many of a kind are offered."""
ENTRIES, DEPTH = 5_000, 8
"""So many entries of directories are looked at for scripts, and so many directories deep."""
SECONDS = 0.08
"""Wall time for each of the graph file and the run log: with the start of Python, completion takes 0.3 s at most."""
HEAD = 500_000
"""Bytes of the graph file that are read: enough for a thousand nodes."""

_PLAIN = re.compile(r"[\w.+][\w.+/-]*")

Completer = Callable[[click.Context, click.Parameter, str], list[CompletionItem]]


def nodes(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Return the nodes and drafts of the project that begin so."""
    return _items(_nodes(ctx), incomplete)


def scripts(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Return the project's nodes, drafts and scripts that begin so."""
    return [*nodes(ctx, param, incomplete), *_items(_scripts(ctx), incomplete)]


def runs(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Return the logged runs that begin so, the newest first."""
    return _items(_runs(ctx), incomplete)


def anything(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Return the nodes, drafts, scripts and runs that begin so."""
    return [*scripts(ctx, param, incomplete), *runs(ctx, param, incomplete)]


def _items(found: Iterator[str], incomplete: str) -> list[CompletionItem]:
    names: dict[str, None] = {}
    try:
        for name in found:
            if name.startswith(incomplete) and _PLAIN.fullmatch(name):
                names[name] = None
            if len(names) == MOST:
                break
    except Exception:  # whatever is wrong with a project, a shell is no place to say it
        pass
    return [CompletionItem(name) for name in names]


def _directory(ctx: click.Context) -> Path | None:
    """The project's directory, as `Settings.project` finds it."""
    given = ctx.find_root().params.get("project")
    if given is not None:
        return Path(given).absolute()
    here = Path.cwd()
    return next((path for path in (here, *here.parents) if (path / GRAPH_FILE).is_file()), None)


def _nodes(ctx: click.Context) -> Iterator[str]:
    from ctrlgraph.files import read_head
    from ctrlgraph.paths import contained
    from ctrlgraph.yaml_loader import keys_of

    directory = _directory(ctx)
    if directory is not None:
        text = read_head(contained(directory, GRAPH_FILE), HEAD).decode("utf-8", errors="replace")
        yield from keys_of(text, "nodes", SECONDS)


def _scripts(ctx: click.Context) -> Iterator[str]:
    """Scripts of the project, as paths from the current directory where it holds the project, else from the project."""
    directory = _directory(ctx)
    if directory is None:
        return
    from ctrlgraph.paths import contained

    here = Path.cwd()
    home = here if directory.is_relative_to(here) else directory
    for path in _files(contained(directory, "controllers")):
        if path.suffix in (".t", ".s"):
            yield path.relative_to(home).as_posix()


def _files(top: Path) -> Iterator[Path]:
    """Files under a directory, in order and within bounds; links are not followed."""
    left, folders = ENTRIES, [(top, 0)]
    while folders and left > 0:
        folder, depth = folders.pop()
        with contextlib.suppress(OSError), os.scandir(folder) as found:
            entries = sorted(itertools.islice(found, left), key=lambda entry: entry.name)
            left -= len(entries)
            inner = [entry for entry in entries if entry.is_dir(follow_symlinks=False)]
            if depth < DEPTH:
                folders += [(Path(entry.path), depth + 1) for entry in reversed(inner)]
            yield from (Path(entry.path) for entry in entries if entry.is_file(follow_symlinks=False))


def _runs(ctx: click.Context) -> Iterator[str]:
    from ctrlgraph.paths import contained
    from ctrlgraph.runs.names import run_names

    directory = _directory(ctx)
    if directory is None:
        return
    yield "last"
    yield from run_names(contained(directory, RUNS), MOST, SECONDS)
