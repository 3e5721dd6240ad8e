"""The character as frozen data: links, joints and contact shapes in the reference pose.

Frame: x forward, y up; the reference pose stands upright with the soles at y = 0 and every
joint angle zero. Angles are positive clockwise (a thigh raised forward has a negative hip angle).
SI units, radians.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

_BOTH = {"r": ("l", "b"), "R": ("L", "B"), "right": ("left", "both"), "Right": ("Left", "Both")}
"""Words for the left side and for both sides, by the word for the right side in a name."""


@dataclass(frozen=True, slots=True)
class ContactPoint:
    """A circle fixed to a link that can touch the terrain."""

    x: float
    """Forward of the link's centre of mass, m."""
    y: float
    """Above the link's centre of mass, m."""
    radius: float
    """Radius, m."""


@dataclass(frozen=True, slots=True)
class Link:
    """A rigid link: mass in kg, inertia about z in kg m^2, centre of mass in the reference pose."""

    name: str
    mass: float
    inertia: float
    x: float
    y: float
    height: float
    width: float
    contacts: tuple[ContactPoint, ...]


class TorqueRange(NamedTuple):
    """Minimum and maximum torque of a joint, N m, with the sign of its angles: lower < 0 < upper.

    >>> TorqueRange(-240.0, 115.0).scaled(0.5)
    TorqueRange(lower=-120.0, upper=57.5)
    """

    lower: float
    upper: float

    @classmethod
    def symmetric(cls, limit: float) -> TorqueRange:
        """Return the range with the same limit in both directions."""
        return cls(-limit, limit)

    def scaled(self, factor: float) -> TorqueRange:
        """Return the range with both limits multiplied."""
        return TorqueRange(self.lower * factor, self.upper * factor)


@dataclass(frozen=True, slots=True)
class Joint:
    """A hinge about z between two links, given by their indices.

    `torque_limit` applies unless a script sets TORQUELIMIT; `hard_torque_limit` always applies. Each has a limit for
    either direction, since flexors and extensors differ in strength.
    """

    name: str
    parent: int
    child: int
    x: float
    y: float
    lower: float
    upper: float
    torque_limit: TorqueRange
    hard_torque_limit: TorqueRange
    kp: float
    kd: float

    @property
    def flexion_sign(self) -> int:
        """Return the sign of the angle when the joint is flexed: that of its larger range."""
        return 1 if self.lower + self.upper >= 0 else -1


@dataclass(frozen=True, slots=True)
class Roles:
    """Roles of the links, by index. The code finds a foot, for example, by its role, not by its name."""

    trunk: int | None = None
    """Link whose angle measures how upright the character is. If None, `Character.trunk` is the root."""
    head: int | None = None
    axial: tuple[int, ...] = ()
    """Links of head, neck and trunk, on which a character lies."""
    feet: tuple[int, ...] = ()
    hands: tuple[int, ...] = ()
    shins: tuple[int, ...] = ()
    link_pairs: tuple[tuple[int, int], ...] = ()
    """Right and left link of each pair."""
    joint_pairs: tuple[tuple[int, int], ...] = ()
    """Right and left joint of each pair."""

    def of(self, role: str) -> tuple[int, ...]:
        """Return the links with a role, by its name ("head", "feet"); empty if there are none."""
        found: int | tuple[int, ...] | None = getattr(self, role)
        return found if isinstance(found, tuple) else () if found is None else (found,)


PLANAR = "planar"
"""Morphology of characters that move in a vertical plane."""


