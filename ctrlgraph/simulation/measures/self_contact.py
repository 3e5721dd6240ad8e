"""Measures of self-penetration: links do not collide with each other in the simulation.

A link is a capsule with length and thickness of its box. Only pairs that cannot overlap in a real body count: legs with
head, neck and trunk, these with each other, and links of one limb that are not neighbours. Links that lie side by side
are allowed to overlap in the plane: left and right leg, and arms with trunk and legs.
"""

from __future__ import annotations

from itertools import combinations

import numpy as np

from ctrlgraph.character.model import Character
from ctrlgraph.simulation.measures.planar_motion import Floats, Motion
from ctrlgraph.simulation.measures.registry import register

Pairs = list[tuple[int, int]]


@register(unit="m", sampled="course", needs={"axial": 1, "feet": 1}, scales=True)
def self_penetration(motion: Motion) -> float:
    """Return the greatest depth of links of the body in each other.

    Those that lie side by side are left out: left and right, and arms beside trunk and legs.
    """
    pairs = facing_pairs(motion.character)
    depth = capsule_depths(motion.character, pairs, motion.trace.position, motion.trace.angle)
    return float(depth.max(initial=0.0))


def facing_pairs(character: Character) -> Pairs:
    """Return the pairs of links, by index, that must not overlap; links with a common joint are not included."""
    parent = {joint.child: joint.parent for joint in character.joints}
    axial = character.roles.axial

    def limb(end: int) -> list[int]:
        links = []
        at: int | None = end
        while at is not None and at not in axial:
            links.append(at)
            at = parent.get(at)
        return links

    legs, arms = ([limb(end) for end in ends] for ends in (character.roles.feet, character.roles.hands))
    found = {tuple(sorted(pair)) for links in (list(axial), *legs, *arms) for pair in combinations(links, 2)}
    found |= {(min(link, trunk), max(link, trunk)) for leg in legs for link in leg for trunk in axial}
    joined = {tuple(sorted((joint.parent, joint.child))) for joint in character.joints}
    return sorted((first, second) for first, second in found - joined)


def capsule_depths(character: Character, pairs: Pairs, position: Floats, angle: Floats) -> Floats:
    """Return the depth to which the links of each pair overlap, (n, pairs), m; 0 without overlap.

    The depth is the sum of the radii less the distance of the axes, which is 0 if they cross.

    Args:
        character: the character.
        pairs: pairs of links.
        position: (n, L, 2) centres of mass of the links, m.
        angle: (n, L) angles of the links, rad, clockwise.
    """
    depths = np.zeros((len(position), len(pairs)))
    if not pairs:
        return depths
    first, second = np.array(pairs).T
    height = np.array([link.height for link in character.links])
    width = np.array([link.width for link in character.links])
    radius, half = np.minimum(height, width) / 2, np.abs(height - width) / 2
    between = position[:, first] - position[:, second]
    reach = (radius + half)[first] + (radius + half)[second]
    sample, pair = np.nonzero((between * between).sum(axis=2) < reach * reach)  # the others are too far apart
    first, second = first[pair], second[pair]
    # the axis is parallel to the longer side: upward in the link's frame, forward in a foot's
    turned = angle + np.where(height < width, np.pi / 2, 0.0)
    axis = half[:, None] * np.stack([np.sin(turned), np.cos(turned)], axis=2)
    ends = position - axis, position + axis
    (a, b), (c, d) = ([end[sample, links] for end in ends] for links in (first, second))
    distance = np.minimum.reduce([_to_axis(a, c, d), _to_axis(b, c, d), _to_axis(c, a, b), _to_axis(d, a, b)])
    crossing = (_side(a, c, d) * _side(b, c, d) < 0.0) & (_side(c, a, b) * _side(d, a, b) < 0.0)
    depth = radius[first] + radius[second] - np.where(crossing, 0.0, distance)
    depths[sample, pair] = np.maximum(0.0, depth)
    return depths


def _to_axis(point: Floats, start: Floats, end: Floats) -> Floats:
    """Return the distances of points (..., 2) from line segments."""
    along, from_start = end - start, point - start
    length = (along * along).sum(axis=-1)
    share = np.clip((from_start * along).sum(axis=-1) / np.where(length > 0.0, length, 1.0), 0.0, 1.0)
    away = from_start - share[..., None] * along
    return np.asarray(np.hypot(away[..., 0], away[..., 1]))


def _side(point: Floats, start: Floats, end: Floats) -> Floats:
    """Return a number that is positive on one side of a straight line and negative on the other."""
    along, from_start = end - start, point - start
    return np.asarray(along[..., 0] * from_start[..., 1] - along[..., 1] * from_start[..., 0])
