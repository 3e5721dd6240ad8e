"""Characters as immutable data: links, joints and roles, in the plane and in space.

The classes of this module contain what planar and spatial characters have in common. All values are in SI units and
radians. In the reference pose, all joint angles are zero.
"""

from __future__ import annotations

import math
from collections.abc import Collection
from dataclasses import dataclass, field
from functools import cached_property
from typing import ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

_BOTH = {"r": ("l", "b"), "R": ("L", "B"), "right": ("left", "both"), "Right": ("Left", "Both")}
"""Words in names of links and joints: (word for the left side, word for both sides), by the word for the right side."""


@dataclass(frozen=True, slots=True)
class Link:
    """A rigid link of a character."""

    name: str
    mass: float
    """Mass, kg."""


class TorqueRange(NamedTuple):
    """Minimum and maximum torque of a joint, N m, positive clockwise: lower < 0 < upper.

    >>> TorqueRange(-240.0, 115.0).scaled(0.5)
    TorqueRange(lower=-120.0, upper=57.5)
    """

    lower: float
    upper: float

    @classmethod
    def symmetric(cls, limit: float) -> TorqueRange:
        """Return the range from `-limit` to `limit`."""
        return cls(-limit, limit)

    def scaled(self, factor: float) -> TorqueRange:
        """Return the range with both limits multiplied by a factor."""
        return TorqueRange(self.lower * factor, self.upper * factor)


@dataclass(frozen=True, slots=True)
class Joint:
    """A hinge between two links."""

    name: str
    parent: int
    """Index of the parent link."""
    child: int
    """Index of the child link."""
    lower: float
    """Lower limit of the angle, rad."""
    upper: float
    """Upper limit of the angle, rad."""
    torque_limit: TorqueRange
    """Torque limits that apply unless a script sets others with TORQUELIMIT. Flexors and extensors can differ."""
    hard_torque_limit: TorqueRange
    """Torque limits that always apply."""
    kp: float
    """Default proportional gain of PD control, N m/rad."""
    kd: float
    """Default derivative gain of PD control, N m s/rad."""
    max_speed: float | None = field(default=None, kw_only=True)
    """Speed, rad/s, at which the joint has no torque left in the direction of its motion. The torque limit in this
    direction decreases linearly with the speed. None: the limit does not depend on the speed."""
    rise_time: float = field(default=0.0, kw_only=True)
    """Time, s, in which the torque can rise from 0 to its hard limit. 0: the torque can change at once."""

    @property
    def max_torque_rate(self) -> float:
        """Return the maximum rate of change of the torque, N m/s; infinity if the torque can change at once."""
        largest = max(-self.hard_torque_limit.lower, self.hard_torque_limit.upper)
        return largest / self.rise_time if self.rise_time > 0.0 else math.inf

    @property
    def flexion_sign(self) -> int:
        """Return the sign (1 or -1) of the joint's angle in flexion, from its larger angle limit."""
        return 1 if self.lower + self.upper >= 0 else -1


@dataclass(frozen=True, slots=True)
class Roles:
    """Roles (functions) of the links: for each role, such as foot or hand, the indices of the links that have it.

    Measures and controllers find a foot, for example, by its role and not by its name.
    """

    trunk: int | None = None
    """Index of the link whose angle shows how upright the character is. If None, `Character.trunk` is the root."""
    head: int | None = None
    axial: tuple[int, ...] = ()
    """Indices of the links of head, neck and trunk, on which a lying character rests."""
    feet: tuple[int, ...] = ()
    hands: tuple[int, ...] = ()
    shins: tuple[int, ...] = ()
    link_pairs: tuple[tuple[int, int], ...] = ()
    """Indices of the right and the left link of each pair."""
    joint_pairs: tuple[tuple[int, int], ...] = ()
    """Indices of the right and the left joint of each pair."""

    def of(self, role: str) -> tuple[int, ...]:
        """Return the indices of the links with a role; `role` is a field such as "head" or "feet"."""
        found: int | tuple[int, ...] | None = getattr(self, role)
        return found if isinstance(found, tuple) else () if found is None else (found,)


