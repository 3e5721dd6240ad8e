"""All uses of numba's private interfaces, so that a new version of numba can break only one module.

Tested with numba 0.68.1. With a version that lacks one of the names used here, this module cannot be imported, and
`kernels.jit` compiles through the public `numba.njit` instead: the results are the same, but nothing is cached. So
each process compiles for about a minute, and small kernels are compiled for calls from Python, too.

Kernels that other kernels call are stored as bitcode for linking, without machine code. Numba compiles each kernel for
calls from Python: it generates a wrapper that unpacks the arguments, optimizes the whole and emits machine code. For a
kernel that is inlined into its callers, this work is discarded and repeated in each caller. It took more than half of
the compilation time of a run.
"""

from __future__ import annotations

import contextlib
import zlib
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any, ClassVar, cast

import llvmlite.binding as llvm
import numba
from numba.core import config
from numba.core.caching import CompileResultCacheImpl, FunctionCache
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler, CompileResult
from numba.core.dispatcher import Dispatcher
from numba.core.runtime import rtsys
from numba.core.types.misc import unliteral

_USED: dict[Any, tuple[str, ...]] = {
    FunctionCache: ("_impl_class", "_load_overload", "load_overload", "save_overload", "flush"),
    JITCodeLibrary: (
        "_optimize_final_module",
        "_finalize_final_module",
        "_finalize_dynamic_globals",
        "_verify_declare_only_symbols",
        "_ensure_finalized",
        "_get_module_for_linking",
        "add_ir_module",
    ),
    CompileResultCacheImpl: ("get_filename_base", "reduce", "rebuild"),
    Compiler: ("define_pipelines",),
    Dispatcher: ("get_call_template", "get_overload"),
}
"""Private names of numba that this module uses, by class."""

for _owner, _names in _USED.items():
    for _name in _names:
        if not hasattr(_owner, _name):
            raise ImportError(f"numba {numba.__version__} has no {_owner.__name__}.{_name}")

config._config_fname = ""  # otherwise numba searches for a settings file at each compilation

OPTIONS = {"no_cfunc_wrapper": True}
"""Options of all kernels: no wrapper for calls from C is compiled."""


def reference_options(counts: bool, inlined: bool) -> dict[str, Any]:
    """Return the options for reference counts and inlining.

    Both are always set, because a kernel without them inherits the options of its first caller.

    Args:
        counts: whether the kernel creates arrays and counts references to them.
        inlined: whether it is always inlined into the kernels that call it.
    """
    return {"_nrt": counts, "forceinline": inlined}


def entry_point(compiled: Any) -> Callable[..., Any] | None:
    """Return the machine code of a kernel that is compiled for exactly one signature, else None."""
    overloads = list(getattr(compiled, "overloads", {}).values())  # none of plain Python
    return cast(Callable[..., Any], overloads[0].entry_point) if len(overloads) == 1 else None


def set_stamp(compiled: Any, stamp: str) -> None:
    """Make the validity of a kernel's cached code depend on a digest of sources instead of its file's date and size.

    Args:
        compiled: the kernel.
        stamp: digest of all sources on which the code depends.
    """
    file = getattr(compiled._cache, "_cache_file", None)
    if file is not None:  # there is a folder for it
        file._source_stamp = stamp


def guard_cache(compiled: Any) -> None:
    """Make a kernel ignore an unreadable cache file or a full disk and compile again, instead of raising an error.

    A file of another version counts as unreadable, because its index names types that may no longer exist. Numba could
    not even read it for replacement, so it is removed.

    Before it loads a file, numba imports all modules that it can compile, including scipy. Compiled code needs only
    numba's run-time library, so this import is skipped.
    """
    cache = compiled._cache
    load, save = getattr(cache, "_load_overload", cache.load_overload), cache.save_overload

    def save_or_replace(*arguments: Any) -> None:
        try:
            save(*arguments)
        except Exception:  # a broken pickle can raise anything
            with contextlib.suppress(Exception):
                cache.flush()
                save(*arguments)

    def load_or_none(signature: Any, context: Any) -> Any:
        try:
            rtsys.initialize(context)
            return load(signature, context)
        except Exception:  # as above
            return None

    cache.load_overload, cache.save_overload = load_or_none, save_or_replace


