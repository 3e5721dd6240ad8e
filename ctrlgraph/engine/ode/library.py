"""Loading of the ODE library: its path, the signatures of its functions, and handlers of its messages.

No other module loads ODE. Python calls ODE's functions through ctypes to build a world. Compiled code calls them as
`numba.types.ExternalFunction`, and passes handles (pointers) as integers.
"""

from __future__ import annotations

import ctypes
import ctypes.util
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import llvmlite.binding
from numba import types

from ctrlgraph.errors import EngineError

INSTALL_HINT = (
    "install ODE 0.16 (Debian and Ubuntu: apt-get install libode8; Fedora: dnf install ode; macOS: brew install ode)"
)

# The functions that are used, by the types of result and arguments; i = int, d = double, p = pointer or handle,
# v = void, u = unsigned long.
_FUNCTIONS = {
    ("p", ""): "dGetConfiguration dWorldCreate",
    ("i", "p"): "dCheckConfiguration",
    ("i", "i"): "dInitODE2 dAllocateODEDataForThread",
    ("v", "u"): "dRandSetSeed",
    ("u", ""): "dRandGetSeed",
    ("v", "p"): "dWorldDestroy dJointGroupDestroy dJointGroupEmpty dSetErrorHandler dSetMessageHandler"
    " dBodySetKinematic",
    ("v", "pd"): "dWorldSetERP dWorldSetCFM dJointSetDBallDistance",
    ("v", "pi"): "dWorldSetQuickStepNumIterations dWorldSetAutoDisableFlag dBodySetGyroscopicMode"
    " dBodySetFiniteRotationMode dJointSetAMotorMode dJointSetAMotorNumAxes",
    ("v", "pddd"): "dWorldSetGravity dBodySetPosition dBodyAddTorque dBodyAddForce dJointSetBallAnchor"
    " dJointSetDBallAnchor1 dJointSetDBallAnchor2 dJointSetHingeAnchor dJointSetHingeAxis dJointSetUniversalAnchor"
    " dJointSetUniversalAxis1 dJointSetUniversalAxis2",
    ("i", "pd"): "dWorldStep dWorldQuickStep",
    ("p", "p"): "dBodyCreate dBodyGetPosition dBodyGetRotation dBodyGetQuaternion dBodyGetLinearVel"
    " dBodyGetAngularVel dBodyGetForce dBodyGetTorque",
    ("v", "pp"): "dBodySetMass dJointSetFeedback",
    ("p", "i"): "dJointGroupCreate",
    ("v", "ppp"): "dJointAttach",
    ("p", "pp"): "dJointCreateBall dJointCreateDBall dJointCreateHinge dJointCreateUniversal dJointCreateAMotor"
    " dJointCreatePlane2D",
    ("v", "piiddd"): "dJointSetAMotorAxis",
    ("v", "pdddddd"): "dBodyAddForceAtRelPos",
    ("v", "pid"): "dJointSetAMotorAngle dJointSetAMotorParam",
    ("p", "ppp"): "dJointCreateContact",
}
SIGNATURES = {name: signature for signature, names in _FUNCTIONS.items() for name in names.split()}

PARAM_LO_STOP, PARAM_HI_STOP, PARAM_VEL = 0, 1, 2
PARAM_FMAX, PARAM_CFM, PARAM_STOP_ERP, PARAM_STOP_CFM = 5, 8, 9, 10
PARAM_GROUP = 0x100
"""Difference between the numbers of a parameter for two successive axes of a joint."""

_CTYPES = {"i": ctypes.c_int, "d": ctypes.c_double, "p": ctypes.c_void_p, "v": None, "u": ctypes.c_ulong}
_NUMBA = {"i": types.int32, "d": types.float64, "p": types.intp, "v": types.void, "u": types.uint64}


class Library(NamedTuple):
    """The loaded ODE library."""

    path: str
    """Name or path by which the library was loaded."""
    handle: Any
    """The library as an object of ctypes, with its functions as attributes."""


def find_library() -> str | None:
    """Return the name of the system's ODE library, or None if it is not installed."""
    return ctypes.util.find_library("ode")


@contextmanager
def importing_odepy() -> Iterator[None]:
    """Return a context in which the import of odepy (Python structures of ODE) loads no library of the home directory.

    odepy searches for a library in the directory of the environment variable HOME. If HOME is missing or relative, the
    context sets HOME to a path without files.
    """
    home = os.environ.get("HOME")
    if home is not None and os.path.isabs(home):
        yield
        return
    os.environ["HOME"] = os.devnull
    try:
        yield
    finally:
        if home is None:
            del os.environ["HOME"]
        else:
            os.environ["HOME"] = home


@cache
def load() -> Library:
    """Return the ODE library, which is loaded at the first call.

    ODE's messages are counted by `message_count`, not printed.

    Raises:
        EngineError: ODE is not installed, cannot be loaded, lacks a function, or was built with single precision.
    """
    path = find_library()
    if path is None:
        raise EngineError(f"the ODE physics library (libode) is not installed: {INSTALL_HINT}")
    try:
        handle = ctypes.CDLL(path)
    except OSError as error:
        raise EngineError(f"the ODE library {path} cannot be loaded ({error}): {INSTALL_HINT}") from None
    missing = [name for name in SIGNATURES if not hasattr(handle, name)]
    if missing:
        raise EngineError(f"the ODE library {path} is too old, because it lacks {missing[0]}: {INSTALL_HINT}")
    for name, (result, arguments) in SIGNATURES.items():
        function = getattr(handle, name)
        function.restype = _CTYPES[result]
        function.argtypes = [_CTYPES[a] for a in arguments]
    if not handle.dCheckConfiguration(ctypes.c_char_p(b"ODE_double_precision")):
        raise EngineError(f"the ODE library {path} has single precision: install a build with double precision")
    llvmlite.binding.load_library_permanently(path)
    handle.dInitODE2(0)
    handle.dAllocateODEDataForThread(~0 & 0x7FFFFFFF)
    for set_handler in (handle.dSetMessageHandler, handle.dSetErrorHandler):
        set_handler(ctypes.cast(_on_message, ctypes.c_void_p))
    return Library(path=path, handle=handle)


def message_count() -> int:
    """Return the number of messages that ODE has reported since it was loaded."""
    return _count


def version() -> str:
    """Return the file name of the ODE library, with ODE's configuration in brackets.

    ODE has no function that returns its version. The file name ends with the version of the library's interface:
    libode.so.8.0.2 is ODE 0.16.2.
    """
    library = load()
    words = ctypes.cast(library.handle.dGetConfiguration(), ctypes.c_char_p).value or b""
    return f"{Path(loaded_path(library.path)).name} ({words.decode(errors='replace').strip()})"


def loaded_path(name: str) -> str:
    """Return the path from which the library `name` was loaded; `name` itself if the path is unknown."""
    try:
        maps = Path("/proc/self/maps").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return name
    match = re.search(rf"(/\S*{re.escape(Path(name).name)}\S*)$", maps, flags=re.MULTILINE)
    return match.group(1) if match else name


_count = 0


@ctypes.CFUNCTYPE(None, ctypes.c_int, ctypes.c_char_p, ctypes.c_void_p)
def _on_message(number: int, text: bytes, _arguments: int) -> None:
    global _count
    _count += 1


def external(name: str) -> Any:
    """Return the C function of ODE with the name `name`, a key of `SIGNATURES`, as a function for compiled code."""
    result, arguments = SIGNATURES[name]
    return types.ExternalFunction(name, _NUMBA[result](*[_NUMBA[a] for a in arguments]))
