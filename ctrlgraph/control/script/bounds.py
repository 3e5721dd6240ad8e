"""Maximum sizes of scripts. They limit the time of reading, checking and compiling any text to seconds."""

from __future__ import annotations

from ctrlgraph.control.script.checks.report import FindingCollector
from ctrlgraph.errors import Span

MAX_BYTES, MAX_TOKENS = 500_000, 100_000
"""Maximum size of a script's file, in bytes and in tokens. The longest shipped script has 4 kB and 1,500 tokens."""

MAX_NAME, MAX_NUMBER = 100, 400
"""Maximum number of characters of a name and of a number. The name of a called script is a file name."""

MAX_PARAMETERS = 100
"""Maximum number of parameters in the header of a script."""

MAX_PHASE_NUMBER = 999_999
"""Largest number that a phase can have."""

MAX_ACTIONS, MAX_TRANSITIONS = 1000, 100
"""Maximum numbers of actions and of transitions in a phase."""

MAX_EDGES_AHEAD = 20
"""Largest k in `edge_distance(part, k)` and `edge_rise(part, k)`, the k-th edge of the ground ahead of the part."""

MAX_PHASES, MAX_STATEMENTS, MAX_OPERATIONS = 4096, 65_536, 1_000_000
"""Maximum sizes of a compiled script, in which a called script counts again for each call.

They are the numbers of phases, of actions and transitions together, and of operators in expressions.
"""

MAX_SCRIPTS = 100
"""Maximum number of different scripts in a controller: the script of the node and all that it calls."""


def check_count(count: int, most: int, holder: str, noun: str, span: Span, report: FindingCollector) -> bool:
    """Report an error if something contains too many elements, such as a phase with too many actions.

    Args:
        count: the number of elements.
        most: the largest number that is allowed.
        holder: what contains the elements, for the message, such as "phase 2".
        noun: the name of the elements in the plural, such as "actions".
        span: the place of the error in the text.
        report: receives the error.

    Returns:
        True if there is no error.
    """
    if count > most:
        report.error("too-large", f"{holder} has {count} {noun}, but can have at most {most}", span)
    return count <= most
