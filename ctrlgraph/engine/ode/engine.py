"""ODE (Open Dynamics Engine) as an engine that is loaded on first use."""

from __future__ import annotations

from functools import cache

from ctrlgraph.engine.engine import Engine, EngineLibrary
from ctrlgraph.engine.ode.ode_settings import OdeSettings


@cache
def load() -> EngineLibrary:
    """Load ODE, and return its functions for the simulation loop and the type of its worlds.

    Later calls return the same object.

    Raises:
        EngineError: ODE is not installed, cannot be loaded, is too old, or was built with single precision.
    """
    from ctrlgraph.engine.ode import library as ode
    from ctrlgraph.engine.ode.spatial_ode_stepper import SPATIAL_KERNELS
    from ctrlgraph.engine.ode.spatial_ode_world import SpatialOdeWorld
    from ctrlgraph.engine.ode.stepper import KERNELS
    from ctrlgraph.engine.ode.world import OdeWorld

    return EngineLibrary(
        kernels=KERNELS,
        open=OdeWorld,
        messages=ode.message_count,
        version=ode.version,
        spatial_kernels=SPATIAL_KERNELS,
        open_spatial=SpatialOdeWorld,
    )


ODE = Engine("ode", OdeSettings, load)
