"""Reading and checking of tracking files: controllers that follow a motion by its phase variable theta."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from ctrlgraph.character.planar_model import PlanarCharacter
from ctrlgraph.control.controller_file import place_in_file, read_entry, unknown_link
from ctrlgraph.control.tracking.schema import MAX_NUMBER, MAX_TABLE, PolicyEntry, StageEntry, TrackingEntry
from ctrlgraph.control.tracking.tracking import FORCES, Tracking, new_tracking
from ctrlgraph.errors import CtrlGraphError, Finding, SourceError, suggestion
from ctrlgraph.kernels.planar.dynamics import ROOT_COORDINATES
from ctrlgraph.paths import contained, display_path
from ctrlgraph.policies import NO_ACTION, TabulatedPolicy
from ctrlgraph.yaml_source import Location, YamlSource, first_findings, parse_yaml, read_yaml

ROWS_OF = {"flat": 3, "toe": 2, "heel": 2, "point": 2}
"""Number of accelerations that a contact sets to zero, by kind of contact."""


def read_tracking(path: Path, character: PlanarCharacter, *, policies: bool = True) -> Tracking:
    """Read a tracking file.

    Args:
        path: path of the file.
        character: character whose masses and lengths the controller uses.
        policies: whether to also read the policy files (tables of points of the ground force) that the file names.

    Raises:
        SourceError: the file, or a policy file, has errors; the exception lists them.
    """
    return _tracking(read_yaml(path, "tracking"), character, path.parent if policies else None)


def parse_tracking(text: str, character: PlanarCharacter, path: str = "tracking.yaml") -> Tracking:
    """Return the controller that the text of a tracking file describes. Policy files that it names are not read.

    Args:
        text: text of a tracking file.
        character: character whose masses and lengths the controller uses.
        path: path of the file in messages.

    Raises:
        SourceError: the text has errors; the exception lists them.
    """
    return _tracking(parse_yaml(text, path, "tracking"), character)


def _tracking(source: YamlSource, character: PlanarCharacter, directory: Path | None = None) -> Tracking:
    """Return the controller of a tracking file that has been parsed as YAML.

    Args:
        source: the parsed file.
        character: character whose masses and lengths the controller uses.
        directory: directory of the policy files that the tracking file names. None: these files are not read.
    """
    entry = read_entry(source, TrackingEntry, lambda entry: _check(source, entry, character))
    if directory is not None:
        entry = _with_policy_files(source, entry, directory)
    name = Path(source.path).stem
    lines = [place_in_file(source, name, ["stages", i]).line for i in range(len(entry.stages))]
    return new_tracking(name, entry, character, source.path, lines, source.number_span)


def _check(source: YamlSource, entry: TrackingEntry, character: PlanarCharacter) -> Iterator[Finding]:
    yield from _check_phase(source, entry, character)
    if entry.policy is not None:
        yield from _check_policy(source, entry.policy, ["policy"])
    if entry.swaps and not (character.roles.link_pairs and character.roles.joint_pairs):
        message = f"'swap' needs pairs of right and left, but the character {character.name} has none"
        yield source.finding("no-pairs", message, ["swaps"])
    names: set[str] = set()
    for i, stage in enumerate(entry.stages):
        if stage.name in names:
            message = f"two stages have the name '{stage.name}': rename one"
            yield source.finding("repeated-stage", message, ["stages", i, "name"])
        names.add(stage.name)
        yield from _check_stage(source, entry, stage, character, ["stages", i])


def _check_phase(source: YamlSource, entry: TrackingEntry, character: PlanarCharacter) -> Iterator[Finding]:
    phase = entry.phase
    if (phase.angle is None) == (phase.ahead is None):
        yield source.finding("bad-phase", "'phase' needs exactly one of the fields 'angle' and 'ahead'", ["phase"])
    if phase.angle is not None:
        for end, name in (("from", phase.angle.start), ("to", phase.angle.end)):
            yield from _check_point(source, character, name, ["phase", "angle", end])
    for k, name in enumerate(phase.ahead or ()):
        yield from _check_foot(source, character, name, ["phase", "ahead", k])


def _check_point(source: YamlSource, character: PlanarCharacter, name: str, place: Location) -> Iterator[Finding]:
    """Yield an error if a name is neither that of a joint nor that of a link with contact circles.

    Args:
        source: the tracking file.
        character: the character.
        name: the name.
        place: keys and indices that lead to the name in the file.
    """
    if character.joint_index(name) is not None:
        return
    known = [*character.known_joints, *character.known_links]
    link = character.link_index(name)
    if link is None:
        message = f"the character {character.name} has no joint or link '{name}'"
        yield source.finding("unknown-joint", message, place, hint=suggestion(name, known))
    elif not character.links[link].contacts:
        message = f"the link '{name}' needs a contact circle to measure from"
        yield source.finding("no-contacts", message, place)


def _check_foot(
    source: YamlSource, character: PlanarCharacter, name: str, place: Location, *, flat: bool = False, key: bool = False
) -> Iterator[Finding]:
    """Yield an error if a name is not that of a link with contact circles.

    Args:
        source: the tracking file.
        character: the character.
        name: the name.
        place: keys and indices that lead to the name in the file.
        flat: whether the link must be able to stand flat, on two contact circles.
        key: whether the name is the last key of `place` itself; if False, it is the value of that key.
    """
    link = character.link_index(name)
    if link is None:
        yield unknown_link(source, name, place, character, key=key)
        return
    circles = character.links[link].contacts
    if not circles:
        yield source.finding("no-contacts", f"the link '{name}' has no contact circles: add some", place, key=key)
    elif flat and len({circle.x for circle in circles}) < 2:
        message = f"the link '{name}' cannot stand flat on one contact circle: write 'point', or add a circle"
        yield source.finding("no-sole", message, place, key=key)


def _check_stage(
    source: YamlSource, entry: TrackingEntry, stage: StageEntry, character: PlanarCharacter, place: Location
) -> Iterator[Finding]:
    if not stage.theta[0] < stage.theta[1]:
        message = f"theta must rise from the beginning of a stage to its end, not go from {stage.theta[0]:g} to"
        yield source.finding("bad-range", f"{message} {stage.theta[1]:g}", [*place, "theta"])
    for name, kind in stage.contacts.items():
        where = [*place, "contacts", name]
        yield from _check_foot(source, character, name, where, flat=kind == "flat", key=True)
    yield from _check_rows(source, stage, character, place)
    yield from _check_end(source, entry, stage, character, place)
    if stage.policy is not None:
        yield from _check_policy(source, stage.policy, [*place, "policy"])
    elif entry.policy is None and "flat" in stage.contacts.values():
        message = (
            f"the stage '{stage.name}' has a flat foot, so it needs a 'policy' for the point where the ground"
            " force acts"
        )
        yield source.finding("no-policy", message, [*place, "contacts"], key=True)


def _check_rows(
    source: YamlSource, stage: StageEntry, character: PlanarCharacter, place: Location
) -> Iterator[Finding]:
    """Yield errors in the tracked quantities of a stage: unknown or repeated names, or a wrong number of quantities."""
    seen: dict[tuple[str, int], str] = {}
    for name in stage.track:
        joint, link = character.joint_index(name), character.link_index(name)
        row = ("joint", joint) if joint is not None else ("link", link) if link is not None else ("force", -1)
        if row[0] == "force":
            if name not in FORCES:
                known = [*character.known_joints, *character.known_links, *FORCES]
                message = f"the character {character.name} has no joint or link '{name}', and it is not a force"
                hint = suggestion(name, known)
                yield source.finding("unknown-joint", message, [*place, "track", name], key=True, hint=hint)
            continue
        if row in seen:
            message = f"'{name}' and '{seen[row]}' are the same joint or link: remove one of the rows"
            yield source.finding("repeated-row", message, [*place, "track", name], key=True)
        seen[row] = name
    wanted = rows_wanted(stage, character)
    if len(stage.track) != wanted:
        stands = ", ".join(f"{name} {kind}" for name, kind in stage.contacts.items()) or "nothing"
        message = f"the stage '{stage.name}' needs {wanted} rows with {stands} on the ground, not {len(stage.track)}"
        yield source.finding("row-count", message, [*place, "track"], key=True)


def rows_wanted(stage: StageEntry, character: PlanarCharacter) -> int:
    """Return the number of quantities that a stage must track so that all accelerations are determined.

    This is the number of coordinates minus the number of equations of the contacts, minus one for the point of the
    ground force. In flight it is the number of coordinates minus three, for the absence of a ground force.

    Args:
        stage: the stage.
        character: character that the controller drives.
    """
    taken = sum(ROWS_OF[kind] for kind in stage.contacts.values())
    return ROOT_COORDINATES + len(character.joints) - taken - (1 if stage.contacts else ROOT_COORDINATES)


def _check_end(
    source: YamlSource, entry: TrackingEntry, stage: StageEntry, character: PlanarCharacter, place: Location
) -> Iterator[Finding]:
    ends = stage.ends
    given = [name for name in ("theta", "contact", "leaves") if getattr(ends, name) is not None]
    if len(given) != 1:
        message = f"the stage '{stage.name}' needs exactly one end: theta, contact or leaves"
        yield source.finding("bad-end", message, [*place, "ends"])
    if ends.rate is not None and ends.theta is None:
        message = "an end with 'rate' also needs 'theta', at which the stage ends at the latest"
        yield source.finding("bad-end", message, [*place, "ends", "rate"])
    for name in ("contact", "leaves"):
        if getattr(ends, name) is not None:
            yield from _check_foot(source, character, getattr(ends, name), [*place, "ends", name])
    touching = None if ends.contact is None else character.link_index(ends.contact)
    if touching is not None and touching in map(character.link_index, stage.contacts):
        message = (
            f"the stage '{stage.name}' must not end with the contact of '{ends.contact}', which stands on the"
            " ground from the start"
        )
        hint = "name another foot, or remove this foot from 'contacts' of the stage"
        yield source.finding("bad-end", message, [*place, "ends", "contact"], hint=hint)


def _check_policy(source: YamlSource, policy: PolicyEntry, place: Location) -> Iterator[Finding]:
    given = [name for name in ("constant", "integral", "table") if getattr(policy, name) is not None]
    if len(given) != 1:
        yield source.finding("bad-policy", "a policy needs exactly one of 'constant', 'integral' and 'table'", place)
    table = policy.table
    if table is not None and (table.file is None or table.theta or table.rate or table.at):
        message = "the table of a policy must be in a separate file: write 'table: {file: NAME.npz}'"
        yield source.finding("bad-policy", message, [*place, "table"])


def _with_policy_files(source: YamlSource, entry: TrackingEntry, directory: Path) -> TrackingEntry:
    """Return the contents of a tracking file with the tables (points of the ground force) of the policy files it names.

    Args:
        source: the tracking file.
        entry: contents of the tracking file.
        directory: directory in which the policy files must be.

    Raises:
        SourceError: a policy file is in another directory, or cannot be used.
    """
    findings: list[Finding] = []

    def filled(policy: PolicyEntry | None, place: Location) -> PolicyEntry | None:
        if policy is None or policy.table is None or policy.table.file is None:
            return policy
        where = [*place, "table", "file"]
        try:
            path = contained(directory, policy.table.file)  # excludes links that lead out of the directory
        except CtrlGraphError:
            path = None
        if path is None or Path(policy.table.file).name != policy.table.file:
            findings.append(
                source.finding(
                    "bad-file", "the file of a policy must be in the same directory as the tracking file", where
                )
            )
            return policy
        try:
            table = _table_of(path)
        except CtrlGraphError as error:
            hint = f"run 'ctrlgraph experiment phase-policy {display_path(Path(source.path))}' to make the file"
            findings.append(source.finding("bad-policy", str(error), where, hint=hint))
            return policy
        return policy.model_copy(update={"table": policy.table.model_copy(update=table)})

    stages = [
        stage.model_copy(update={"policy": filled(stage.policy, ["stages", i, "policy"])})
        for i, stage in enumerate(entry.stages)
    ]
    entry = entry.model_copy(update={"policy": filled(entry.policy, ["policy"]), "stages": stages})
    if findings:
        raise SourceError(first_findings(findings))
    return entry


def _table_of(path: Path) -> dict[str, object]:
    """Return values for the fields `theta`, `rate` and `at` of a `TableEntry`, by name, from a policy file.

    Raises:
        CtrlGraphError: the file cannot be read, is not a policy over theta and its rate, or exceeds a limit.
    """
    policy = TabulatedPolicy.load(path)
    axes = policy.grid.axes
    if [axis.name for axis in axes] != ["theta", "rate"] or policy.action_names != ("at",):
        raise CtrlGraphError(f"{display_path(path)} must be a policy that chooses 'at' from theta and its rate")
    within = all(abs(bound) <= MAX_NUMBER and axis.count > 1 for axis in axes for bound in (axis.low, axis.high))
    fits = within and max(policy.grid.shape) <= MAX_TABLE
    if not fits or (policy.choice == NO_ACTION).any() or abs(policy.actions).max() > 10:
        states = f"2 to {MAX_TABLE} values of theta and of its rate"
        raise CtrlGraphError(f"{display_path(path)} must have {states}, each with a point within 10 m of the ankle")
    at = policy.actions[policy.choice, 0].reshape(policy.grid.shape)
    return {"theta": (axes[0].low, axes[0].high), "rate": (axes[1].low, axes[1].high), "at": at.tolist()}
