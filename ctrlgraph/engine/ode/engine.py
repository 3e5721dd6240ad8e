"""ODE as an engine: worlds whose state can be copied, and the kernels of the loop."""

from __future__ import annotations

import numpy as np

from ctrlgraph.engine.engine import Engine
from ctrlgraph.engine.ode import library as ode
from ctrlgraph.engine.ode.state import BODY_DOUBLES, load_bodies, posed_bodies, save_bodies
from ctrlgraph.engine.ode.stepper import KERNELS
from ctrlgraph.engine.ode.world import World
from ctrlgraph.kernels.arrays import Floats


class OdeWorld(World):
    """A world of ODE with its state to be read and written."""

    def bodies(self) -> Floats:
        """Return every body's state, (L, BODY_DOUBLES)."""
        out = np.zeros((len(self.character.links), BODY_DOUBLES))
        save_bodies(self.handles, out)
        return out

    def load(self, bodies: Floats) -> None:
        """Go back to a state that `bodies` has copied."""
        load_bodies(self.handles, bodies)

    def pose(self, poses: Floats) -> None:
        """Put the links at rest at poses (L, 3)."""
        load_bodies(self.handles, posed_bodies(poses))


ODE = Engine("ode", KERNELS, OdeWorld, ode.message_count, lambda: ode.load().version)
