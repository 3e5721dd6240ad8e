"""Check of the installation: versions of the installed parts, and advice about missing ones."""

from __future__ import annotations

import importlib.metadata
import os
import platform
import re
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Literal

from ctrlgraph.errors import CtrlGraphError, EngineError
from ctrlgraph.extras import EXTRAS, is_there
from ctrlgraph.project.shipped import shipped_file
from ctrlgraph.version import __version__

State = Literal["ok", "differs", "missing", "absent"]

NEEDED = (
    "click",
    "cmaes",
    "lark",
    "matplotlib",
    "mujoco-core",
    "networkx",
    "numba",
    "numpy",
    "ode-python",
    "pillow",
    "pydantic",
    "PyYAML",
    "rich",
    "scipy",
)


@dataclass(frozen=True, slots=True)
class Check:
    """The state of one part of the installation."""

    name: str
    state: State
    """ok; differs: works, but is not the tested version; missing: required; absent: optional."""
    found: str
    advice: str = ""
    """Advice, empty if nothing has to be done."""

    def as_dict(self) -> dict[str, str]:
        """Return the check for `--json`."""
        return asdict(self)


def examine() -> list[Check]:
    """Check everything that ctrlgraph needs. Missing parts do not raise errors."""
    return [
        Check("Python", "ok", f"{platform.python_version()}, {sys.executable}"),
        Check("ctrlgraph", "ok", f"{__version__}, {Path(__file__).parent}"),
        *_packages(),
        _engine(),
        *_optional_engines(),
        _compiled_code(),
        _ffmpeg(),
        *_extras(),
    ]


def healthy(checks: list[Check]) -> bool:
    """Return whether no required part is missing."""
    return all(check.state != "missing" for check in checks)


def pinned_versions() -> dict[str, str]:
    """Return the exact versions that the tests passed with, by normalised name; empty where unknown."""
    try:
        text = shipped_file("constraints.txt").read_text(encoding="utf-8")
    except (CtrlGraphError, OSError):
        return {}
    pins = re.findall(r"^([A-Za-z0-9._-]+)==(\S+)", text, flags=re.MULTILINE)
    return {_normalised(name): version for name, version in pins}


def _normalised(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def _packages() -> Iterator[Check]:
    tested = pinned_versions()
    for name in NEEDED:
        try:
            yield _compared(name, importlib.metadata.version(name), tested)
        except importlib.metadata.PackageNotFoundError:
            yield Check(name, "missing", "not installed", f"python -m pip install {name}")


def _extras() -> Iterator[Check]:
    """Check the packages of the extras, each named with its extra."""
    tested = pinned_versions()
    for extra in EXTRAS.values():
        for package, module in extra.modules.items():
            name = f"{package} ({extra.name})"
            try:
                if is_there(module):
                    yield replace(_compared(package, importlib.metadata.version(package), tested), name=name)
                    continue
            except importlib.metadata.PackageNotFoundError:
                pass
            advice = f"only {extra.purpose} need{'s' * ('and' not in extra.purpose)} it: python -m {extra.install}"
            yield Check(name, "absent", "not installed", advice)


def _compared(name: str, version: str, tested: dict[str, str]) -> Check:
    wanted = tested.get(_normalised(name))
    if wanted is None or version == wanted:
        return Check(name, "ok", version)
    return Check(name, "differs", version, f"the tests passed with {wanted}")


def _engine() -> Check:
    """Check that the physics library is found, complete and of double precision, as a simulation loads it."""
    try:
        from ctrlgraph.engine.ode import library as ode

        library = ode.load()
    except ImportError as error:
        return Check("libode", "missing", f"cannot be looked at ({error})", "install the missing packages first")
    except EngineError as error:
        found, _, advice = str(error).partition(": ")
        return Check("libode", "missing", found, advice or ode.INSTALL_HINT)
    return Check("libode", "ok", f"{ode.loaded_path(library.path)}, double precision")


def _optional_engines() -> Iterator[Check]:
    """Load the other engines, ours and those of installed packages, as a simulation does."""
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
    """Check that numba can store compiled code; otherwise every start compiles."""
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
    """Return whether a file can be created in a folder, or in its nearest existing parent."""
    while not folder.exists() and folder != folder.parent:
        folder = folder.parent
    try:
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False


def _ffmpeg() -> Check:
    try:
        import imageio_ffmpeg

        return Check("ffmpeg", "ok", str(imageio_ffmpeg.get_ffmpeg_exe()))
    except (ImportError, RuntimeError):
        advice = "only films as .mp4 and .webm need it: python -m pip install 'ctrlgraph[video]'"
        return Check("ffmpeg", "absent", "not installed", advice)
