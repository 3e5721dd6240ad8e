"""One decorator for all kernels, so that they are compiled alike and can run as plain Python.

`NUMBA_DISABLE_JIT=1` runs every kernel as the Python it is written in (debugging, coverage).
"""

from __future__ import annotations

import contextlib
import hashlib
import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple, TypeVar, cast

import numba
from numba.core import config, event
from numba.core.runtime import rtsys
from numba.core.types.misc import unliteral

from ctrlgraph import compilation
from ctrlgraph.kernels.callee import UsesObjects, callee_of

config._config_fname = ""  # numba would look again whenever it compiles

F = TypeVar("F", bound=Callable[..., object])

_KERNEL_FOLDERS = ("kernels", "control", "engine")


def kernel(function: F, calls: Sequence[Callable[..., object]] = ()) -> F:
    """Compile to machine code, cached on disk; IEEE arithmetic, so that results are reproducible.

    Numba's cache looks only at the file that a function stands in, not at what the function calls,
    and would go on running old code after an edit elsewhere: so the stamp covers every kernel's source.

    A kernel works on the arrays that it is given and makes none, so that nobody has to count who holds them: a count is
    an atomic write, and those of one step took longer than all its arithmetic. Whoever calls it from Python holds them.
    Where one makes an array all the same, numba says "NRT required but not enabled": see `allocating_kernel`.
    And it is put into those that call it, however large: a group of arrays is a hundred words to hand over.

    Args:
        calls: kernels that it calls and that another package may have brought.
    """
    return _compiled(function, calls, counts=False)


def machine_code(compiled: Callable[..., Any]) -> Callable[..., Any] | None:
    """Return the machine code of a kernel that is compiled for exactly one set of argument types, else None.

    Calling it skips numba's dispatch on the argument types: 14 us for the hundred arrays of a simulation. Use it
    only for arguments that the kernel itself has been called with: types and memory layouts are not checked.
    """
    overloads = list(getattr(compiled, "overloads", {}).values())  # none where JIT is disabled
    return cast(Callable[..., Any], overloads[0].entry_point) if len(overloads) == 1 else None


def separate_kernel(function: F) -> F:
    """Compile a kernel that stays a call: it makes no arrays, and what calls it does not take it in.

    To hand over its groups of arrays costs about a tenth of a microsecond. It saves compilation: what is taken in is
    compiled anew in every function that takes it in, and again in those that take these in.
    """
    return _compiled(function, (), counts=False, taken_in=False)


def allocating_kernel(function: F) -> F:
    """Compile a kernel that makes arrays of its own; it may call and be called by those that make none."""
    return _compiled(function, (), counts=True)


def _compiled(function: F, calls: Sequence[Callable[..., object]], *, counts: bool, taken_in: bool | None = None) -> F:
    # both are said of each kernel: one that does not say is compiled like the one that calls it first
    own: dict[str, Any] = {"_nrt": counts, "forceinline": not counts if taken_in is None else taken_in}
    # nobody calls kernels as C functions: what would let them is not compiled
    own |= {"nogil": True, "error_model": "numpy", "fastmath": False, "no_cfunc_wrapper": True}
    compiled = kept(function, **own)
    if not config.DISABLE_JIT:
        stamp = _stamp_of(function, *calls)
        _let_cache_be_of(compiled, stamp)

        @cache
        def called() -> Any:  # only what compiles a caller needs it
            callee = callee_of(function, **own)
            _let_nothing_fail(callee._cache)
            _let_cache_be_of(callee, stamp)
            return callee

        _be_called_as(compiled, called)
    return compiled


def _be_called_as(compiled: Any, called: Callable[[], Any]) -> None:
    """Let compiled code call the one kernel where it names the other; and let a call that spells out a number mean the
    kernel for numbers of this type.

    Numba would compile it, and what it calls in its turn, once more for that very number. Nothing is lost: the
    optimizer knows the number where the kernel is put into its caller.
    """

    def find_for_types(args: Sequence[Any], named: Mapping[str, Any]) -> Any:
        types = tuple(map(unliteral, args)), {name: unliteral(each) for name, each in named.items()}
        try:
            return called().get_call_template(*types)
        except UsesObjects:
            return alone.template(*types)

    def find_code(signature: Any) -> Any:
        try:
            return called().get_overload(signature)
        except KeyError:  # it has none: see above
            return alone.code(signature)

    alone = _Alone(compiled.get_call_template, compiled.get_overload)
    compiled.get_call_template, compiled.get_overload = find_for_types, find_code


class _Alone(NamedTuple):
    """How numba lets compiled code call what Python calls."""

    template: Callable[..., Any]
    code: Callable[..., Any]


def _stamp_of(*functions: Callable[..., object]) -> str:
    """Return the digest of the sources that the functions rest on: our kernels, and the folders of others'."""
    ours = Path(__file__).resolve().parents[1]
    files = (Path(inspect.getfile(getattr(each, "py_func", each))).resolve() for each in functions)
    foreign = sorted({file.parent for file in files if not file.is_relative_to(ours)})
    return " ".join([source_stamp(ours), *(_folder_stamp(folder) for folder in foreign)])


def kept(function: F, **options: Any) -> F:
    """Compile with numba's options, cached on disk; only for this process where no folder for it can be written."""
    try:
        compiled: Any = numba.njit(cache=True, **options)(function)
    except RuntimeError:  # no locator available
        return cast(F, numba.njit(**options)(function))
    if not config.DISABLE_JIT:
        _let_nothing_fail(compiled._cache)
    return cast(F, compiled)


def _let_cache_be_of(compiled: Any, stamp: str) -> None:
    file = getattr(compiled._cache, "_cache_file", None)
    if file is not None:  # there is a folder for it
        file._source_stamp = stamp


def _let_nothing_fail(cache: Any) -> None:
    """Let a file that a crash left broken cost a compilation, a full disk as well.

    So does one that another version has written: its index names types that may be gone, and cannot even be read to
    be replaced. It is begun anew.

    Numba imports everything that it can compile, and scipy with it, before it loads a file. A compilation does that by
    itself; to run what is compiled already, the run-time library is enough.
    """
    load, save = getattr(cache, "_load_overload", cache.load_overload), cache.save_overload

    def save_anew(*given: Any) -> None:
        try:
            save(*given)
        except Exception:  # what a broken pickle raises can be anything
            with contextlib.suppress(Exception):
                cache.flush()
                save(*given)

    def load_or_none(signature: Any, context: Any) -> Any:
        try:
            rtsys.initialize(context)
            return load(signature, context)
        except Exception:  # as above
            return None

    cache.load_overload, cache.save_overload = load_or_none, save_anew


class _Compiling(event.Listener):  # type: ignore[misc]  # numba carries no types
    def on_start(self, event: object) -> None:
        compilation.began()

    def on_end(self, event: object) -> None:
        compilation.ended()


event.register("numba:compile", _Compiling())


@cache
def source_stamp(package: Path) -> str:
    """Return the digest of the sources of all kernels, file by file."""
    return _digest(package, [path for folder in _KERNEL_FOLDERS for path in (package / folder).rglob("*.py")])


@cache
def _folder_stamp(folder: Path) -> str:
    return _digest(folder, folder.glob("*.py"))


def _digest(root: Path, paths: Iterable[Path]) -> str:
    digest = hashlib.sha256()
    for path in sorted(paths):
        digest.update(path.relative_to(root).as_posix().encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()
