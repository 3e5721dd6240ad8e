"""`ctrlgraph fmt`: format scripts in the canonical layout."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import click

from ctrlgraph.cli import console
from ctrlgraph.cli.exit_codes import ExitCode
from ctrlgraph.cli.options.common import Settings, json_option
from ctrlgraph.errors import CtrlGraphError, SourceError
from ctrlgraph.paths import display_path


@click.command()
@click.argument("paths", nargs=-1, type=click.Path(exists=True, path_type=Path))
@click.option("--check", is_flag=True, help="Change nothing; exit 1 where a script would change.")
@json_option("check, files, changed, broken, findings")
@click.pass_obj
def command(settings: Settings, paths: tuple[Path, ...], check: bool, as_json: bool) -> int:
    """Format scripts in the canonical layout; comments are kept.

    PATHS are scripts or directories; by default all scripts of the project are formatted. Scripts with syntax errors
    are not changed, and their errors are printed.

    Example:
      ctrlgraph fmt --check
    """
    from ctrlgraph.control.script.library import EXTENSIONS, script_files

    if not paths:
        paths = settings.project().library.roots
    for path in paths:
        if path.is_file() and path.suffix not in EXTENSIONS:
            raise CtrlGraphError(
                f"{path} is not a script, so it cannot be formatted: give a script (.t, .s) or a directory"
            )
        if path.is_symlink() and path.is_file():
            raise CtrlGraphError(f"{path} is a symbolic link: format the file {path.resolve()} instead")
    files = list(dict.fromkeys(script_files(paths)))
    verb = "would change" if check else "changed"
    changed: list[Path] = []
    broken: dict[Path, SourceError] = {}
    for path in files:
        try:
            if not _format(path, check):
                continue
        except SourceError as error:
            broken[path] = error
            if not as_json:
                console.echo(error, err=True)
            continue
        changed.append(path)
        if not as_json:
            console.echo(f"{verb} {display_path(path)}")
    if as_json:
        findings = [replace(f, path=display_path(f.path)) for error in broken.values() for f in error.findings]
        console.print_json(
            {
                "check": check,
                "files": [display_path(path) for path in files],
                "changed": [display_path(path) for path in changed],
                "broken": [display_path(path) for path in broken],
                "findings": [finding.as_dict() for finding in findings],
            }
        )
    else:
        left = f", {len(broken)} not changed because of errors" if broken else ""
        console.echo(f"{len(changed)} of {len(files)} script{'s' * (len(files) != 1)} {verb}{left}")
    return ExitCode.of(not broken and not (check and changed))


def _format(path: Path, check: bool) -> bool:
    """Format a script in the canonical layout, and return whether its text changes.

    Args:
        path: The script.
        check: Only test whether the text would change, and do not write the script.

    Raises:
        SourceError: The script has syntax errors.
    """
    from ctrlgraph.control.script.library import read_script
    from ctrlgraph.control.script.syntax.formatter import format_script
    from ctrlgraph.files import write_texts

    before = read_script(path, display_path(path))
    after = format_script(before, display_path(path))
    if after != before and not check:
        write_texts({path: after})
    return after != before
