"""What the command `ctrlgraph` begins with: so light that Ctrl-C finds it ready."""

from __future__ import annotations

import contextlib
import sys

from ctrlgraph.cli.exit_codes import ExitCode


def main() -> int:
    """Run the command line and return its exit code; Ctrl-C while it is loaded is one, too."""
    try:
        from ctrlgraph.cli.main import main as run

        return run()
    except KeyboardInterrupt:
        with contextlib.suppress(AttributeError, OSError, ValueError):  # there may be no stderr
            sys.stderr.write("interrupted\n")  # noqa: TID251  # a word of ours, before the console is loaded
        return ExitCode.INTERRUPTED
