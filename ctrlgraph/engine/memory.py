"""Reading and writing an engine's own memory from compiled code.

ODE keeps position, rotation, quaternion and velocities of a body at addresses that never change
while the body lives, so they are read in place: no call, no copy, and restoring a snapshot writes
back the very bits (setting a quaternion through ODE would normalise it again).
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic


def _element(context: Any, builder: Any, kind: Any, address: Any, index: Any) -> Any:
    """Return the pointer to the element number `index` of the numbers of a kind at an address (an integer)."""
    first = builder.inttoptr(address, ir.PointerType(context.get_data_type(kind)))
    return builder.gep(first, [index])


def _reader(kind: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.load(_element(context, builder, kind, *arguments))

    return kind(types.intp, types.intp), codegen


@intrinsic
def read_double(typing_context: Any, address: Any, index: Any) -> Any:
    """Return the double number `index` after an address (an integer)."""
    return _reader(types.float64)


@intrinsic
def read_word(typing_context: Any, address: Any, index: Any) -> Any:
    """Return the bits of the double number `index` after an address (an integer), as an unsigned integer."""
    return _reader(types.uint64)


@intrinsic
def write_double(typing_context: Any, address: Any, index: Any, value: Any) -> Any:
    """Overwrite the double number `index` after an address (an integer)."""

    def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        address, index, value = arguments
        builder.store(value, _element(context, builder, types.float64, address, index))
        return context.get_dummy_value()

    return types.void(types.intp, types.intp, types.float64), codegen
