"""Bounds of the sizes, numbers and names in the files of a project.

A project can be untrusted. A small file must not fill the memory or cause a computation of a day. The bounds are far
larger than motions need. docs/reference/graph-file.md lists most of them.
"""

from __future__ import annotations

import re

# --- a YAML file as text ---

MAX_FILE_BYTES = 4_000_000
MAX_VALUES = 100_000
"""Maximum number of values of one file. The values behind an alias count each time the alias is used."""
MAX_DEPTH = 50
"""Maximum depth of nesting, including nesting through aliases."""
MAX_NUMBER_LENGTH = 100
"""Maximum number of characters of a number or date. Python converts longer ones in quadratic time."""
MAX_INTEGER_BITS = 64
"""Maximum number of bits of an integer, without its sign."""
MAX_DIRECTIVES = 100
"""Maximum number of lines that begin with %. libyaml compares each %TAG with all others."""
MIN_SAMPLE_RATE, MAX_SAMPLE_RATE = 1.0, 1e5
"""Range of samples of a trace per simulated second. The maximum is one sample per step at the shortest time step."""
MAX_FINDINGS = 100
"""Maximum number of findings that are reported for one file."""
MAX_NAME_BYTES = 100
"""Maximum length of a name in UTF-8, bytes. A file name of at most 255 bytes consists of two of them."""
MAX_PATH_LENGTH = 500

# --- an XML file as text: as large as one of YAML, elements and attributes counted as its values ---

MAX_XML_DEPTH = 250
"""Maximum depth of nesting. In a chain of links, each link adds one level."""

# --- numbers ---

MAX_MAGNITUDE = 1e6
"""Maximum magnitude of a script's argument, a finite end of a range, a value of a condition, and an edge's weight or
order.
"""
MAX_CONSTANT = 1e9
"""Maximum magnitude of a learned constant. Gains and stiffnesses have the largest values."""
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
        return f"is not a valid name: {name!r}"
    if _UNFIT.search(name):
        return f"is not a valid name: {name!r} (names must not contain / \\ or ->, or begin with a dot or dash)"
    return None
