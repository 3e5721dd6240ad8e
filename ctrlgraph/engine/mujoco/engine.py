"""MuJoCo as an engine that is loaded on first use."""

from __future__ import annotations

from functools import cache

from ctrlgraph.engine.engine import Engine, EngineLibrary
from ctrlgraph.engine.mujoco.mujoco_settings import MujocoSettings


@cache
def load() -> EngineLibrary:
    """Load MuJoCo, and return its functions for the simulation loop and the type of its worlds.

    Later calls return the same object.

    Raises:
        EngineError: MuJoCo is not installed, is too old or cannot be loaded.
    """
    from ctrlgraph.engine.mujoco import library

    library.load()
    from ctrlgraph.engine.mujoco.spatial_mujoco_stepper import SPATIAL_KERNELS
    from ctrlgraph.engine.mujoco.spatial_mujoco_world import SpatialMujocoWorld
    from ctrlgraph.engine.mujoco.stepper import KERNELS
    from ctrlgraph.engine.mujoco.world import MujocoWorld

    return EngineLibrary(
        kernels=KERNELS,
        open=MujocoWorld,
        messages=library.message_count,
        version=library.version,
        spatial_kernels=SPATIAL_KERNELS,
        open_spatial=SpatialMujocoWorld,
    )


MUJOCO = Engine("mujoco", MujocoSettings, load)
