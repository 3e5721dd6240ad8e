"""Bounds on sizes, numbers and names in the files of a project, since a project can be untrusted.

A small file must not fill the memory or start a computation that takes a day. Real motions stay far below these bounds.
docs/reference/graph-file.md lists most of them.
"""

from __future__ import annotations

import re

# --- a YAML file as text ---

MAX_FILE_BYTES = 4_000_000
"""Maximum size of a YAML or XML file, bytes."""
MAX_VALUES = 100_000
"""Maximum number of values in one file. Values that a YAML alias (`*name`) refers to count at each use of the alias."""
MAX_DEPTH = 50
"""Maximum number of nested lists and mappings. An alias counts as the value that it refers to."""
MAX_NUMBER_LENGTH = 100
"""Maximum number of characters of a number or date. Python's time for the conversion grows with their square."""
MAX_INTEGER_BITS = 64
"""Maximum number of bits of an integer, without its sign."""
MAX_DIRECTIVES = 100
"""Maximum number of lines of a YAML file that begin with %. The library libyaml compares each %TAG with all others."""
MIN_SAMPLE_RATE, MAX_SAMPLE_RATE = 1.0, 1e5
"""Range of the sample rate of a recorded motion, samples per simulated second. The maximum is one sample per time step
at the shortest time step.
"""
MAX_FINDINGS = 100
"""Maximum number of findings (errors and warnings) that are reported for one file."""
MAX_NAME_BYTES = 100
"""Maximum length of the name of a node, bytes of UTF-8. The file name of an edge contains two such names, and file
systems allow 255 bytes.
"""
MAX_PATH_LENGTH = 500
"""Maximum length of a path in a file of a project, characters."""

# --- an XML file as text: the bounds of YAML apply, with elements and attributes as its values ---

MAX_XML_DEPTH = 250
"""Maximum depth of nested elements. In a chain of links, each link adds one level."""

# --- meshes, which a MuJoCo model names ---

MAX_MESH_BYTES = 25_000_000
"""Maximum size of a mesh file, bytes."""
MAX_MESHES = 200
"""Maximum number of mesh files of a character that are read."""
MAX_MESH_BYTES_IN_ALL = 150_000_000
"""Maximum size of all mesh files of a character that are read, bytes."""
MAX_TRIANGLES_WITH_MASS = 1_000_000
"""Maximum number of triangles of all meshes of a character from which masses are computed."""

# --- numbers ---

MAX_MAGNITUDE = 1e6
"""Maximum magnitude of a number in a project's files that has no bound of its own, such as an argument of a script, a
finite end of a range, a value in a condition, and the weight or order of an edge.
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
"""Maximum number of edges of a graph. An edge from "*" (every node) counts once for each node."""
MAX_GROUNDS = 1_000_000
"""Maximum number of comparisons between grounds and ground ranges of edges in the check of a graph file.

The ends of the edges' ground ranges divide the slopes and the obstacles into intervals. A kind of ground is a pair of a
slope interval and an obstacle interval.
"""
MAX_LINKS = 100
"""Maximum number of links of a character."""
MAX_CONTACTS = 100
"""Maximum number of contact circles (circles that collide with the ground) of a link."""
MAX_TARGETS = 1_000
"""Maximum number of targets (nodes, edges or paths) of a sweep, and of scenarios of a gate file."""
MAX_AXIS_VALUES = 10_000
"""Maximum number of values of one perturbation in the grid of a sweep."""
MAX_POINTS = 100_000
"""Maximum number of points of a sweep's grid, and of all requirements of a gate file together."""
MAX_TRIALS = 100_000
"""Maximum number of trials of one grid point of a sweep, or of one pair of nodes."""
MAX_TRIALS_IN_ALL = 1_000_000
"""Maximum number of trials of a sweep over all its targets, and of a gate file."""
MAX_WALKS = 1_000_000
"""Maximum number of walks of one command."""
MAX_TRANSITIONS = 10_000_000
"""Maximum number of transitions of one walk. Such a walk takes days."""
MAX_CONFIRMED = 1_000
"""Maximum value of `--confirm`: number of smaller values that must succeed too before a value counts as the limit."""
MAX_FINENESS = 1_000_000
"""Maximum number of steps into which the search for the limit of a perturbation may divide the perturbation's range."""

# --- tables and policies (.npz) ---

MAX_GRID_AXES = 6
"""Maximum number of state variables (axes) of an outcome table's grid. A cell with n axes has 2**n corners."""
MAX_TABLE_STATES = 20_000_000
"""Maximum number of states (grid points) of an outcome table (simulated outcomes of each action in each state)."""
MAX_TABLE_OUTCOMES = 50_000_000
"""Maximum number of outcomes of an outcome table: states times actions."""
MAX_TABLE_BYTES = 2**31
"""Maximum unpacked size of all arrays of an .npz file together, bytes."""

_UNFIT = re.compile(r"^[-.]|[/\\]|->")


def name_fault(name: str) -> str | None:
    """Return what is wrong with a name in a file, such as the name of a node.

    Returns:
        The end of a sentence whose subject is the name, such as "is not a valid name: ''". None: the name is valid.
    """
    if len(name.encode("utf-8", "surrogatepass")) > MAX_NAME_BYTES:
        return f"is too long for a name: {name[:20]!r}... has more than {MAX_NAME_BYTES} bytes"
    if not name or name == "*" or name != name.strip() or not name.isprintable():
        return f"is not a valid name: {name!r}"
    if _UNFIT.search(name):
        return f"is not a valid name: {name!r} (names must not contain / \\ or ->, or begin with a dot or dash)"
    return None
