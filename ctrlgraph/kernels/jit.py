"""Decorators for kernels, which are functions on arrays: compiled to machine code and cached on disk, or plain Python.

`NUMBA_DISABLE_JIT=1` runs every kernel as plain Python (debugging, coverage).
"""

from __future__ import annotations

import hashlib
import inspect
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
import numpy as np
from numba.core import config, event

from ctrlgraph import compilation

try:
    from ctrlgraph.kernels import numba_internals as internals
except ImportError:  # an unknown version of numba: see the module's docstring
    internals = None  # type: ignore[assignment]

F = TypeVar("F", bound=Callable[..., object])

_KERNEL_FOLDERS = ("kernels", "control", "engine")
_OPTIONS = {"nogil": True, "error_model": "numpy", "fastmath": False}


def kernel(function: F, calls: Sequence[Callable[..., object]] = ()) -> F:
    """Compile a function to machine code, cached on disk. Arithmetic is IEEE, so that results are reproducible.

    Numba's cache checks only the file of the function. It does not check the functions that the function calls, and
    would keep old code after an edit of those. Here, cached code has a stamp, a digest of the sources of all kernels,
    and is compiled again if the stamp changes.

    A kernel uses only the arrays in its arguments and creates none. So it does not count references to arrays: each
    count is an atomic write, and those of one step took longer than all its arithmetic. The Python caller keeps the
    arrays alive. A kernel that creates an array fails with "NRT required but not enabled": use `allocating_kernel`.

    A kernel is always inlined into its callers, because a call with named tuples of arrays passes about a hundred
    machine words.

    Args:
        function: the kernel, as plain Python.
        calls: kernels of other packages that the kernel calls; their sources become part of the stamp.
    """
    return _compiled(function, calls, counts=False, inlined=True)


def separate_kernel(function: F) -> F:
    """Compile a kernel that creates no arrays, and do not inline it into the kernels that call it.

    A call, with its named tuples of arrays, takes about a tenth of a microsecond. In return, compilation is faster: an
    inlined kernel is compiled again in every caller, and again in the callers of these.
    """
    return _compiled(function, (), counts=False, inlined=False)


def allocating_kernel(function: F) -> F:
    """Compile a kernel that creates arrays. It can call all other kernels, and they can call it."""
    return _compiled(function, (), counts=True, inlined=False)


def machine_code(compiled: Callable[..., Any]) -> Callable[..., Any] | None:
    """Return the machine code of a kernel that is compiled for exactly one set of argument types, else None.

    Calling it skips numba's dispatch on the argument types, which takes 14 us for the hundred arrays of a simulation.
    Use it only for arguments with which the kernel itself has been called: types and layouts are not checked.
    """
    return None if internals is None or config.DISABLE_JIT else internals.entry_point(compiled)


def layout_of(argument: object) -> object:
    """Return a value that is equal for two arguments only if machine code for one of them can take the other one.

    It has the types of numbers and tuples, and the element types, dimensions and memory layouts of arrays. It takes a
    fraction of the time of numba's dispatch.
    """
    if isinstance(argument, tuple):
        return type(argument), *map(layout_of, argument)
    if isinstance(argument, np.ndarray):
        return argument.dtype, argument.ndim, argument.flags.num
    return type(argument) if type(argument) in (bool, int, float) else object()


def compile_cached(function: F, **options: Any) -> F:
    """Compile a function with `numba.njit(**options)`, and cache the machine code on disk.

    If there is no folder for the cache, the machine code is kept for this process only.
    """
    if internals is not None and not config.DISABLE_JIT:
        with suppress(RuntimeError):  # no locator available
            compiled: Any = numba.njit(cache=True, **options)(function)
            internals.guard_cache(compiled)
            return cast(F, compiled)
    return cast(F, numba.njit(**options)(function))


def _compiled(function: F, calls: Sequence[Callable[..., object]], *, counts: bool, inlined: bool) -> F:
    if internals is None or config.DISABLE_JIT:
        return compile_cached(function, **_OPTIONS)
    options = internals.reference_options(counts, inlined) | _OPTIONS | internals.OPTIONS
    compiled = compile_cached(function, **options)
    stamp = _stamp_of(function, *calls)
    internals.set_stamp(compiled, stamp)
    internals.link_callee(compiled, function, stamp, options)
    return compiled


def _stamp_of(*functions: Callable[..., object]) -> str:
    """Return a digest of all sources on which the machine code of some functions depends.

    These are the sources of ctrlgraph's kernels, and the folders of the functions that belong to other packages.
    """
    ours = Path(__file__).resolve().parents[1]
    files = (Path(inspect.getfile(getattr(each, "py_func", each))).resolve() for each in functions)
    foreign = sorted({file.parent for file in files if not file.is_relative_to(ours)})
    return " ".join([source_stamp(ours), *(_folder_stamp(folder) for folder in foreign)])


class _Compiling(event.Listener):  # type: ignore[misc]  # numba carries no types
    def on_start(self, event: object) -> None:
        compilation.began()

    def on_end(self, event: object) -> None:
        compilation.ended()


event.register("numba:compile", _Compiling())


@cache
def source_stamp(package: Path) -> str:
    """Return a digest of the sources of all kernels in the directory `package` of ctrlgraph."""
    return _digest(package, [path for folder in _KERNEL_FOLDERS for path in (package / folder).rglob("*.py")])


@cache
def _folder_stamp(folder: Path) -> str:
    return _digest(folder, folder.glob("*.py"))


def _digest(root: Path, paths: Iterable[Path]) -> str:
    digest = hashlib.sha256()
    for path in sorted(paths):
        digest.update(path.relative_to(root).as_posix().encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()
