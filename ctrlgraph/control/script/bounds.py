"""Maximum sizes of scripts. They limit the time of reading, checking and compiling any text to seconds."""

from __future__ import annotations

from ctrlgraph.control.script.checks.report import FindingCollector
from ctrlgraph.errors import Span

MAX_BYTES, MAX_TOKENS = 500_000, 100_000
"""Maximum size of a script's file, in bytes and in tokens. The longest shipped script has 4 kB and 1,500 tokens."""

MAX_NAME, MAX_NUMBER = 100, 400
"""Maximum number of characters of a name and of a number. The name of a called script is a file name."""

MAX_PARAMETERS = 100
MAX_PHASE_NUMBER = 999_999
MAX_ACTIONS, MAX_TRANSITIONS = 1000, 100
"""Maximum numbers of actions and transitions of a phase."""

MAX_EDGES_AHEAD = 20
"""Maximum number of an edge of the ground in a script, counted from 1."""

MAX_PHASES, MAX_STATEMENTS, MAX_OPERATIONS = 4096, 65_536, 1_000_000
"""Maximum numbers of a controller, including the scripts that it calls: phases; actions and transitions; operators."""

MAX_SCRIPTS = 100
"""Maximum number of scripts of a controller."""


def check_count(count: int, most: int, holder: str, noun: str, span: Span, report: FindingCollector) -> bool:
    """Report an error if a count exceeds its maximum. Return True if it does not."""
    if count > most:
        report.error("too-large", f"{holder} has {count} {noun}; it may have {most}", span)
    return count <= most
