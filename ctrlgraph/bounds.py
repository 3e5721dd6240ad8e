"""Bounds of the sizes, numbers and names in the files of a project.

A project may be untrusted: a small file must not fill the memory or run for a day. The bounds are far beyond what
motions need. docs/reference/graph-file.md lists most of them.
"""

from __future__ import annotations

import re

# --- a YAML file as text ---

MAX_FILE_BYTES = 4_000_000
MAX_VALUES = 100_000
"""Values of one file, what its aliases stand for counted as often as they stand for it."""
MAX_DEPTH = 50
"""Levels of nesting, through aliases as well."""
MAX_NUMBER_LENGTH = 100
"""Characters of a number (or date) as it is written: Python's conversions of longer ones take quadratic time."""
MAX_INTEGER_BITS = 64
"""Bits of a whole number without its sign."""
MAX_DIRECTIVES = 100
"""Lines that begin with %: libyaml compares each %TAG with all others."""
MIN_SAMPLE_RATE, MAX_SAMPLE_RATE = 1.0, 1e5
"""Samples of a trace per simulated second; the greatest rate is one sample in each of the shortest time steps."""
MAX_FINDINGS = 100
"""Maximum number of findings that are reported for one file."""
MAX_NAME_BYTES = 100
"""Of a name in UTF-8: two of them make one file name, and those end at 255 bytes."""
MAX_PATH_LENGTH = 500

# --- an XML file as text: as large as one of YAML, elements and attributes counted as its values ---

MAX_XML_DEPTH = 250
"""Levels of nesting: a chain of links is nested once for each of them."""

# --- numbers ---

MAX_MAGNITUDE = 1e6
"""Of a script's argument, an end of a range (besides infinity), a value of a condition, an edge's weight or order."""
MAX_CONSTANT = 1e9
"""Of a learned constant: gains and stiffnesses are the largest."""
MAX_TIMEOUT_S = 3600.0
MAX_CYCLES = 10_000
MAX_SEED = 2**63 - 1
"""Largest integer of a database."""

# --- how many ---

MAX_NODES = 1_000
MAX_EDGES = 10_000
"""Of a graph, an edge from every node counted once for each."""
MAX_GROUNDS = 1_000_000
"""Stretches into which a graph's edges cut slopes and obstacles, times the grounds of its edges."""
MAX_LINKS = 100
MAX_CONTACTS = 100
MAX_TARGETS = 1_000
MAX_AXIS_VALUES = 10_000
MAX_POINTS = 100_000
"""Of the grid of a sweep, and of all requirements of a gate."""
MAX_TRIALS = 100_000
"""Of one point or pair."""
MAX_TRIALS_IN_ALL = 1_000_000
"""Of a sweep of all its targets, and of a gate."""
MAX_WALKS = 1_000_000
"""Of a run."""
MAX_TRANSITIONS = 10_000_000
"""Of a walk: it would go on for days."""
MAX_CONFIRMED = 1_000
MAX_FINENESS = 1_000_000
"""Steps into which a search for a limit may divide an axis."""

# --- tables and policies (.npz) ---

MAX_GRID_AXES = 6
"""Of a grid of states: a cell has 2 to their number corners."""
MAX_TABLE_STATES = 20_000_000
MAX_TABLE_OUTCOMES = 50_000_000
MAX_TABLE_BYTES = 2**31
"""Of all arrays of a file, unpacked."""

_UNFIT = re.compile(r"^[-.]|[/\\]|->")


def name_fault(name: str) -> str | None:
    """Return what is wrong with a name of a file, as the end of a sentence; None if it is valid.

    Control characters are refused in all texts of files.
    """
    if len(name.encode("utf-8", "surrogatepass")) > MAX_NAME_BYTES:
        return f"is too long for a name: {name[:20]!r}... has more than {MAX_NAME_BYTES} bytes"
    if not name or name == "*" or name != name.strip() or not name.isprintable():
        return f"is no name: {name!r}"
    if _UNFIT.search(name):
        return f"is no name: {name!r} (files and edges are named with it: no / \\ or ->, no dot or dash to begin with)"
    return None
