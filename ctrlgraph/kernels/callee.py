"""Kernels as other kernels call them: code to be linked in, without machine code of its own.

Numba compiles each kernel as if it were called from Python and alone: it writes a wrapper that unpacks the arguments,
optimizes the whole and emits machine code. Of a kernel that is put into its callers all that is thrown away, and done
again in each of them; it was more than half of the time to compile what a run needs.
"""

from __future__ import annotations

import contextlib
import zlib
from typing import Any, ClassVar

import llvmlite.binding as llvm
import numba
from numba.core.caching import CompileResultCacheImpl, FunctionCache
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler, CompileResult


def callee_of(function: Any, **options: Any) -> Any:
    """Return a dispatcher that compiles the function for being called by compiled code, cached on disk; only for this
    process where no folder for it can be written. Nobody may call it from Python."""
    dispatcher = numba.njit(no_cpython_wrapper=True, pipeline_class=_Compiler, **options)(function)
    with contextlib.suppress(RuntimeError):  # no locator available
        dispatcher._cache = _Cache(function)
    return dispatcher


class UsesObjects(Exception):
    """A kernel makes Python objects, as to print a number: for that its code needs an address."""


class _Library(JITCodeLibrary):  # type: ignore[misc]  # numba carries no types
    """Holds the code of one kernel and of those that it calls: neither optimized as a whole nor emitted."""

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
        """What sets an environment: of code without an address there is none to be set."""
        return _NothingSet


class _NothingSet:
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
        result.fndesc.typemap = result.fndesc.calltypes = None  # as numba does: not needed, and may not be picklable
        return kept, result.fndesc, result.environment, result.signature, result.reload_init

    def rebuild(self, target_context: Any, reduced: Any) -> Any:
        (name, bitcode, check), description, environment, signature, reload_init = reduced
        if zlib.crc32(bitcode) != check:
            raise ValueError("the bitcode is damaged")  # what is broken in it would show only in a caller
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
