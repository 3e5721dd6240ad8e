"""Shell completion: suggestions of nodes, scripts and logged runs for the arguments of commands.

This module runs at each press of the tab key, in any directory. Therefore it does not import the simulation. If a
project cannot be read, there are no suggestions. Names with characters that are special to a shell are not suggested.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import re
from collections.abc import Iterator
from pathlib import Path

import click
from click.shell_completion import CompletionItem

from ctrlgraph.paths import GRAPH_FILE, RUNS_DIRECTORY, contained

MOST = 500
"""Maximum number of suggested nodes, of scripts and of logged runs."""
ENTRIES, DEPTH = 5_000, 8
"""Maximum number of directory entries that the search for scripts reads, and the maximum depth of the search."""
SECONDS = 0.2
"""Maximum processor time for reading the graph file, and maximum wall time for reading the run log, s."""
HEAD = 500_000
"""Maximum number of bytes that are read of the graph file, enough for a thousand nodes."""

_PLAIN = re.compile(r"[\w.+][\w.+/-]*")


def nodes(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Suggest nodes of the project, including drafts (unfinished nodes), whose names begin with the incomplete word."""
    return _items(_nodes(ctx), incomplete)


def scripts(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Suggest nodes and paths of scripts of the project that begin with the incomplete word."""
    return [*nodes(ctx, param, incomplete), *_items(_scripts(ctx), incomplete)]


def runs(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Suggest "last" and ids of logged runs that begin with the incomplete word, the newest first."""
    return _items(_runs(ctx), incomplete)


def anything(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Suggest logged runs, nodes and scripts of the project that begin with the incomplete word."""
    return [*runs(ctx, param, incomplete), *scripts(ctx, param, incomplete)]


def _items(found: Iterator[str], incomplete: str) -> list[CompletionItem]:
    names: dict[str, None] = {}
    try:
        for name in found:
            if name.startswith(incomplete) and _PLAIN.fullmatch(name):
                names[name] = None
            if len(names) == MOST:
                break
    except Exception:  # an error message would disturb the line that the user types
        pass
    return [CompletionItem(name) for name in names]


def _directory(ctx: click.Context) -> Path | None:
    """Return the directory that --project names, or else the nearest directory upwards with a graph file, or None."""
    given = ctx.find_root().params.get("project")
    if given is not None:
        return Path(given).absolute()
    here = Path.cwd()
    return next((path for path in (here, *here.parents) if (path / GRAPH_FILE).is_file()), None)


def _nodes(ctx: click.Context) -> Iterator[str]:
    from ctrlgraph.files import read_head
    from ctrlgraph.yaml_loader import keys_of

    directory = _directory(ctx)
    if directory is not None:
        text = read_head(contained(directory, GRAPH_FILE), HEAD).decode("utf-8", errors="replace")
        yield from keys_of(text, "nodes", SECONDS)


def _scripts(ctx: click.Context) -> Iterator[str]:
    """Yield the paths of the project's scripts.

    The paths are relative to the current directory if the project is in it, otherwise relative to the project.
    """
    directory = _directory(ctx)
    if directory is None:
        return
    here = Path.cwd()
    home = here if directory.is_relative_to(here) else directory
    for path in _files(contained(directory, "controllers")):
        if path.suffix in (".t", ".s"):
            yield path.relative_to(home).as_posix()


def _files(top: Path) -> Iterator[Path]:
    """Yield the files in a directory and its subdirectories, up to `ENTRIES` entries and the depth `DEPTH`.

    Symbolic links are not followed.
    """
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
    from ctrlgraph.run_log.names import RunNames

    directory = _directory(ctx)
    if directory is None:
        return
    yield "last"
    with RunNames.read(contained(directory, RUNS_DIRECTORY), within=SECONDS) as log:
        yield from log.newest(MOST)
