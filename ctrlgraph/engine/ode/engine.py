"""The ODE engine."""

from __future__ import annotations

from functools import cache

from ctrlgraph.engine.engine import Engine, EngineLibrary
from ctrlgraph.engine.ode.ode_settings import OdeSettings


@cache
def load() -> EngineLibrary:
    """Return the loaded library.

    Raises:
        EngineError: the library is missing, too old or of single precision.
    """
    from ctrlgraph.engine.ode import library as ode
    from ctrlgraph.engine.ode.stepper import KERNELS
    from ctrlgraph.engine.ode.world import OdeWorld

    return EngineLibrary(KERNELS, OdeWorld, ode.message_count, ode.version)


ODE = Engine("ode", OdeSettings, load)
