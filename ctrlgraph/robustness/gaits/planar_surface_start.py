"""Simulations that start on the constraint surface of a tracking controller."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from ctrlgraph.control.tracking.arrays import TrackingData, tracking_data
from ctrlgraph.control.tracking.surface import place_on_surface
from ctrlgraph.control.tracking.tracking import Tracking
from ctrlgraph.control.tracking.tracking_state import TrackingState, new_state
from ctrlgraph.errors import SimulationError
from ctrlgraph.kernels.planar.arrays import Floats, Kinematics, copy_arrays
from ctrlgraph.kernels.planar.collision import shapes_of
from ctrlgraph.kernels.planar.dynamics import place
from ctrlgraph.simulation.planar_placement import clearance
from ctrlgraph.simulation.simulation import Simulation

FALL = {"torso": (-1.2, 1.4)}
"""Inclination of the trunk beyond which the character has fallen, rad."""
WITHIN = 1e-6
"""Tolerance of theta at the beginning of a stage, rad or m."""


class Surface:
    """Constraint surface of a tracking controller.

    Raises:
        SimulationError: The controller is invalid.
    """

    def __init__(self, tracking: Tracking) -> None:
        self.tracking = tracking
        self.data: TrackingData = tracking_data(tracking)
        self.state: TrackingState = new_state(len(tracking.character.joints))

    def pose(self, stage: int, theta: float, rate: float) -> bool:
        """Place the model on a stage's surface with its first foot at x = 0, and return False if there is no such pose.

        If the previous pose is too different, the search starts from a crouch.

        Args:
            stage: Index of the stage.
            theta: Theta of the pose.
            rate: Rate of theta.
        """
        model = self.data.model
        before = model.q.copy()
        for _ in range(2):
            if place_on_surface(self.data, self.state, stage, theta, rate, 0.0) and self._plausible():
                return True
            model.q[:] = self._crouch()
        model.q[:] = before
        return False

    def _plausible(self) -> bool:
        """Return True if the joints are within or near their limits."""
        model = self.data.model
        limits = np.array([(joint.lower, joint.upper) for joint in self.tracking.character.joints])
        return bool(((model.q[3:] > limits[:, 0] - 0.1) & (model.q[3:] < limits[:, 1] + 0.1)).all())

    def _crouch(self) -> Floats:
        """Return coordinates with each joint a third of the way from straight to its wider limit."""
        joints = self.tracking.character.joints
        wide = [joint.lower if -joint.lower > joint.upper else joint.upper for joint in joints]
        root = self.tracking.character.links[self.tracking.character.root]
        return np.array([0.0, root.y, 0.2, *(0.45 * angle for angle in wide)])

    def start(
        self,
        simulation: Simulation,
        theta: float,
        rate: float,
        *,
        stage: int = 0,
        offsets: Floats | None = None,
        turned: bool = False,
    ) -> None:
        """Reset a simulation to a state on the constraint surface, or near it with `offsets`.

        Args:
            simulation: Simulation to reset.
            theta: Theta of the state.
            rate: Rate of theta.
            stage: Index of the stage.
            offsets: Additions to the joints' angles, rad, and velocities, rad/s, (2, J).
            turned: True turns the body with the slope of the ground at x = 0.

        Raises:
            SimulationError: The stage has no contacts with the ground, or no pose with this theta.
        """
        model, entry = self.data.model, self.tracking.entry.stages[stage]
        if not entry.contacts:
            raise SimulationError(
                f"{self.tracking.name}: the stage '{entry.name}' is a flight, and nothing begins in it"
            )
        if not self.pose(stage, theta, rate):
            raise SimulationError(f"{self.tracking.name} has no pose at theta = {theta:g}")
        if offsets is not None:
            q, v = model.q.copy(), model.v.copy()
            q[3:] += offsets[0]
            v[3:] += offsets[1]
            place(model.body, model.tree, q, v, model.kin)
        kin = copy_arrays(model.kin)
        if turned:
            _turn(kin, math.radians(simulation.terrain.preview(0.0).slope))
        kin.link[:, 1] -= clearance(kin.link[:, :3], shapes_of(self.tracking.character), simulation.terrain)
        simulation.reset()
        # as a snapshot of another engine: only poses and velocities are used
        simulation.restore(replace(simulation.snapshot(), engine="", kinematics=kin))


def _turn(kin: Kinematics, angle: float) -> None:
    """Rotate a body about the origin, rad counterclockwise."""
    cosine, sine = math.cos(angle), math.sin(angle)
    turn = np.array([[cosine, sine], [-sine, cosine]])
    kin.link[:, :2] = kin.link[:, :2] @ turn
    kin.link[:, 3:5] = kin.link[:, 3:5] @ turn
    kin.link[:, 2] -= angle


def beginning(tracking: Tracking) -> int:
    """Return the index of the stage in which the cycles of a motion begin.

    It is the first, or the last if the sides swap, since earlier stages may only catch a slow body.
    """
    return len(tracking.entry.stages) - 1 if tracking.entry.swaps else 0


def begin_on_surface(simulation: Simulation, tracking: Tracking, rate: float) -> None:
    """Reset a simulation to the beginning of a controller's cycle (see `beginning`), rotated with the ground.

    Args:
        simulation: Simulation to reset.
        tracking: Controller.
        rate: Rate of theta, rad/s or m/s.

    Raises:
        SimulationError: The stage has no support, or no pose at its beginning.
    """
    surface, stage = Surface(tracking), beginning(tracking)
    surface.start(simulation, float(surface.data.theta[stage, 0]) + WITHIN, rate, stage=stage, turned=True)
