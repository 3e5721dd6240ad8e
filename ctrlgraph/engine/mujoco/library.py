"""The only module that loads MuJoCo: import, functions for compiled code, and messages.

The Python package creates models and data. Compiled code calls the library that the package has loaded, through
`numba.types.ExternalFunction`, with models and data as plain addresses.
"""

from __future__ import annotations

import ctypes
import os
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import llvmlite.binding
from numba import types

from ctrlgraph.errors import EngineError, printable
from ctrlgraph.extras import is_there

OLDEST = (4, 0)
"""Oldest supported version; older ones lack functions that the step calls."""

# Functions used, by arguments; i = int, p = model, data or another address.
_FUNCTIONS = {
    "pp": "mj_fwdKinematics mj_makeM mj_factorM mj_collision mj_makeConstraint mj_island mj_projectConstraint"
    " mj_transmission mj_Euler mj_step",
    "ppp": "mj_addContact",
    "ppii": "mj_forwardSkip",
    "ppip": "mj_contactForce",
}
SIGNATURES = {name: arguments for arguments, names in _FUNCTIONS.items() for name in names.split()}
_NUMBA = {"i": types.int32, "p": types.intp}
_RESULTS = {"mj_addContact": types.int32}


INSTALL = "pip install mujoco-core"


@cache
def load() -> ModuleType:
    """Return the package `mujoco`, loaded once; its warnings are counted and not printed.

    Raises:
        EngineError: it is not installed or too old, or its library is not found.
    """
    if not is_there("mujoco"):
        raise EngineError(f"the engine 'mujoco' needs the package mujoco-core: {INSTALL}")
    try:
        import mujoco
    except Exception as error:  # a broken installation can raise anything
        raise EngineError(f"the engine 'mujoco' cannot be loaded ({type(error).__name__}: {error})") from None
    found = str(mujoco.__version__)
    if tuple(map(int, found.split(".")[:2])) < OLDEST:
        raise EngineError(f"MuJoCo {found} is too old, the engine needs {OLDEST[0]}.{OLDEST[1]}: {INSTALL} --upgrade")
    folder = Path(mujoco.__file__).parent
    names = ("libmujoco.so*", "libmujoco*.dylib", "mujoco.dll")
    paths = [path for name in names for path in sorted(folder.glob(name))]
    if not paths:
        raise EngineError(f"the MuJoCo library is missing from {folder}: reinstall it: {INSTALL} --force-reinstall")
    library = ctypes.CDLL(str(paths[0]))
    missing = [name for name in SIGNATURES if not hasattr(library, name)]
    if missing:
        raise EngineError(f"MuJoCo {found} lacks {missing[0]}, which the engine needs: {INSTALL} --upgrade")
    llvmlite.binding.load_library_permanently(str(paths[0]))
    # without handlers MuJoCo writes a file into the current directory
    for name, ours in (("mju_user_warning", _on_warning), ("mju_user_error", _on_error)):
        handler = ctypes.c_void_p.in_dll(library, name)
        if handler.value is None:
            handler.value = ctypes.cast(ours, ctypes.c_void_p).value
    return mujoco


def version() -> str:
    """Return the library's version."""
    return str(load().mj_versionString())


_count = 0


@ctypes.CFUNCTYPE(None, ctypes.c_char_p)
def _on_warning(text: bytes) -> None:
    global _count
    _count += 1


@ctypes.CFUNCTYPE(None, ctypes.c_char_p)
def _on_error(text: bytes) -> None:
    """End the process with one sentence. MuJoCo cannot continue after an error, and otherwise writes a log file.

    Functions called from Python raise an exception instead.
    """
    message = printable(" ".join(text.decode(errors="replace").split()))
    os.write(2, f"error: MuJoCo gave up on this simulation and ended the process: {message}\n".encode())
    os._exit(70)


def message_count() -> int:
    """Return the number of MuJoCo's warnings since it was loaded."""
    return _count


def external(name: str) -> Any:
    """Return a function that compiled code can call."""
    return types.ExternalFunction(name, _RESULTS.get(name, types.void)(*[_NUMBA[a] for a in SIGNATURES[name]]))
