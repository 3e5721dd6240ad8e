"""What older versions left in a project, rewritten: learned files, the run log, stored sweeps."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ctrlgraph.errors import CtrlGraphError, Finding, NothingLogged, RunLogError, SourceError
from ctrlgraph.experiments.sweeps.sweep_log import SweepStore
from ctrlgraph.files import write_text
from ctrlgraph.paths import contained
from ctrlgraph.project.learned import learned_text, load_learned
from ctrlgraph.project.learned_checks import learned_files, users_of
from ctrlgraph.project.old_hashes import old_hashes
from ctrlgraph.runs.store import RunLog
from ctrlgraph.simulation.environment import Environment

if TYPE_CHECKING:
    from ctrlgraph.project.learned_model import LearnedFile
    from ctrlgraph.project.project import Project

Renamed = dict[str, str]
"""New names by old ones."""


@dataclass(frozen=True)
class MigratedFile:
    """A learned file in an older form.

    path: from the project's directory; programs and constants: what is called otherwise now; findings: why it is
    left as it is, if it is.
    """

    path: str
    programs: Renamed
    constants: Renamed
    findings: tuple[Finding, ...] = ()

    def as_dict(self) -> dict[str, Any]:
        """Return it as JSON data."""
        return {
            "path": self.path,
            "programs": self.programs,
            "constants": self.constants,
            "findings": [finding.as_dict() for finding in self.findings],
        }


@dataclass(frozen=True)
class Migration:
    """What was rewritten, or would be.

    attempts and runs: how many of the run log are known by other hashes now; old_log: whether the log was of an older
    version; sweeps: how many can go on.
    """

    files: tuple[MigratedFile, ...]
    attempts: int
    runs: int
    old_log: bool
    sweeps: int

    @property
    def findings(self) -> list[Finding]:
        """Return what keeps files from being rewritten."""
        return [finding for file in self.files for finding in file.findings]

    def as_dict(self) -> dict[str, Any]:
        """Return it as JSON data."""
        return {
            "files": [file.as_dict() for file in self.files],
            "log": {"old": self.old_log, "attempts": self.attempts, "runs": self.runs},
            "sweeps": self.sweeps,
        }


def migrate(project: Project, *, dry_run: bool = False) -> Migration:
    """Rewrite what older versions left in a project; each file whole or not at all.

    What was learned or logged for other texts of the scripts than the present ones stays as it is: stale, or no
    evidence for the graph as it is. Migrating again is safe, and finds what fits by then.

    Args:
        dry_run: only say what would be done.

    Raises:
        SourceError: the graph or the character has faults.
        CtrlGraphError: a file or a database cannot be read or written.
    """
    _ = project.graph, project.character
    # what is learned decides hashes, and means the same in either form
    old_log, attempts, runs = _migrate_log(project, dry_run)
    sweeps = _migrate_sweeps(project, dry_run)
    paths = [path.relative_to(project.directory).as_posix() for path in learned_files(project.directory)]
    used = [path for _, path in users_of(project.graph)]
    files = [file for path in dict.fromkeys([*paths, *used]) if (file := _migrate_file(project, path, dry_run))]
    return Migration(tuple(files), attempts, runs, old_log, sweeps)


def _migrate_file(project: Project, relative: str, dry_run: bool) -> MigratedFile | None:
    """None: it is in the present form."""
    try:
        path = contained(project.directory, relative)
        before, source = load_learned(path).file, project.resolver.learned(relative)
    except SourceError as error:
        return MigratedFile(relative, {}, {}, error.findings)
    except CtrlGraphError as error:  # a link that leads out; the other files are migrated all the same
        return MigratedFile(relative, {}, {}, (Finding("error", "outside", str(error), relative),))
    users = _users(project, relative)
    if not source.is_old or not users:  # what nothing uses is left as it is
        return None
    after, programs, constants = source.file, Renamed(), Renamed()
    for name in ("source", "bridge", "target"):
        old, new = getattr(before, name), getattr(after, name)
        if old is not None and old.program != new.program:
            programs[old.program] = new.program
    for name, part in before.parts.items():
        pairs = zip(part.constants, after.parts[name].constants, strict=True)
        constants |= {old.id: new.id for old, new in pairs if old.id != new.id}
    findings = [finding for user in users for finding in project.resolver.findings(user)]
    if not findings and not dry_run:
        write_text(path, _text(source.yaml.text, after))
    return MigratedFile(relative, programs, constants, tuple(findings))


def _users(project: Project, relative: str) -> list[Any]:
    return [user for user, path in users_of(project.graph) if path == relative]


def _text(before: str, file: LearnedFile) -> str:
    """The file's text; the comments at its top stay as they are."""
    top = []
    for line in before.splitlines(keepends=True):
        if not line.startswith("#"):
            break
        top.append(line)
    text = learned_text(file)
    if not top:
        return text
    while text.startswith("#"):
        text = text.partition("\n")[2]
    return "".join(top) + text


def _migrate_log(project: Project, dry_run: bool) -> tuple[bool, int, int]:
    log = _opened(project, RunLog.read if dry_run else RunLog.open, RunLog)
    if log is None:
        return False, 0, 0
    with log:
        worlds = []
        for run in log.runs():
            try:
                worlds.append(Environment.from_dict(run.settings["world"]).digest)
            except (KeyError, RunLogError):
                continue
        is_old, hashes = log.is_old, old_hashes(project, worlds, log.learned_runs())
        return is_old, *log.rehash(hashes, dry_run=dry_run)


def _migrate_sweeps(project: Project, dry_run: bool) -> int:
    store = _opened(project, SweepStore.read if dry_run else SweepStore.open, SweepStore)
    if store is None:
        return 0
    with store:
        sweeps: int = store.rehash(old_hashes(project, [""], []), dry_run=dry_run)
    return sweeps


def _opened(project: Project, how: Callable[[Path], Any], kind: type[RunLog | SweepStore]) -> Any:
    """The database, None where there is none: nothing is made where there is nothing to migrate."""
    if not (project.runs_directory / kind.FORMAT.file).exists():
        return None
    try:
        return how(project.runs_directory)
    except NothingLogged:
        return None
