"""Start of simulations in a state that satisfies the constraints of a tracking controller exactly."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from ctrlgraph.control.tracking.arrays import TrackingData, tracking_data
from ctrlgraph.control.tracking.surface import place_on_surface
from ctrlgraph.control.tracking.tracking import Tracking
from ctrlgraph.control.tracking.tracking_state import TrackingState, new_state
from ctrlgraph.errors import SimulationError
from ctrlgraph.kernels.arrays import Floats, copy_arrays
from ctrlgraph.kernels.planar.arrays import Kinematics
from ctrlgraph.kernels.planar.collision import shapes_of
from ctrlgraph.kernels.planar.dynamics import place
from ctrlgraph.simulation.scenes.planar_placement import clearance
from ctrlgraph.simulation.simulation import Simulation

FALL = {"torso": (-1.2, 1.4)}
"""Bounds of the trunk's inclination beyond which the character has fallen, rad."""
WITHIN = 1e-6
"""Difference of an initial theta from the beginning of the stage's range of theta, rad or m."""


class Surface:
    """Finds states on the constraint surface of a tracking controller, in which the tracking error is zero.

    Args:
        tracking: Tracking controller.

    Raises:
        SimulationError: The controller cannot run with its constants.
    """

    def __init__(self, tracking: Tracking) -> None:
        self.tracking = tracking
        self.data: TrackingData = tracking_data(tracking)
        self.state: TrackingState = new_state(len(tracking.character.joints))

    def pose(self, stage: int, theta: float, rate: float) -> bool:
        """Search for a state with zero tracking error and store it in `data.model`.

        The contact point of the first foot is at x = 0. The search starts from the pose in `data.model`. If that
        fails, it starts from a crouch.

        Args:
            stage: Index of the stage (part of the motion with one set of contacts).
            theta: Theta (phase variable) of the state, rad or m.
            rate: Rate of theta, rad/s or m/s.

        Returns:
            True if a state was found with all joints within their limits, or at most 0.1 rad beyond.
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
        """Return True if all joints of `data.model` are within their limits or at most 0.1 rad beyond."""
        model = self.data.model
        limits = np.array([(joint.lower, joint.upper) for joint in self.tracking.character.joints])
        return bool(((model.q[3:] > limits[:, 0] - 0.1) & (model.q[3:] < limits[:, 1] + 0.1)).all())

    def _crouch(self) -> Floats:
        """Return the coordinates of a crouch: x and y (m) and angle of the root, then joint angles, rad.

        Each joint is at 0.45 times its limit of larger magnitude.
        """
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
        """Reset a simulation to a state with zero tracking error, or near to it.

        Args:
            simulation: Simulation to reset.
            theta: Theta (phase variable) of the state, rad or m.
            rate: Rate of theta, rad/s or m/s.
            stage: Index of the stage (part of the motion with one set of contacts).
            offsets: (2, J) values to add to the joint angles, rad, and joint velocities, rad/s. None adds nothing.
            turned: True rotates the character by the slope of the ground at x = 0.

        Raises:
            SimulationError: The stage has no contacts, or no pose with this theta satisfies the constraints.
        """
        model, entry = self.data.model, self.tracking.entry.stages[stage]
        if not entry.contacts:
            raise SimulationError(
                f"{self.tracking.name}: no simulation can start in the stage '{entry.name}', which has no"
                " contacts: choose another stage"
            )
        if not self.pose(stage, theta, rate):
            raise SimulationError(
                f"{self.tracking.name}: no pose with theta = {theta:g} meets the constraints: change theta or the file"
            )
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
    """Rotate poses and velocities of all links about the origin of the world by an angle, rad, counterclockwise."""
    cosine, sine = math.cos(angle), math.sin(angle)
    turn = np.array([[cosine, sine], [-sine, cosine]])
    kin.link[:, :2] = kin.link[:, :2] @ turn
    kin.link[:, 3:5] = kin.link[:, 3:5] @ turn
    kin.link[:, 2] -= angle


def beginning(tracking: Tracking) -> int:
    """Return the index of the stage (part of a motion with one set of contacts) in which simulated cycles begin.

    It is the first stage. If right and left swap after each step, it is the last stage, because the earlier ones may
    only serve to catch a slow character.
    """
    return len(tracking.entry.stages) - 1 if tracking.entry.swaps else 0


def begin_on_surface(simulation: Simulation, tracking: Tracking, rate: float) -> None:
    """Reset a simulation to the beginning of a cycle, with zero tracking error and rotated with the slope.

    Args:
        simulation: Simulation to reset.
        tracking: Tracking controller of the cycle.
        rate: Rate of theta (phase variable), rad/s or m/s.

    Raises:
        SimulationError: The stage has no contacts, or no pose satisfies the constraints at the beginning of the stage.
    """
    surface, stage = Surface(tracking), beginning(tracking)
    surface.start(simulation, float(surface.data.theta[stage, 0]) + WITHIN, rate, stage=stage, turned=True)
