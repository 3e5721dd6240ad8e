"""The kernel of kinds whose controllers ask nothing of the simulation: beside `controller.no_request`, which needs no
compiler."""

from __future__ import annotations

from typing import Any

from ctrlgraph.kernels.jit import kernel


@kernel
def asks_nothing(state: Any) -> bool:
    """Return False: the simulation is neither to keep a state nor to go back to one."""
    return False
