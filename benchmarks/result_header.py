"""The header of a page in docs/results/: command, version, engine, seeds and date."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

from ctrlgraph.version import __version__

ROOT = Path(__file__).resolve().parents[1]


def version() -> str:
    """Return the version of ctrlgraph with the commit of the checkout."""
    done = subprocess.run(["git", "rev-parse", "--short=8", "HEAD"], cwd=ROOT, capture_output=True, text=True)
    commit = done.stdout.strip() or "unknown commit"
    return f"{__version__}, {commit}"


def header(engine: str, seeds: str, command: str | None = None, measured: str | None = None) -> str:
    """Return the header of a results page as a Markdown table.

    Args:
        engine: Names of the engines.
        seeds: Seeds, or where the page gives them.
        command: The command of the page; that of this process by default.
        measured: Version of the measurement; the present one by default.
    """
    words = shlex.join(["python", Path(sys.argv[0]).resolve().relative_to(ROOT).as_posix(), *sys.argv[1:]])
    rows = {
        "command": f"`{command or words}`",
        "version": measured or version(),
        "engine": engine,
        "seeds": seeds,
        "date": f"{datetime.now(UTC):%Y-%m-%d}",
    }
    return "| | |\n| --- | --- |\n" + "".join(f"| {name} | {value} |\n" for name, value in rows.items())


def version_of(page: str) -> str | None:
    """Return the version in the header of a page; None if it has no header."""
    found = re.search(r"^\| version \| (.*) \|$", page, flags=re.MULTILINE)
    return found[1] if found else None
