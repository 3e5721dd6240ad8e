"""Kernel of the kinds whose controllers make no requests; apart from `controller`, which needs no compiler."""

from __future__ import annotations

from typing import Any

from ctrlgraph.kernels.jit import kernel


@kernel
def never_asks(state: Any) -> bool:
    """Return False: there is no request."""
    return False