def link_callee(compiled: Any, function: Any, stamp: str, options: Mapping[str, Any]) -> None:
    """Make other kernels call a kernel as bitcode (LLVM code without machine code), selected by argument types alone.

    Otherwise numba would compile the kernel again for each literal number in a call. The optimizer still uses the
    number after it inlines the kernel.

    Args:
        compiled: the kernel.
        function: its plain Python function.
        stamp: digest of the sources, see `set_stamp`.
        options: numba's options for the compilation.
    """

    @cache
    def callee() -> Any:  # only needed for the compilation of a caller
        made = _callee_of(function, options)
        guard_cache(made)
        set_stamp(made, stamp)
        return made

    def get_call_template(args: Sequence[Any], named: Mapping[str, Any]) -> Any:
        types = tuple(map(unliteral, args)), {name: unliteral(each) for name, each in named.items()}
        try:
            return callee().get_call_template(*types)
        except UsesObjects:
            return own_template(*types)

    def get_overload(signature: Any) -> Any:
        try:
            return callee().get_overload(signature)
        except KeyError:  # it has none: see above
            return own_overload(signature)

    own_template, own_overload = compiled.get_call_template, compiled.get_overload
    compiled.get_call_template, compiled.get_overload = get_call_template, get_overload


def _callee_of(function: Any, options: Mapping[str, Any]) -> Any:
    """Return a numba dispatcher that compiles a function for calls by other compiled code. Python must not call it.

    The compiled code is cached on disk, or for this process only if there is no folder for the cache.
    """
    dispatcher = numba.njit(no_cpython_wrapper=True, pipeline_class=_Compiler, **options)(function)
    with contextlib.suppress(RuntimeError):  # no locator available
        dispatcher._cache = _Cache(function)
    return dispatcher


class UsesObjects(Exception):
    """A kernel uses Python objects, for example to print a number. Code that is stored as bitcode cannot do this."""


class _Library(JITCodeLibrary):  # type: ignore[misc]  # numba carries no types
    """Code of a kernel and of the kernels that it calls, as LLVM bitcode.

    This code is not optimized and not converted to machine code here. That happens when a kernel that calls it is
    compiled, because the code becomes part of that kernel.
    """

    @classmethod
    def of_bitcode(cls, codegen: Any, name: str, bitcode: bytes) -> _Library:
        library = cls(codegen, name)
        library._final_module = library._shared_module = llvm.parse_bitcode(bitcode)
        library._finalized = True
        return library

    def add_ir_module(self, module: Any) -> None:
        environments = {id(each) for name, each in module.globals.items() if "NumbaEnv" in name}
        steps = (step for function in module.functions for block in function.blocks for step in block.instructions)
        if any(id(used) in environments for step in steps for used in step.operands):
            raise UsesObjects
        super().add_ir_module(module)

    def _optimize_final_module(self) -> None:
        pass

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._verify_declare_only_symbols()
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        self._ensure_finalized()
        return 0

    @property
    def codegen(self) -> Any:
        """Return an object that ignores numba's request to set an environment: code without an address has none."""
        return _NoEnvironment


class _NoEnvironment:
    @staticmethod
    def set_env(name: str, environment: object) -> None:
        pass


class _Compiler(Compiler):  # type: ignore[misc]
    def define_pipelines(self) -> Any:
        self.state.library = _Library(self.state.targetctx.codegen(), self.state.func_id.func_qualname)
        return super().define_pipelines()


class _CacheFiles(CompileResultCacheImpl):  # type: ignore[misc]
    def get_filename_base(self, fullname: str, abiflags: str) -> str:
        return f"callee-{super().get_filename_base(fullname, abiflags)}"

    def reduce(self, result: Any) -> Any:
        library = result.library
        bitcode = library._get_module_for_linking().as_bitcode()
        kept = library.name, bitcode, zlib.crc32(bitcode)
        result.fndesc.typemap = result.fndesc.calltypes = None  # as in numba: not needed, and possibly not picklable
        return kept, result.fndesc, result.environment, result.signature, result.reload_init

    def rebuild(self, target_context: Any, reduced: Any) -> Any:
        (name, bitcode, check), description, environment, signature, reload_init = reduced
        if zlib.crc32(bitcode) != check:  # its caller would crash
            raise ValueError("the cached code of a kernel is damaged: delete NUMBA_CACHE_DIR or __pycache__")
        for function in reload_init:
            function()
        library = _Library.of_bitcode(target_context.codegen(), name, bitcode)
        unset = dict.fromkeys(CompileResult._fields)
        known: dict[str, Any] = {
            "typing_context": target_context.typing_context,
            "target_context": target_context,
            "entry_point": target_context.get_executable(library, description, environment),
            "objectmode": False,
            "signature": signature,
            "lifted": (),
            "fndesc": description,
            "library": library,
            "environment": environment,
            "reload_init": reload_init,
        }
        return CompileResult(**{**unset, **known})


class _Cache(FunctionCache):  # type: ignore[misc]
    _impl_class: ClassVar[Any] = _CacheFiles
