"""Bounds of the sizes, numbers and names in the files of a project.

A project can be untrusted. A small file must not fill the memory or start a computation that takes a day. Real motions
stay far below these bounds. docs/reference/graph-file.md lists most of them.
"""

from __future__ import annotations

import re

# --- a YAML file as text ---

MAX_FILE_BYTES = 4_000_000
MAX_VALUES = 100_000
"""Maximum number of values in one file. The values that a YAML alias refers to count each time the alias is used."""
MAX_DEPTH = 50
"""Maximum depth of nesting, including nesting through aliases."""
MAX_NUMBER_LENGTH = 100
"""Maximum number of characters of a number or date. Python converts longer ones in quadratic time."""
MAX_INTEGER_BITS = 64
"""Maximum number of bits of an integer, without its sign."""
MAX_DIRECTIVES = 100
"""Maximum number of lines that begin with %. libyaml compares each %TAG with all others."""
MIN_SAMPLE_RATE, MAX_SAMPLE_RATE = 1.0, 1e5
"""Range of a trace's sample rate, samples per simulated second. The maximum is one sample per step at the shortest time
step.
"""
MAX_FINDINGS = 100
"""Maximum number of findings that are reported for one file."""
MAX_NAME_BYTES = 100
"""Maximum length of a name in UTF-8, bytes. Some file names contain two names, and file systems allow 255 bytes."""
MAX_PATH_LENGTH = 500
"""Maximum length of a path that a file names, characters."""

# --- an XML file as text: the bounds of YAML apply, with elements and attributes as its values ---

MAX_XML_DEPTH = 250
"""Maximum depth of nested elements. In a chain of links, each link adds one level."""

# --- numbers ---

MAX_MAGNITUDE = 1e6
"""Maximum magnitude of these numbers: an argument of a script, a finite end of a range, a value in a condition, and the
weight or order of an edge.
"""
MAX_CONSTANT = 1e9
"""Maximum magnitude of a learned constant. Gains and stiffnesses have the largest values."""
MAX_TIMEOUT_S = 3600.0
"""Maximum time limit of a motion, simulated s."""
MAX_CYCLES = 10_000
"""Maximum number of cycles of a motion."""
MAX_SEED = 2**63 - 1
"""Maximum seed: the largest integer that an SQLite database can store."""

# --- how many ---

MAX_NODES = 1_000
"""Maximum number of nodes of a graph."""
MAX_EDGES = 10_000
"""Maximum number of edges of a graph. An entry for an edge from every node counts once for each node."""
MAX_GROUNDS = 1_000_000
"""Maximum number of ground checks of a graph: combinations of slope interval and obstacle interval, times the different
ground ranges of the edges. The ends of the edges' ground ranges divide the slopes and obstacles into intervals.
"""
MAX_LINKS = 100
"""Maximum number of links of a character."""
MAX_CONTACTS = 100
"""Maximum number of contact circles of a link."""
MAX_TARGETS = 1_000
"""Maximum number of targets of a sweep, and of scenarios of a gate."""
MAX_AXIS_VALUES = 10_000
"""Maximum number of values of one axis of a grid."""
MAX_POINTS = 100_000
"""Maximum number of points of a sweep's grid, and of all requirements of a gate together."""
MAX_TRIALS = 100_000
"""Maximum number of trials of one grid point, or of one pair of nodes."""
MAX_TRIALS_IN_ALL = 1_000_000
"""Maximum number of trials of a sweep with all its targets, and of a gate."""
MAX_WALKS = 1_000_000
"""Maximum number of walks of one logged run."""
MAX_TRANSITIONS = 10_000_000
"""Maximum number of transitions of one walk. Such a walk takes days."""
MAX_CONFIRMED = 1_000
"""Maximum number of values below a limit at which success is confirmed (`--confirm`)."""
MAX_FINENESS = 1_000_000
"""Maximum number of steps into which a search for a limit may divide an axis."""

# --- tables and policies (.npz) ---

MAX_GRID_AXES = 6
"""Maximum number of axes of a grid of states. A cell of a grid with n axes has 2**n corners."""
MAX_TABLE_STATES = 20_000_000
"""Maximum number of states (grid points) of a table."""
MAX_TABLE_OUTCOMES = 50_000_000
"""Maximum number of outcomes of a table: states times actions."""
MAX_TABLE_BYTES = 2**31
"""Maximum size of all arrays of a file together, unpacked, bytes."""

_UNFIT = re.compile(r"^[-.]|[/\\]|->")


def name_fault(name: str) -> str | None:
    """Return what is wrong with a name that a file contains, such as the name of a node.

    Returns:
        The end of a sentence, such as "is not a valid name: ''"; None if the name is valid.
    """
    if len(name.encode("utf-8", "surrogatepass")) > MAX_NAME_BYTES:
        return f"is too long for a name: {name[:20]!r}... has more than {MAX_NAME_BYTES} bytes"
    if not name or name == "*" or name != name.strip() or not name.isprintable():
        return f"is not a valid name: {name!r}"
    if _UNFIT.search(name):
        return f"is not a valid name: {name!r} (names must not contain / \\ or ->, or begin with a dot or dash)"
    return None
