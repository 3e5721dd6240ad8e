"""Check of the installation: versions of the packages and engines, and advice about missing ones."""

from __future__ import annotations

import importlib.metadata
import os
import platform
import re
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Literal

from ctrlgraph.errors import CtrlGraphError, EngineError
from ctrlgraph.extras import EXTRAS, install_command, is_there
from ctrlgraph.project.shipped import shipped_file
from ctrlgraph.version import __version__

State = Literal["ok", "differs", "missing", "absent"]


@dataclass(frozen=True, slots=True)
class Check:
    """The state of one part of the installation, such as a package or an engine."""

    name: str
    """Name of the part."""
    state: State
    """One of "ok"; "differs": installed, but not in the tested version; "missing": required and not usable; "absent":
    optional and not usable.
    """
    found: str
    """What was found: a version, a path, or the reason of a failure."""
    advice: str = ""
    """What to do, such as an installation command; empty if nothing has to be done."""

    def as_dict(self) -> dict[str, str]:
        """Return the check for `--json`."""
        return asdict(self)


def examine() -> list[Check]:
    """Check everything that ctrlgraph needs, and return one check for each part. A missing part raises no error."""
    return [
        Check("Python", "ok", f"{platform.python_version()}, {sys.executable}"),
        Check("ctrlgraph", "ok", f"{__version__}, {Path(__file__).parent}"),
        *(_package(name, name) for name in required_packages()),
        _engine(),
        *_optional_engines(),
        _compiled_code(),
        *_extras(),
    ]


def healthy(checks: list[Check]) -> bool:
    """Return whether no required part is missing."""
    return all(check.state != "missing" for check in checks)


@cache
def pinned_versions() -> dict[str, str]:
    """Return the versions of the packages with which the tests passed, by normalised package name.

    The dict is empty if the installation has no file of tested versions.
    """
    try:
        text = shipped_file("constraints.txt").read_text(encoding="utf-8")
    except (CtrlGraphError, OSError):
        return {}
    pins = re.findall(r"^([A-Za-z0-9._-]+)==(\S+)", text, flags=re.MULTILINE)
    return {_normalised(name): version for name, version in pins}


def _normalised(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def required_packages() -> list[str]:
    """Return the names of the packages that ctrlgraph requires; packages of extras are not listed.

    The list is empty if ctrlgraph is not installed as a package.
    """
    try:
        requirements = importlib.metadata.requires("ctrlgraph") or []
    except importlib.metadata.PackageNotFoundError:
        return []
    return [re.split(r"[^A-Za-z0-9._-]", each)[0] for each in requirements if "extra ==" not in each]


def _package(label: str, name: str) -> Check:
    """Compare the installed version of a package with the tested version.

    Args:
        label: Name of the part in the result.
        name: Name of the package.
    """
    try:
        version = importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return Check(label, "missing", "not installed", f"python -m pip install {name}")
    wanted = pinned_versions().get(_normalised(name), version)
    if version == wanted:
        return Check(label, "ok", version)
    return Check(label, "differs", version, f"the tests passed with {wanted}")


def _extras() -> Iterator[Check]:
    """Check the packages of the extras (optional dependencies). Each check names its package and extra."""
    for name, extra in EXTRAS.items():
        for package, module in extra.modules.items():
            check = _package(f"{package} ({name})", package)
            if check.state == "missing" or not is_there(module):
                advice = f"only {extra.purpose} needs it: python -m {install_command(name)}"
                check = Check(check.name, "absent", "not installed", advice)
            yield check


def _engine() -> Check:
    """Check that the physics library (libode) is found, complete and of double precision, by loading it."""
    try:
        from ctrlgraph.engine.ode import library as ode

        library = ode.load()
    except ImportError as error:
        return Check("libode", "missing", f"cannot be checked ({error})", "install the missing packages first")
    except EngineError as error:
        found, _, advice = str(error).partition(": ")
        return Check("libode", "missing", found, advice or ode.INSTALL_HINT)
    return Check("libode", "ok", f"{ode.loaded_path(library.path)}, double precision")


def _optional_engines() -> Iterator[Check]:
    """Check all engines other than the default one, including those of plugin packages, by loading them."""
    from ctrlgraph.engine.engine import DEFAULT_ENGINE, ENGINES

    for engine in ENGINES.names:
        if engine == DEFAULT_ENGINE:
            continue
        try:
            yield Check(f"engine {engine}", "ok", ENGINES[engine].load().version())
        except (ImportError, CtrlGraphError) as error:
            advice = f"only --engine {engine} needs it"
            yield Check(f"engine {engine}", "absent", f"cannot be used: {error}", advice)


def _compiled_code() -> Check:
    """Check that numba can store compiled code on disk. Otherwise every start of ctrlgraph compiles again."""
    named = os.environ.get("NUMBA_CACHE_DIR")
    folder = Path(named) if named else Path(__file__).parent
    if _writable(folder):
        return Check("compiled code", "ok", f"kept in {folder}{'' if named else ' (beside the sources)'}")
    fallback = Path(os.path.expanduser("~")) / ".cache" / "numba"
    if not named and fallback.is_absolute() and _writable(fallback):
        return Check("compiled code", "ok", f"kept in {fallback}")
    advice = "set NUMBA_CACHE_DIR to a folder that can be written; until then every start compiles again"
    return Check("compiled code", "absent", f"{folder} cannot be written", advice)


def _writable(folder: Path) -> bool:
    """Return whether a file can be created in a folder, or in its nearest existing parent if it does not exist."""
    while not folder.exists() and folder != folder.parent:
        folder = folder.parent
    try:
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False
