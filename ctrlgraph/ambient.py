"""What lies in the current directory is data: no library takes settings or code from it.

People work in project directories, and a project may come from a stranger. Two libraries that we use read a file of
the current directory: numba (`.numba_config.yaml`: its `cache_dir` names a folder of pickles, which are code) and
matplotlib (`matplotlibrc`: its backend may be any module). And an interpreter that is started with `-c`, as
multiprocessing starts its workers, looks for every module in the current directory first. Settings in the environment
or in the user's own configuration directories count as before.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

SETTINGS_FILES = (".numba_config.yaml", "matplotlibrc")


def ignore_settings_files() -> None:
    """See to it that numba and matplotlib ignore settings in the current directory.

    Where there are any, both are imported from elsewhere, now; numba would look again whenever it compiles. And where
    the user has no home directory, no folder named "~" of the current directory is taken for it.
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
    """Keep interpreters that this process starts from importing what lies in the current directory.

    `multiprocessing` starts its workers and its resource tracker with `python -c`, which puts the current directory
    before the standard library: a `signal.py` in a project would run.
    """
    os.environ["PYTHONSAFEPATH"] = "1"


@contextlib.contextmanager
def _elsewhere() -> Iterator[None]:
    """The root directory as the current one; no module of ours has a name there that another one looks for."""
    try:
        # a directory can be gone into, but not be read
        back = os.open(".", getattr(os, "O_PATH", os.O_RDONLY))
    except OSError:
        yield  # it is gone, and what lay in it
        return
    try:
        os.chdir(Path(__file__).resolve().anchor)
        yield
    finally:
        os.fchdir(back)
        os.close(back)
