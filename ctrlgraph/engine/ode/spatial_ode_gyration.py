"""Gyroscopic torques that keep the angular momentum of a free body.

ODE's own gyroscopic torques lose angular momentum: a body that tumbles at 8 rad/s loses 3 % in ten seconds. These
torques make the time step of a free body the implicit midpoint rule. The inertia at the middle of the step, times the
angular velocity of the step, is the angular momentum, which is the same in all steps.
"""

from __future__ import annotations

from ctrlgraph.character.spatial_model import Vector
from ctrlgraph.engine.ode import library as ode
from ctrlgraph.engine.ode.memory import read_double
from ctrlgraph.engine.ode.spatial_ode_state import SpatialWorldData
from ctrlgraph.kernels.arrays import Floats
from ctrlgraph.kernels.jit import kernel
from ctrlgraph.kernels.spatial.spatial_rotation import (
    dot,
    from_rotation_vector,
    rotate,
    rotate_back,
    scale,
    subtract,
    vector_at,
)

ode.load()

_add_torque = ode.external("dBodyAddTorque")

_ITERATIONS = 3
"""Number of iterations for the angular velocity after the step; the error is below (w dt)^4."""


@kernel
def apply_gyration(world: SpatialWorldData, dt: float) -> None:
    """Add the gyroscopic torques of a time step to all links that move freely.

    Args:
        world: the ODE world before the step.
        dt: time step, s.
    """
    handles, body = world.handles, world.body
    for i in range(handles.body.size):
        if i == body.root and body.floating == 0:
            continue
        turn = (
            read_double(handles.quaternion[i], 0),
            read_double(handles.quaternion[i], 1),
            read_double(handles.quaternion[i], 2),
            read_double(handles.quaternion[i], 3),
        )
        spin = handles.spin[i]
        before = rotate_back(turn, (read_double(spin, 0), read_double(spin, 1), read_double(spin, 2)))
        inertial = times(body.inertia, i, before)
        momentum = rotate_back(from_rotation_vector(scale(0.5 * dt, before)), inertial)  # the last step's middle
        after = before
        for _ in range(_ITERATIONS):
            carried = rotate_back(from_rotation_vector(scale(0.5 * dt, after)), momentum)  # to this step's middle
            after = times(world.inverse, i, carried)
        torque = rotate(turn, scale(1.0 / dt, subtract(times(body.inertia, i, after), inertial)))
        _add_torque(handles.body[i], torque[0], torque[1], torque[2])


@kernel
def times(matrices: Floats, i: int, vector: Vector) -> Vector:
    """Return the product of the matrix `i` of an array (n, 3, 3) and a vector."""
    rows = matrices[i]
    return dot(vector_at(rows, 0, 0), vector), dot(vector_at(rows, 1, 0), vector), dot(vector_at(rows, 2, 0), vector)