@dataclass(frozen=True)
class Character:
    """An articulated character: a tree of rigid links that joints connect. The link `root` is the root of the tree.

    >>> from ctrlgraph import Project
    >>> character = Project.find().character
    >>> [character.links[foot].name for foot in character.roles.feet]
    ['rFoot', 'lFoot']
    """

    morphology: ClassVar[str]
    """Kind of space in which the character moves. Each controller kind lists the morphologies that it can control."""

    name: str
    links: tuple[Link, ...]
    joints: tuple[Joint, ...]
    link_aliases: dict[str, str]
    """Name of a link by alias (alternative name)."""
    joint_aliases: dict[str, str]
    """Name of a joint by alias."""
    digest: str = ""
    """Hash by which logged results refer to the character."""
    roles: Roles = Roles()
    """Roles of the links, and pairs of right and left links and joints."""
    usual_mass: float | None = None
    """Mass for which scripts are written, kg. None: the mass of the links."""

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
        """Return the names and aliases of all links."""
        return tuple(self._link_index)

    @property
    def known_joints(self) -> tuple[str, ...]:
        """Return the names and aliases of all joints."""
        return tuple(self._joint_index)

    @cached_property
    def root(self) -> int:
        """Return the index of the link that is not a child of any joint."""
        children = {joint.child for joint in self.joints}
        return next(i for i in range(len(self.links)) if i not in children)

    @cached_property
    def joints_outward(self) -> tuple[int, ...]:
        """Return the indices of all joints, ordered from the root outward: a joint comes after the joints above it."""
        order: list[int] = []
        reached = [self.root]
        for link in reached:
            found = [j for j, joint in enumerate(self.joints) if joint.parent == link]
            order += found
            reached += dict.fromkeys(self.joints[j].child for j in found)
        return tuple(order)

    @property
    def trunk(self) -> int:
        """Return the index of the link whose angle shows how upright the character is: the trunk or else the root."""
        return self.root if self.roles.trunk is None else self.roles.trunk

    @cached_property
    def shoulders(self) -> tuple[int, ...]:
        """Return the indices of the joints that connect the trunk and an arm (a limb with a hand)."""
        side, trunk = self.side, self.trunk
        return tuple(
            j
            for j, joint in enumerate(self.joints)
            if trunk in (joint.parent, joint.child)
            and any(side[j, hand] != side[j, trunk] for hand in self.roles.hands)
        )

    @cached_property
    def elbows(self) -> tuple[int, ...]:
        """Return the indices of the joints below the upper arms, which are the links below the shoulders."""
        arms = {self.joints[j].child for j in self.shoulders}
        return tuple(j for j, joint in enumerate(self.joints) if joint.parent in arms)

    @cached_property
    def knees(self) -> tuple[int, ...]:
        """Return the indices of the joints whose children are the shins."""
        return self.joints_above(self.roles.shins)

    @cached_property
    def hips(self) -> tuple[int, ...]:
        """Return the indices of the joints whose children are the thighs (the links above the knees)."""
        return self.joints_above([self.joints[knee].parent for knee in self.knees])

    def joints_above(self, links: Collection[int]) -> tuple[int, ...]:
        """Return the indices of the joints whose child link is one of `links`, a collection of indices of links."""
        return tuple(j for j, joint in enumerate(self.joints) if joint.child in links)

    def joints_between(self, link: int, other: int) -> tuple[int, ...]:
        """Return the indices of the joints on the path between two links (given by their indices)."""
        return tuple(j for j in range(len(self.joints)) if self.side[j, link] != self.side[j, other])

    @cached_property
    def mirrored(self) -> dict[str, str]:
        """Return the name of the counterpart on the other side, by each name and alias of a link or joint in a pair.

        If both sides have the same number of aliases, the first alias of one side is mapped to the first alias of the
        other, and so on. Otherwise an alias is mapped to the name of the counterpart.
        """
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
        """Return for each link the index of its counterpart on the other side; without one, the link's own index."""
        return _opposites(len(self.links), self.roles.link_pairs)

    @cached_property
    def opposite_joints(self) -> tuple[int, ...]:
        """Return for each joint the index of its counterpart on the other side; without one, the joint's own index."""
        return _opposites(len(self.joints), self.roles.joint_pairs)

    @cached_property
    def both_links(self) -> dict[str, tuple[str, str]]:
        """Return the names (right, left) of paired links, by a name for both: `bFoot` for `rFoot` and `lFoot`."""
        return self._both(self._link_index, self.roles.link_pairs)

    @cached_property
    def both_joints(self) -> dict[str, tuple[str, str]]:
        """Return the names (right, left) of paired joints, by a name for both: `bKnee` for `rKnee` and `lKnee`."""
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
        """Return the total mass of all links, kg."""
        return sum(link.mass for link in self.links)

    @cached_property
    def side(self) -> NDArray[np.int8]:
        """Return on which side of each of the J joints each of the L links is, (J, L).

        A joint divides the tree of links into two parts. The element (j, i) is +1 if link i is in the part with the
        child link of joint j, and -1 if link i is in the part with the parent link.
        """
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
        """Return which of the J joints lie on the path from a joint to one of the L links, with signs, (J, L, J).

        The path of element (b, p, j) begins at joint b, goes to link p, and includes joint b. The element is 0 if joint
        j is not on this path. Otherwise it is +1 if link p is on the child side of joint j, and -1 if link p is on the
        parent side.
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
    """Return a name for a pair, such as "bFoot" for "rFoot" and "lFoot".

    Return None if the names of the pair differ in more than the word for the side.
    """
    for word, (other, both) in _BOTH.items():
        for at in range(len(right)):
            before, after = right[:at], right[at + len(word) :]
            if right.startswith(word, at) and left == before + other + after:
                return before + both + after
    return None
