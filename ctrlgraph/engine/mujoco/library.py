"""Loading of MuJoCo: its Python package, its C functions for compiled code, and handlers of its messages.

No other module imports MuJoCo for a simulation. The Python package creates models and data (MuJoCo's `mjModel` and
`mjData`). Compiled code calls the C library that the package has loaded, through `numba.types.ExternalFunction`, and
passes models and data as plain addresses.
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
"""Oldest supported version, (major, minor). Older versions lack functions that `stepper.step` calls."""

# The C functions that are used, by the types of their arguments; i = int, p = model, data or another address.
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
    """Return the Python package `mujoco`, which is loaded at the first call.

    MuJoCo's warnings are counted by `message_count`, not printed.

    Raises:
        EngineError: the package is not installed, is too old or cannot be imported, or its C library is not found.
    """
    if not is_there("mujoco"):
        raise EngineError(f"the engine 'mujoco' needs the package mujoco-core: {INSTALL}")
    try:
        import mujoco
    except Exception as error:  # a broken installation can raise anything
        raise EngineError(
            f"the engine 'mujoco' cannot be loaded, so reinstall it with {INSTALL} ({type(error).__name__}: {error})"
        ) from None
    found = str(mujoco.__version__)
    if tuple(map(int, found.split(".")[:2])) < OLDEST:
        raise EngineError(f"MuJoCo {found} is too old, at least {OLDEST[0]}.{OLDEST[1]} is needed: {INSTALL} --upgrade")
    folder = Path(mujoco.__file__).parent
    names = ("libmujoco.so*", "libmujoco*.dylib", "mujoco.dll")
    paths = [path for name in names for path in sorted(folder.glob(name))]
    if not paths:
        raise EngineError(f"the MuJoCo library is missing from {folder}: reinstall it: {INSTALL} --force-reinstall")
    library = ctypes.CDLL(str(paths[0]))
    missing = [name for name in SIGNATURES if not hasattr(library, name)]
    if missing:
        raise EngineError(f"MuJoCo {found} lacks the function {missing[0]}, which is needed: {INSTALL} --upgrade")
    llvmlite.binding.load_library_permanently(str(paths[0]))
    # without handlers MuJoCo writes a file into the current directory
    for name, ours in (("mju_user_warning", _on_warning), ("mju_user_error", _on_error)):
        handler = ctypes.c_void_p.in_dll(library, name)
        if handler.value is None:
            handler.value = ctypes.cast(ours, ctypes.c_void_p).value
    return mujoco


def version() -> str:
    """Return the version of MuJoCo, as "4.0.0"."""
    return str(load().mj_versionString())


_count = 0


@ctypes.CFUNCTYPE(None, ctypes.c_char_p)
def _on_warning(text: bytes) -> None:
    global _count
    _count += 1


@ctypes.CFUNCTYPE(None, ctypes.c_char_p)
def _on_error(text: bytes) -> None:
    """End the process with a one-line message, because MuJoCo cannot continue after an error in a C function.

    MuJoCo functions that are called from Python raise an exception instead.
    """
    message = printable(" ".join(text.decode(errors="replace").split()))
    os.write(2, f"error: MuJoCo gave up on this simulation and ended the process: {message}\n".encode())
    os._exit(70)


def message_count() -> int:
    """Return the number of warnings that MuJoCo has reported since it was loaded."""
    return _count


def external(name: str) -> Any:
    """Return the C function of MuJoCo with the name `name`, a key of `SIGNATURES`, as a function for compiled code."""
    return types.ExternalFunction(name, _RESULTS.get(name, types.void)(*[_NUMBA[a] for a in SIGNATURES[name]]))
