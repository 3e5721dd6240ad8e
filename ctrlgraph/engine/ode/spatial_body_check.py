"""Check for spatial characters that ODE cannot simulate; `ctrlgraph.engine.ode.body_check` gives the reason."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from ctrlgraph.character.spatial_model import SpatialCharacter, SpatialJoint
from ctrlgraph.engine.ode.body_check import MOST_YIELDING
from ctrlgraph.errors import SimulationError
from ctrlgraph.kernels.spatial.spatial_arrays import SpatialBody
from ctrlgraph.kernels.spatial.spatial_rotation import rotate

SAME_PLACE = 1e-6
"""Maximum distance between the anchors of the joints between two links, m."""

PERPENDICULAR = 1e-4
"""Maximum cosine of the angle between successive axes of the joints between two links."""


def check_spatial_body(character: SpatialCharacter, body: SpatialBody) -> None:
    """Raise an error if ODE cannot simulate a character.

    Args:
        character: the character.
        body: its constants.

    Raises:
        SimulationError: a link is too light, too small or too far from a joint, which would abort the process; or the
            joints between two links are not those of a hinge, a universal joint or a ball joint.
    """
    least = np.linalg.eigvalsh(body.inertia)[:, 0]
    for joint in character.joints:
        anchor, child = np.array(joint.anchor), character.links[joint.child]
        reference = np.add(child.position, rotate(child.orientation, joint.anchor))
        for link, lever in ((joint.parent, reference), (joint.child, anchor)):
            inertia, mass = float(least[link]), float(body.mass[link])
            found = float("inf")
            if mass > 0.0 and inertia > 0.0:
                found = max(1.0 / mass + float(np.dot(lever, lever)) / inertia, 1.0 / inertia)
            if not found <= MOST_YIELDING:
                name = character.links[link].name
                fault = f"the link '{name}' is too light, too small or too far from the joint '{joint.name}'"
                reason = f"1 N at this joint accelerates it by {found:.2g} m/s2, more than {MOST_YIELDING:g}"
                raise SimulationError(f"the engine cannot simulate {character.name}: {fault}; {reason}")
    for link in range(len(character.links)):
        first, count = int(body.first[link]), int(body.n_joints[link])
        _check_joints(character, [character.joints[j] for j in body.joints[first : first + count]])


def _check_joints(character: SpatialCharacter, joints: Sequence[SpatialJoint]) -> None:
    """Raise an error if all joints between two links are not one hinge, universal joint or ball joint."""
    names = ", ".join(f"'{joint.name}'" for joint in joints)
    fault = f"the engine 'ode' cannot simulate {character.name}: the joints {names}"
    if len(joints) > 3:
        raise SimulationError(f"{fault} lie between the same two links, but at most three are possible")
    for one, two in pairwise(joints):
        if np.linalg.norm(np.subtract(one.anchor, two.anchor)) > SAME_PLACE:
            raise SimulationError(
                f"{fault} lie between the same two links, but have different positions; give them the same position, "
                "put a link between them, or use the engine 'mujoco'"
            )
        if abs(np.dot(one.axis, two.axis)) > PERPENDICULAR:
            raise SimulationError(
                f"{fault} lie between the same two links, but successive axes are not perpendicular; change the axes, "
                "put a link between them, or use the engine 'mujoco'"
            )
