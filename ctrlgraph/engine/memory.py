"""Reading and writing an engine's own memory from compiled code.

ODE keeps position, rotation, quaternion and velocities of a body at addresses that never change
while the body lives, so they are read in place: no call, no copy, and restoring a snapshot writes
back the very bits (setting a quaternion through ODE would normalise it again).
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numba
from numba import types
from numba.extending import intrinsic

from ctrlgraph.kernels.jit import kept

_compiled = partial(kept, nogil=True)


@intrinsic
def doubles_at(typing_context: Any, address: Any) -> Any:
    """Return a pointer to the doubles at an address (an integer)."""

    def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.inttoptr(arguments[0], context.get_value_type(signature.return_type))

    return types.CPointer(types.float64)(types.intp), codegen


@intrinsic
def words_at(typing_context: Any, address: Any) -> Any:
    """Return a pointer to the 64-bit words at an address (an integer)."""

    def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.inttoptr(arguments[0], context.get_value_type(signature.return_type))

    return types.CPointer(types.uint64)(types.intp), codegen


@_compiled
def read_double(address: int, index: int) -> float:
    """Return the double number `index` after an address."""
    return numba.carray(doubles_at(address), index + 1)[index]


@_compiled
def write_double(address: int, index: int, value: float) -> None:
    """Overwrite the double number `index` after an address."""
    numba.carray(doubles_at(address), index + 1)[index] = value


@_compiled
def read_word(address: int, index: int) -> int:
    """Return the bits of the double number `index` after an address."""
    return numba.carray(words_at(address), index + 1)[index]
