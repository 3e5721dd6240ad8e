"""Check of the installation of ctrlgraph: versions of packages and physics engines, and how to install missing ones."""

from __future__ import annotations

import importlib.metadata
import os
import platform
import re
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, replace
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
    """The state of one part of the installation, such as a Python package or a physics engine."""

    name: str
    """Name of the part, such as "numpy" or "engine mujoco"."""
    state: State
    """One of "ok" (usable), "differs" (usable, but not in the version with which the tests passed), "missing" (required
    and not usable) and "absent" (optional and not usable).
    """
    found: str
    """Version or path that was found, or the reason of a failure."""
    advice: str = ""
    """Advice for the user, such as an installation command; empty if nothing has to be done."""


def examine() -> list[Check]:
    """Check Python, ctrlgraph, its packages and its physics engines, and return one `Check` for each of them.

    A missing package or engine raises no error.
    """
    return [
        Check("Python", "ok", f"{platform.python_version()}, {sys.executable}"),
        Check("ctrlgraph", "ok", f"{__version__}, {Path(__file__).parent}"),
        *map(_package, required_packages()),
        _engine(),
        *_optional_engines(),
        _compiled_code(),
        *_extras(),
    ]


def healthy(checks: list[Check]) -> bool:
    """Return whether all required parts of the installation are usable, given the result of `examine`."""
    return all(check.state != "missing" for check in checks)


@cache
def pinned_versions() -> dict[str, str]:
    """Return the version of each package with which the tests passed, by package name.

    The names are in lower case, with "-" between words. The dict is empty if the installation has no file
    `constraints.txt`, which lists these versions.
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
    """Return the names of the packages that ctrlgraph always requires, without optional packages (extras).

    The list is empty if ctrlgraph is not installed as a package.
    """
    try:
        requirements = importlib.metadata.requires("ctrlgraph") or []
    except importlib.metadata.PackageNotFoundError:
        return []
    return [re.split(r"[^A-Za-z0-9._-]", each)[0] for each in requirements if "extra ==" not in each]


def _package(name: str) -> Check:
    """Check that a package is installed in the version with which the tests passed."""
    try:
        version = importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return Check(name, "missing", "not installed", f"python -m pip install {name}")
    wanted = pinned_versions().get(_normalised(name), version)
    if version == wanted:
        return Check(name, "ok", version)
    return Check(name, "differs", version, f"the tests passed with {wanted}")


def _extras() -> Iterator[Check]:
    """Check each optional package. The name of a check is the package and its extra, such as "jinja2 (report)"."""
    for name, extra in EXTRAS.items():
        for package, module in extra.modules.items():
            check = _package(package)
            if check.state == "missing" or not is_there(module):
                advice = f"only {extra.purpose} needs it: python -m {install_command(name)}"
                check = Check(package, "absent", "not installed", advice)
            yield replace(check, name=f"{package} ({name})")


def _engine() -> Check:
    """Load the library of the default physics engine, libode. Check that it is complete and of double precision."""
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
    """Load each physics engine except the default one, and check that it is usable. Engines of plugins are included."""
    from ctrlgraph.engine.engine import DEFAULT_ENGINE, ENGINES

    for engine in ENGINES.names:
        if engine == DEFAULT_ENGINE:
            continue
        try:
            yield Check(f"engine {engine}", "ok", ENGINES[engine].load().version())
        except (ImportError, CtrlGraphError) as error:
            yield Check(f"engine {engine}", "absent", f"cannot be used: {error}", f"only --engine {engine} needs it")


def _compiled_code() -> Check:
    """Check that numba can store compiled code on disk. Otherwise every start of ctrlgraph compiles the code again."""
    named = os.environ.get("NUMBA_CACHE_DIR")
    folder = Path(named) if named else Path(__file__).parent
    if _writable(folder):
        return Check("compiled code", "ok", f"kept in {folder}{'' if named else ' (beside the sources)'}")
    fallback = Path(os.path.expanduser("~")) / ".cache" / "numba"
    if not named and fallback.is_absolute() and _writable(fallback):
        return Check("compiled code", "ok", f"kept in {fallback}")
    advice = "set NUMBA_CACHE_DIR to a writable folder; until then every start of ctrlgraph compiles its code again"
    return Check("compiled code", "absent", f"{folder} cannot be written", advice)


def _writable(folder: Path) -> bool:
    """Return whether a file can be created in a folder or, if the folder does not exist, in its nearest parent."""
    while not folder.exists() and folder != folder.parent:
        folder = folder.parent
    try:
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False
