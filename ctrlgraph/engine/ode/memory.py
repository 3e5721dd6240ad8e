"""Access to ODE's memory from compiled code.

ODE keeps position, rotation, quaternion and velocities of a body at fixed addresses. Reading and writing there needs
neither a call nor a copy. It also restores the exact bits of a snapshot, while ODE's functions would normalise a
quaternion again.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic


def _element(context: Any, builder: Any, kind: Any, address: Any, index: Any) -> Any:
    """Return the pointer to element `index` of an array of the numba type `kind` at an address (an integer)."""
    first = builder.inttoptr(address, ir.PointerType(context.get_data_type(kind)))
    return builder.gep(first, [index])


def _reader(kind: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.load(_element(context, builder, kind, *arguments))

    return kind(types.intp, types.intp), codegen


@intrinsic
def read_double(typing_context: Any, address: Any, index: Any) -> Any:
    """Return element `index` of an array of doubles at an address (an integer)."""
    return _reader(types.float64)


@intrinsic
def read_word(typing_context: Any, address: Any, index: Any) -> Any:
    """Return element `index` of an array of doubles at an address (an integer), as a 64-bit word with the same bits."""
    return _reader(types.uint64)


@intrinsic
def write_double(typing_context: Any, address: Any, index: Any, value: Any) -> Any:
    """Set element `index` of an array of doubles at an address (an integer)."""

    def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        address, index, value = arguments
        builder.store(value, _element(context, builder, types.float64, address, index))
        return context.get_dummy_value()

    return types.void(types.intp, types.intp, types.float64), codegen
