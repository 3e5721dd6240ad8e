"""The character as immutable data: links, joints and contact shapes in the reference pose.

World frame: x forward, y up. In the reference pose, the character stands upright with its soles at y = 0, and all joint
angles are zero. Angles are positive clockwise, so a thigh raised forward has a negative hip angle. All values are in SI
units and radians.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

_BOTH = {"r": ("l", "b"), "R": ("L", "B"), "right": ("left", "both"), "Right": ("Left", "Both")}
"""Words for the left side and for both sides in names of links and joints, by the word for the right side."""


@dataclass(frozen=True, slots=True)
class ContactPoint:
    """A circle that is fixed to a link and can touch the terrain."""

    x: float
    """Forward distance of the circle's centre from the link's centre of mass in the reference pose, m."""
    y: float
    """Height of the circle's centre above the link's centre of mass in the reference pose, m."""
    radius: float
    """Radius of the circle, m."""


@dataclass(frozen=True, slots=True)
class Link:
    """A rigid link."""

    name: str
    mass: float
    """Mass, kg."""
    inertia: float
    """Moment of inertia about the centre of mass, in the plane of motion, kg m^2."""
    x: float
    """Forward position of the centre of mass in the reference pose, m."""
    y: float
    """Height of the centre of mass in the reference pose, m."""
    height: float
    """Vertical size in the reference pose, m."""
    width: float
    """Horizontal size in the reference pose, m."""
    contacts: tuple[ContactPoint, ...]
    """Contact circles."""


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
    """A hinge between two links. Its angle is that of the child relative to the parent, clockwise."""

    name: str
    parent: int
    """Index of the parent link."""
    child: int
    """Index of the child link."""
    x: float
    """Forward position of the hinge in the reference pose, m."""
    y: float
    """Height of the hinge in the reference pose, m."""
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

    @property
    def flexion_sign(self) -> int:
        """Return the sign (1 or -1) that the angle of the joint has in flexion: that of the larger angle limit."""
        return 1 if self.lower + self.upper >= 0 else -1


@dataclass(frozen=True, slots=True)
class Roles:
    """Roles of the links: the indices of the links with each role.

    A foot, for example, is found by its role and not by its name.
    """

    trunk: int | None = None
    """Link whose angle shows how upright the character is. If None, `Character.trunk` is the root."""
    head: int | None = None
    axial: tuple[int, ...] = ()
    """Links of head, neck and trunk, on which a lying character rests."""
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


PLANAR = "planar"
"""Value of `Character.morphology` for characters that move in a vertical plane."""


@dataclass(frozen=True)
class Character:
    """An articulated character. Its joints connect its links to a tree with the link `root` as its root.

    >>> from ctrlgraph import Project
    >>> character = Project.find().character
    >>> [character.links[foot].name for foot in character.roles.feet]
    ['rFoot', 'lFoot']
    """

    name: str
    links: tuple[Link, ...]
    joints: tuple[Joint, ...]
    link_aliases: dict[str, str]
    """Names of links by alias (alternative name)."""
    joint_aliases: dict[str, str]
    """Names of joints by alias."""
    morphology: str = PLANAR
    """Kind of space in which the character moves. Each controller kind lists the morphologies that it can control."""
    digest: str = ""
    """Hash by which logged results refer to the character."""
    roles: Roles = Roles()
    """Roles of the links, and pairs of right and left links and joints."""

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
        """Return the indices of the joints from the root outward: each joint follows those between it and the root."""
        order: list[int] = []
        reached = [self.root]
        for link in reached:
            found = [j for j, joint in enumerate(self.joints) if joint.parent == link]
            order += found
            reached += [self.joints[j].child for j in found]
        return tuple(order)

    @property
    def trunk(self) -> int:
        """Return the index of the link whose angle shows how upright the character is: the trunk, else the root."""
        return self.root if self.roles.trunk is None else self.roles.trunk

    @cached_property
    def shoulders(self) -> tuple[int, ...]:
        """Return the indices of the joints between the trunk and the arms (the limbs with a hand)."""
        side, trunk = self.side, self.trunk
        return tuple(
            j
            for j, joint in enumerate(self.joints)
            if trunk in (joint.parent, joint.child)
            and any(side[j, hand] != side[j, trunk] for hand in self.roles.hands)
        )

    @cached_property
    def elbows(self) -> tuple[int, ...]:
        """Return the indices of the joints whose parents are the upper arms, the children of the shoulders."""
        arms = {self.joints[j].child for j in self.shoulders}
        return tuple(j for j, joint in enumerate(self.joints) if joint.parent in arms)

    @cached_property
    def knees(self) -> tuple[int, ...]:
        """Return the indices of the joints whose children are the shins."""
        return self.joints_above(self.roles.shins)

    @cached_property
    def hips(self) -> tuple[int, ...]:
        """Return the indices of the joints whose children are the thighs, the parents of the knees."""
        return self.joints_above([self.joints[knee].parent for knee in self.knees])

    def joints_above(self, links: Collection[int]) -> tuple[int, ...]:
        """Return the indices of the joints whose children are these links (given by their indices)."""
        return tuple(j for j, joint in enumerate(self.joints) if joint.child in links)

    def joints_between(self, link: int, other: int) -> tuple[int, ...]:
        """Return the indices of the joints on the path between two links (given by their indices)."""
        return tuple(j for j in range(len(self.joints)) if self.side[j, link] != self.side[j, other])

    @cached_property
    def mirrored(self) -> dict[str, str]:
        """Return a mapping from each name and alias of a paired link or joint to a name of its counterpart.

        The counterpart is the link or joint on the other side. If both have the same number of aliases, the aliases
        correspond in their order. Otherwise an alias is mapped to the name of the counterpart.
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
        """Return for each link the index of its counterpart on the other side; the link's own index without one."""
        return _opposites(len(self.links), self.roles.link_pairs)

    @cached_property
    def opposite_joints(self) -> tuple[int, ...]:
        """Return for each joint the index of its counterpart on the other side; the joint's own index without one."""
        return _opposites(len(self.joints), self.roles.joint_pairs)

    @cached_property
    def both_links(self) -> dict[str, tuple[str, str]]:
        """Return the names of right and left link of pairs, by a name for both: `bFoot` for `rFoot` and `lFoot`."""
        return self._both(self._link_index, self.roles.link_pairs)

    @cached_property
    def both_joints(self) -> dict[str, tuple[str, str]]:
        """Return the names of right and left joint of pairs, by a name for both: `bKnee` for `rKnee` and `lKnee`."""
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
        """Return on which side of each joint each link is, (J, L).

        A joint divides the tree of links into two parts. Entry (j, i) is +1 if link i is in the part with the child of
        joint j, and -1 if it is in the part with the parent.
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
        """Return which joints lie on the path between a base joint and a link, with signs, (J, L, J).

        Entry (b, p, j) concerns the path to link p from the far link of joint b, which is the link of joint b on the
        other side of the joint than p. The entry is 0 if joint j is not on the path. Otherwise it is +1 if p is on the
        child side of joint j, and -1 if p is on the parent side.
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
    """Return a name for both sides, such as "bFoot"; None if the names differ in more than the word for the side."""
    for word, (other, both) in _BOTH.items():
        for at in range(len(right)):
            before, after = right[:at], right[at + len(word) :]
            if right.startswith(word, at) and left == before + other + after:
                return before + both + after
    return None
