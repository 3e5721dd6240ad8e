"""Simulations that begin on the constraint surface of a tracking controller, in the first of its stages."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ctrlgraph.bounds import MAX_CYCLES
from ctrlgraph.control.tracking.arrays import TrackingData, tracking_data
from ctrlgraph.control.tracking.state import TrackingState, new_state
from ctrlgraph.control.tracking.surface import put_on_surface
from ctrlgraph.control.tracking.tracking import Tracking
from ctrlgraph.engine.engine import DEFAULT_ENGINE
from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.experiments.gait_pushes import begin_on_motion
from ctrlgraph.kernels.arrays import Floats, copy_arrays
from ctrlgraph.kernels.collision import shapes_of
from ctrlgraph.kernels.dynamics import place
from ctrlgraph.simulation.placement import clearance
from ctrlgraph.simulation.signals import SignalRecorder, Signals
from ctrlgraph.simulation.simulation import Simulation

FALL = {"torso": (-1.2, 1.4)}
"""Whose trunk is inclined further (rad) has fallen."""


class Surface:
    """A tracking controller's constraint surface, to put bodies on.

    Raises:
        SimulationError: the controller's numbers cannot be run.
        CtrlGraphError: its first stage stands on nothing.
    """

    def __init__(self, tracking: Tracking) -> None:
        self.tracking = tracking
        self.data: TrackingData = tracking_data(tracking)
        self.state: TrackingState = new_state(len(tracking.character.joints))
        if not tracking.entry.stages[0].contacts:
            raise CtrlGraphError(f"{tracking.name} begins in flight: its first stage has no constraint surface")

    def pose(self, stage: int, theta: float, rate: float) -> bool:
        """Place the model on a stage's surface, its first foot at x = 0; False where it has no pose there.

        Where the pose before is too far off, it is sought from a crouch.
        """
        model = self.data.model
        before = model.q.copy()
        for _ in range(2):
            if put_on_surface(self.data, self.state, stage, theta, rate, 0.0) and self._plausible():
                return True
            model.q[:] = self._crouch()
        model.q[:] = before
        return False

    def _plausible(self) -> bool:
        """Tell whether the joints are within their limits, or nearly: no knee bends backward."""
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
        self, simulation: Simulation, theta: float, rate: float, *, stage: int = 0, shake: Floats | None = None
    ) -> None:
        """Reset a simulation to a state on the surface, on its ground.

        Args:
            shake: (2, J) that is added to the joints' angles (rad) and velocities (rad/s).

        Raises:
            CtrlGraphError: no pose of the stage has this theta.
        """
        model = self.data.model
        if not self.pose(stage, theta, rate):
            raise CtrlGraphError(f"{self.tracking.name} has no pose at theta = {theta:g}")
        if shake is not None:
            q, v = model.q.copy(), model.v.copy()
            q[3:] += shake[0]
            v[3:] += shake[1]
            place(model.body, model.tree, q, v, model.kin)
        kin = copy_arrays(model.kin)
        kin.link[:, 1] -= clearance(kin.link[:, :3], shapes_of(self.tracking.character), simulation.terrain)
        simulation.reset()
        # as if it came from another engine: then poses and velocities are all that is taken
        simulation.restore(replace(simulation.snapshot(), engine="", kinematics=kin))


def record_on_surface(
    tracking: Tracking, theta_rate: float, seconds: float, *, rate: float = 100.0, engine: str = DEFAULT_ENGINE
) -> Signals:
    """Return the signals of a tracking controller that begins on its motion.

    That is on its first stage's constraint surface, and where its sides swap as it begins a step.

    Args:
        theta_rate: of theta at its beginning, rad/s.
        seconds: that it lasts; it ends before where the trunk falls.
        rate: samples a simulated second.

    Raises:
        CtrlGraphError: its first stage has no pose at its beginning.
    """
    with Simulation(tracking.character, engine=engine, keep_trace=False) as simulation:
        if tracking.entry.swaps:  # its first stages may only catch those that come too slowly
            begin_on_motion(simulation, tracking, theta_rate)
        else:
            surface = Surface(tracking)
            surface.start(simulation, float(surface.data.theta[0, 0]) + 1e-6, theta_rate)
        recorder = SignalRecorder(simulation, rate)
        recorder.begin(tracking.name)
        simulation.run(tracking, cycles=MAX_CYCLES, timeout=seconds, bounds=FALL)
        return recorder.signals()
