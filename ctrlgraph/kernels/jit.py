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
from typing import Any, TypeVar, cast

import numba
from numba.core import config, event
from numba.core.types.misc import unliteral

from ctrlgraph import compilation

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
    own = {"_nrt": counts, "forceinline": not counts if taken_in is None else taken_in}
    # nobody calls kernels as C functions: what would let them is not compiled
    compiled = kept(function, nogil=True, error_model="numpy", fastmath=False, no_cfunc_wrapper=True, **own)
    _let_literals_be_numbers(compiled)
    file = getattr(getattr(compiled, "_cache", None), "_cache_file", None)
    if file is not None:
        file._source_stamp = _stamp_of(function, *calls)
    return compiled


def _let_literals_be_numbers(compiled: Any) -> None:
    """Let a call that spells out a number mean the kernel for numbers of this type.

    Numba would compile it, and what it calls in its turn, once more for that very number. Nothing is lost: the
    optimizer knows the number where the kernel is put into its caller.
    """
    if config.DISABLE_JIT:
        return
    find = compiled.get_call_template

    def find_for_types(args: Sequence[Any], named: Mapping[str, Any]) -> Any:
        return find(tuple(map(unliteral, args)), {name: unliteral(each) for name, each in named.items()})

    compiled.get_call_template = find_for_types


def _stamp_of(*functions: Callable[..., object]) -> str:
    """Return the digest of the sources that the functions rest on: our kernels, and the folders of others'."""
    ours = Path(__file__).resolve().parents[1]
    files = (Path(inspect.getfile(getattr(each, "py_func", each))).resolve() for each in functions)
    foreign = sorted({file.parent for file in files if not file.is_relative_to(ours)})
    return " ".join([source_stamp(ours), *(_folder_stamp(folder) for folder in foreign)])


def kept(function: F, **options: Any) -> F:
    """Compile with numba's options, cached on disk; only for this process where no folder for it can be written."""
    try:
        compiled: F = numba.njit(cache=True, **options)(function)
    except RuntimeError:  # no locator available
        return cast(F, numba.njit(**options)(function))
    cache = getattr(compiled, "_cache", None)
    if cache is not None:
        _let_nothing_fail(cache)
    return compiled


def _let_nothing_fail(cache: Any) -> None:
    """Let a file that a crash left broken cost a compilation, a full disk as well.

    So does one that another version has written: its index names types that may be gone, and cannot even be read to
    be replaced. It is begun anew.
    """
    load, save = cache.load_overload, cache.save_overload

    def save_anew(*given: Any) -> None:
        try:
            save(*given)
        except Exception:  # what a broken pickle raises can be anything
            with contextlib.suppress(Exception):
                cache.flush()
                save(*given)

    def load_or_none(*given: Any) -> Any:
        try:
            return load(*given)
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