@dataclass(frozen=True)
class Character:
    """An articulated character; joints form a tree over the links, whose root is `root`.

    >>> from ctrlgraph import Project
    >>> character = Project.find().character
    >>> [character.links[foot].name for foot in character.roles.feet]
    ['rFoot', 'lFoot']
    """

    name: str
    links: tuple[Link, ...]
    joints: tuple[Joint, ...]
    link_aliases: dict[str, str]
    joint_aliases: dict[str, str]
    morphology: str = PLANAR
    """Space in which the character moves. Each controller kind lists the morphologies that it can drive."""
    digest: str = ""
    roles: Roles = Roles()

    @cached_property
    def link_names(self) -> tuple[str, ...]:
        """Return the names of the links, in their order."""
        return tuple(link.name for link in self.links)

    @cached_property
    def joint_names(self) -> tuple[str, ...]:
        """Return the names of the joints, in their order."""
        return tuple(joint.name for joint in self.joints)

    @cached_property
    def _link_index(self) -> dict[str, int]:
        index = {name: i for i, name in enumerate(self.link_names)}
        return index | {alias: index[name] for alias, name in self.link_aliases.items()}

    @cached_property
    def _joint_index(self) -> dict[str, int]:
        index = {name: i for i, name in enumerate(self.joint_names)}
        return index | {alias: index[name] for alias, name in self.joint_aliases.items()}

    def link_index(self, name: str) -> int | None:
        """Return the index of the link with this name or alias; None if there is none."""
        return self._link_index.get(name)

    def joint_index(self, name: str) -> int | None:
        """Return the index of the joint with this name or alias; None if there is none."""
        return self._joint_index.get(name)

    @property
    def known_links(self) -> tuple[str, ...]:
        """Return all names and aliases of links, for suggestions."""
        return tuple(self._link_index)

    @property
    def known_joints(self) -> tuple[str, ...]:
        """Return all names and aliases of joints, for suggestions."""
        return tuple(self._joint_index)

    @cached_property
    def root(self) -> int:
        """Return the index of the link that is not a child of any joint."""
        children = {joint.child for joint in self.joints}
        return next(i for i in range(len(self.links)) if i not in children)

    @cached_property
    def joints_outward(self) -> tuple[int, ...]:
        """Return the joints from the root outwards: each after the joint of its parent link."""
        order: list[int] = []
        reached = [self.root]
        for link in reached:
            found = [j for j, joint in enumerate(self.joints) if joint.parent == link]
            order += found
            reached += [self.joints[j].child for j in found]
        return tuple(order)

    @property
    def trunk(self) -> int:
        """Return the index of the link whose angle measures how upright the character is: the trunk, else the root."""
        return self.root if self.roles.trunk is None else self.roles.trunk

    @cached_property
    def shoulders(self) -> tuple[int, ...]:
        """Return the joints between the trunk and the arms."""
        side, trunk = self.side, self.trunk
        return tuple(
            j
            for j, joint in enumerate(self.joints)
            if trunk in (joint.parent, joint.child)
            and any(side[j, hand] != side[j, trunk] for hand in self.roles.hands)
        )

    @cached_property
    def elbows(self) -> tuple[int, ...]:
        """Return the joints below the upper arms."""
        arms = {self.joints[j].child for j in self.shoulders}
        return tuple(j for j, joint in enumerate(self.joints) if joint.parent in arms)

    @cached_property
    def knees(self) -> tuple[int, ...]:
        """Return the joints above the shins."""
        return self.joints_above(self.roles.shins)

    @cached_property
    def hips(self) -> tuple[int, ...]:
        """Return the joints above the thighs."""
        return self.joints_above([self.joints[knee].parent for knee in self.knees])

    def joints_above(self, links: Collection[int]) -> tuple[int, ...]:
        """Return the joints above these links."""
        return tuple(j for j, joint in enumerate(self.joints) if joint.child in links)

    def joints_between(self, link: int, other: int) -> tuple[int, ...]:
        """Return the joints of the path between two links."""
        return tuple(j for j in range(len(self.joints)) if self.side[j, link] != self.side[j, other])

    @cached_property
    def mirrored(self) -> dict[str, str]:
        """Return the name of the counterpart on the other side, by name or alias of a paired link or joint."""
        names: dict[str, str] = {}
        links = (self.link_names, self.link_aliases, self.roles.link_pairs)
        joints = (self.joint_names, self.joint_aliases, self.roles.joint_pairs)
        for known, aliases, pairs in (links, joints):
            for pair in pairs:
                right, left = ([known[i], *(a for a, name in aliases.items() if name == known[i])] for i in pair)
                for these, others in ((right, left), (left, right)):
                    # aliases correspond in order if both sides have the same number
                    names |= zip(these, others if len(these) == len(others) else [others[0]] * len(these), strict=True)
        return names

    @cached_property
    def opposite_links(self) -> tuple[int, ...]:
        """Return for each link the index of its counterpart on the other side; its own if it has none."""
        return _opposites(len(self.links), self.roles.link_pairs)

    @cached_property
    def opposite_joints(self) -> tuple[int, ...]:
        """Return for each joint the index of its counterpart on the other side; its own if it has none."""
        return _opposites(len(self.joints), self.roles.joint_pairs)

    @cached_property
    def both_links(self) -> dict[str, tuple[str, str]]:
        """Return names for a right link and its left counterpart, e.g. `bFoot` for `rFoot` and `lFoot`."""
        return self._both(self._link_index, self.roles.link_pairs)

    @cached_property
    def both_joints(self) -> dict[str, tuple[str, str]]:
        """Return names for a right joint and its left counterpart, e.g. `bKnee` for `rKnee` and `lKnee`."""
        return self._both(self._joint_index, self.roles.joint_pairs)

    def _both(self, index: dict[str, int], pairs: tuple[tuple[int, int], ...]) -> dict[str, tuple[str, str]]:
        found: dict[str, tuple[str, str]] = {}
        for right, i in index.items():
            left = self.mirrored.get(right)
            if left is None or left not in index or (i, index[left]) not in pairs:
                continue
            name = _both_sides(right, left)
            # the name of an actual link or joint takes precedence
            if name is not None and name not in self._link_index and name not in self._joint_index:
                found.setdefault(name, (right, left))
        return found

    @cached_property
    def mass(self) -> float:
        """Return the mass of all links, kg."""
        return sum(link.mass for link in self.links)

    @cached_property
    def side(self) -> NDArray[np.int8]:
        """Return the sides, (joints, links): +1 if the link is on the joint's child side, else -1."""
        side = -np.ones((len(self.joints), len(self.links)), dtype=np.int8)
        children: dict[int, list[int]] = {}
        for joint in self.joints:
            children.setdefault(joint.parent, []).append(joint.child)
        for j, joint in enumerate(self.joints):
            stack = [joint.child]
            while stack:
                link = stack.pop()
                side[j, link] = 1
                stack += children.get(link, [])
        return side

    @cached_property
    def chain(self) -> NDArray[np.int8]:
        """Return the signed joints between base joint and link, (base joints, links, joints).

        Entry (b, p, j) is 0 if joint j is not on the path from the far link of base joint b to link p. Otherwise it is
        +1 if p is on j's child side and -1 if p is on j's parent side.
        """
        n_joints, n_links = len(self.joints), len(self.links)
        side = self.side
        chain = np.zeros((n_joints, n_links, n_joints), dtype=np.int8)
        for b, base in enumerate(self.joints):
            for p in range(n_links):
                far = base.parent if side[b, p] > 0 else base.child
                on_path = side[:, p] != side[:, far]
                chain[b, p] = np.where(on_path, side[:, p], 0)
        return chain


def _opposites(count: int, pairs: tuple[tuple[int, int], ...]) -> tuple[int, ...]:
    found = list(range(count))
    for right, left in pairs:
        found[right], found[left] = left, right
    return tuple(found)


def _both_sides(right: str, left: str) -> str | None:
    """Return the name for both sides; None if the names differ in more than the word for the side."""
    for word, (other, both) in _BOTH.items():
        for at in range(len(right)):
            before, after = right[:at], right[at + len(word) :]
            if right.startswith(word, at) and left == before + other + after:
                return before + both + after
    return None
