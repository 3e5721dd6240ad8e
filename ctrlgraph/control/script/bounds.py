"""How much a script may hold: whatever the text, reading, checking and compiling it takes seconds."""

from __future__ import annotations

from ctrlgraph.control.script.checks.report import FindingCollector
from ctrlgraph.errors import Span

MAX_BYTES, MAX_TOKENS = 500_000, 100_000
"""Of a script's file; the longest shipped one has 4 kB and 1,500 tokens."""

MAX_NAME, MAX_NUMBER = 100, 400
"""Characters of a name (a called script's is a file's) and of a number."""

MAX_PARAMETERS = 100
MAX_PHASE_NUMBER = 999_999
MAX_ACTIONS, MAX_TRANSITIONS = 1000, 100
"""Of one phase."""

MAX_CONDITIONS = 50
"""Of one transition, joined by `and` and `or`."""

MAX_EDGES_AHEAD = 20
"""So far a script counts the edges of the ground."""

MAX_PHASES, MAX_STATEMENTS, MAX_OPERATIONS = 4096, 65_536, 1_000_000
"""Of a controller with all that it calls: phases; actions and transitions; operators in expressions."""

MAX_SCRIPTS = 100
"""Of which a controller is made."""


def check_count(count: int, most: int, holder: str, noun: str, span: Span, report: FindingCollector) -> bool:
    """Report an error where something holds more than it may; True where it does not."""
    if count > most:
        report.error("too-large", f"{holder} has {count} {noun}; it may have {most}", span)
    return count <= most
