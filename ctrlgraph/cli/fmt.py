"""`ctrlgraph fmt`: scripts in the one canonical layout."""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Iterable
from pathlib import Path

import click

from ctrlgraph.cli.settings import Settings
from ctrlgraph.errors import CtrlGraphError, SourceError
from ctrlgraph.paths import display_path


@click.command()
@click.argument("paths", nargs=-1, type=click.Path(exists=True, path_type=Path))
@click.option("--check", is_flag=True, help="Change nothing; exit 1 where a script would change.")
@click.pass_obj
def command(settings: Settings, paths: tuple[Path, ...], check: bool) -> int:
    """Put scripts into the one layout; comments stay.

    PATHS are scripts or directories; without any, all scripts of the project. Scripts with syntax
    errors are left alone and reported.
    """
    from ctrlgraph.language.library import EXTENSIONS, script_files

    if not paths:
        paths = settings.project().library.roots
    for path in paths:
        if path.is_file() and path.suffix not in EXTENSIONS:
            raise CtrlGraphError(f"{path} is no script (.t, .s)")
    files = list(dict.fromkeys(script_files(paths)))
    changed, broken = _format(files, check)
    verb = "would change" if check else "changed"
    left = f", {len(broken)} with errors left alone" if broken else ""
    click.echo(f"{len(changed)} of {len(files)} script{'s' * (len(files) != 1)} {verb}{left}")
    return 1 if broken or (check and changed) else 0


def _format(files: Iterable[Path], check: bool) -> tuple[list[Path], list[Path]]:
    """Format the files; those that change and those with syntax errors, both reported."""
    from ctrlgraph.language.formatter import format_script

    changed, broken = [], []
    for path in files:
        try:
            before = _read(path)
            after = format_script(before, display_path(path))
        except SourceError as error:
            click.echo(str(error), err=True)
            broken.append(path)
            continue
        if after == before:
            continue
        changed.append(path)
        click.echo(f"{'would change' if check else 'changed'} {display_path(path)}")
        if not check:
            _write(path, after)
    return changed, broken


def _read(path: Path) -> str:
    try:
        return path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError:
        raise CtrlGraphError(f"{display_path(path)} is not UTF-8 text") from None
    except OSError as error:
        raise CtrlGraphError(f"{display_path(path)} cannot be read: {error.strerror}") from None


def _write(path: Path, text: str) -> None:
    """Replace a file at once: whoever reads it meanwhile sees the old or the new text, never a part."""
    target = path.resolve()
    try:
        handle, name = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
        try:
            with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
                file.write(text)
            os.chmod(name, target.stat().st_mode & 0o7777)
            os.replace(name, target)
        except BaseException:
            with contextlib.suppress(OSError):
                os.unlink(name)
            raise
    except OSError as error:
        raise CtrlGraphError(f"{display_path(path)} cannot be written: {error.strerror}") from None
