"""Protection from settings files and modules in the current directory, which may be an untrusted project.

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
    """Make numba and matplotlib ignore their settings files in the current directory.

    If one of `SETTINGS_FILES` is there, the function imports both libraries while another directory is the current one.
    numba reads its settings file again at each compilation, so the function also empties the file name that numba uses.

    Without a home directory, the libraries would take a folder named "~" in the current directory for it. The function
    then sets the environment variable `XDG_CACHE_HOME` to a path that cannot exist, unless the variable has a value.
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
    """Prevent Python processes that this process starts from importing modules of the current directory.

    `multiprocessing` starts its workers with `python -c`. Such a worker would import a project's `signal.py` instead of
    the module `signal` of the standard library.
    """
    os.environ["PYTHONSAFEPATH"] = "1"


@contextlib.contextmanager
def _elsewhere() -> Iterator[None]:
    """Make the root directory the current directory during a `with` block."""
    try:
        # a directory may be searchable but not readable
        back = os.open(".", getattr(os, "O_PATH", os.O_RDONLY))
    except OSError:
        yield  # the current directory has been deleted, so it contains no settings
        return
    try:
        os.chdir(Path(__file__).resolve().anchor)
        yield
    finally:
        os.fchdir(back)
        os.close(back)
