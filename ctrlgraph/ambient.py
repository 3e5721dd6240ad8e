"""Protection from settings and modules in the current directory, which may be an untrusted project.

Two libraries read settings from a file in the current directory. numba reads `.numba_config.yaml`, whose `cache_dir`
names a folder of pickles, and pickles can contain code. matplotlib reads `matplotlibrc`, whose backend can be any
module. An interpreter started with `-c`, such as a worker of multiprocessing, searches for modules in the current
directory first. Settings in environment variables and in the user's configuration directories remain in effect.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

SETTINGS_FILES = (".numba_config.yaml", "matplotlibrc")
"""Names of the settings files that numba and matplotlib read in the current directory."""


def ignore_settings_files() -> None:
    """Make numba and matplotlib ignore settings in the current directory.

    If the current directory contains such a file, this function imports both libraries now, from another current
    directory. numba would read its settings file again at each compilation. It is therefore given an empty file name.
    If the user has no home directory, the function also sets `XDG_CACHE_HOME` (unless it is set already), so that a
    folder named "~" in the current directory is not used in its place.
    """
    if not os.path.isabs(os.path.expanduser("~")):
        os.environ.setdefault("XDG_CACHE_HOME", os.path.join(os.devnull, "nothing"))
    if not any(os.path.lexists(name) for name in SETTINGS_FILES):
        return
    with _elsewhere(), contextlib.suppress(ImportError):
        import numba.core.config

        numba.core.config._config_fname = ""
    with _elsewhere(), contextlib.suppress(ImportError):
        import matplotlib  # noqa: F401


def isolate_new_interpreters() -> None:
    """Prevent interpreters that this process starts from importing modules of the current directory.

    `multiprocessing` starts its workers with `python -c`, which would import a `signal.py` of a project in place of the
    standard library's.
    """
    os.environ["PYTHONSAFEPATH"] = "1"


@contextlib.contextmanager
def _elsewhere() -> Iterator[None]:
    """Change to the root directory within the block."""
    try:
        # a directory may be searchable but not readable
        back = os.open(".", getattr(os, "O_PATH", os.O_RDONLY))
    except OSError:
        yield  # the directory has been deleted
        return
    try:
        os.chdir(Path(__file__).resolve().anchor)
        yield
    finally:
        os.fchdir(back)
        os.close(back)
