"""Gymnasium environments for reinforcement learning. `import ctrlgraph.gym` registers them.

In `ctrlgraph/Walkthrough-v0` an action chooses the next edge of the controller graph (`ctrlgraph.gym.walkthrough`).
In `ctrlgraph/Joints-v0` an action sets the target angles of the joints (`ctrlgraph.gym.joints`).

>>> import gymnasium
>>> import ctrlgraph.gym
>>> env = gymnasium.make("ctrlgraph/Joints-v0")
>>> observation, info = env.reset(seed=1)
>>> observation.shape == env.observation_space.shape
True
>>> env.close()
"""

from __future__ import annotations

from ctrlgraph.extras import require

require("gym")

import gymnasium  # noqa: E402 - require() reports a missing package first

JOINTS, WALKTHROUGH = "ctrlgraph/Joints-v0", "ctrlgraph/Walkthrough-v0"


def register_environments() -> None:
    """Register both environments with Gymnasium, unless they are registered already."""
    for name, home in ((JOINTS, "joints:Joints"), (WALKTHROUGH, "walkthrough:Walkthrough")):
        if name not in gymnasium.registry:
            gymnasium.register(name, entry_point=f"ctrlgraph.gym.{home}")


register_environments()

__all__ = ["JOINTS", "WALKTHROUGH", "register_environments"]
