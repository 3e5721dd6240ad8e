"""The digest (hash) by which logged results refer to a spatial character."""

from __future__ import annotations

import hashlib
import json

from ctrlgraph.character.digest import meaning_of_roles, rounded, rounded_torque
from ctrlgraph.character.spatial_model import SpatialCharacter


def digest_of_space(character: SpatialCharacter) -> str:
    """Return the digest of a spatial character, 16 hexadecimal digits.

    The digest depends on the character only, not on the text of its file. Numbers are rounded to 12 digits. Colors,
    meshes, shapes that do not collide, and pairs of right and left are not part of it.
    """
    links = [
        [link.name, *map(rounded, (link.mass, *link.inertia, *link.position, *link.orientation))]
        + [
            [shape.kind, *map(rounded, (*shape.size, *shape.position, *shape.orientation))]
            for shape in link.shapes
            if shape.collides
        ]
        for link in character.links
    ]
    joints = [
        [joint.name, joint.parent, joint.child]
        + [rounded_torque(joint.torque_limit), rounded_torque(joint.hard_torque_limit)]
        + [rounded(value) for value in (joint.lower, joint.upper, joint.kp, joint.kd, *joint.axis, *joint.anchor)]
        + [rounded(value) for value in (joint.stiffness, joint.spring_angle, joint.damping)]
        + [rounded(value) for value in (joint.armature, joint.friction_loss)]
        # absent by default, so that digests of characters without these limits stay the same
        + ([joint.max_speed, joint.rise_time] if joint.max_speed is not None or joint.rise_time else [])
        for joint in character.joints
    ]
    poses = [
        [name, *map(rounded, (*pose.position, *pose.orientation, *pose.angles))]
        for name, pose in sorted(character.poses.items())
    ]
    aliases = [sorted(character.link_aliases.items()), sorted(character.joint_aliases.items())]
    roles = character.roles
    legs = [[leg.name, leg.hip, leg.knee, leg.ankles, leg.foot] for leg in roles.legs]
    parts = [legs, roles.spine, roles.neck, roles.tail]
    whole = [character.floating, links, joints, poses, aliases, character.excludes, meaning_of_roles(roles), parts]
    return hashlib.sha256(json.dumps(whole).encode()).hexdigest()[:16]
