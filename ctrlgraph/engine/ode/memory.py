"""Access to arrays in ODE's memory from compiled code.

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
    """Return the LLVM pointer to an element of an array in ODE's memory.

    Args:
        context: numba's target context.
        builder: LLVM's builder of instructions.
        kind: numba type of the elements.
        address: LLVM value of the array's address, an integer.
        index: LLVM value of the element's index.
    """
    first = builder.inttoptr(address, ir.PointerType(context.get_data_type(kind)))
    return builder.gep(first, [index])


def _reader(kind: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.load(_element(context, builder, kind, *arguments))

    return kind(types.intp, types.intp), codegen


@intrinsic
def read_double(typing_context: Any, address: Any, index: Any) -> Any:
    """Return the element `index` of the array of doubles at the memory address `address`."""
    return _reader(types.float64)


@intrinsic
def read_word(typing_context: Any, address: Any, index: Any) -> Any:
    """Return the bits of the element `index` of the array of doubles at the memory address `address`, as a uint64."""
    return _reader(types.uint64)


@intrinsic
def write_double(typing_context: Any, address: Any, index: Any, value: Any) -> Any:
    """Set the element `index` of the array of doubles at the memory address `address` to `value`."""

    def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        address, index, value = arguments
        builder.store(value, _element(context, builder, types.float64, address, index))
        return context.get_dummy_value()

    return types.void(types.intp, types.intp, types.float64), codegen
