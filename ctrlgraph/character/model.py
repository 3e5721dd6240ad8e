"""The character as frozen data: links, joints and contact shapes in the reference pose.

Frame: x forward, y up; the reference pose stands upright with the soles at y = 0 and every
joint angle zero. Angles are positive clockwise (a thigh raised forward has a negative hip angle).
SI units, radians.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

_BOTH = {"r": ("l", "b"), "R": ("L", "B"), "right": ("left", "both"), "Right": ("Left", "Both")}
"""For a name's word of the right side: that of the left one, and that of both."""


@dataclass(frozen=True, slots=True)
class ContactPoint:
    """A circle fixed to a link that can touch the terrain; x, y from the link's centre of mass."""

    x: float
    y: float
    radius: float


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
    """The least and the greatest torque of a joint, N m, of the sign of its angles: lower < 0 < upper.

    >>> TorqueRange(-240.0, 115.0).scaled(0.5)
    TorqueRange(lower=-120.0, upper=57.5)
    """

    lower: float
    upper: float

    @classmethod
    def symmetric(cls, limit: float) -> TorqueRange:
        """Return the range of the same limit in both directions."""
        return cls(-limit, limit)

    def scaled(self, factor: float) -> TorqueRange:
        """Return the range with both limits multiplied."""
        return TorqueRange(self.lower * factor, self.upper * factor)


@dataclass(frozen=True, slots=True)
class Joint:
    """A hinge about z between two links, given by their indices.

    `torque_limit` holds unless a script sets TORQUELIMIT; `hard_torque_limit` always holds. Each has a limit for
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


@dataclass(frozen=True, slots=True)
class Roles:
    """What the links are, by their indices: whoever looks for a foot asks here, not for a name.

    trunk: the link whose angle says how upright the character is (`Character.trunk` has the root where None);
    axial: the links of head, neck and trunk, on which a character lies; link_pairs and joint_pairs: right and left.
    """

    trunk: int | None = None
    head: int | None = None
    axial: tuple[int, ...] = ()
    feet: tuple[int, ...] = ()
    hands: tuple[int, ...] = ()
    shins: tuple[int, ...] = ()
    link_pairs: tuple[tuple[int, int], ...] = ()
    joint_pairs: tuple[tuple[int, int], ...] = ()

    def of(self, role: str) -> tuple[int, ...]:
        """Return the links that have a role, by its name ("head", "feet"); none where the character lacks it."""
        found: int | tuple[int, ...] | None = getattr(self, role)
        return found if isinstance(found, tuple) else () if found is None else (found,)


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
    planar: bool = True
    digest: str = ""
    roles: Roles = Roles()

    @cached_property
    def link_names(self) -> tuple[str, ...]:
        return tuple(link.name for link in self.links)

    @cached_property
    def joint_names(self) -> tuple[str, ...]:
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
        """Index of the link with this name or alias; None where there is none."""
        return self._link_index.get(name)

    def joint_index(self, name: str) -> int | None:
        """Index of the joint with this name or alias; None where there is none."""
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
        """Index of the link that is no joint's child."""
        children = {joint.child for joint in self.joints}
        return next(i for i in range(len(self.links)) if i not in children)

    @cached_property
    def joints_outward(self) -> tuple[int, ...]:
        """The joints so that each comes after the one that its parent hangs by."""
        order: list[int] = []
        reached = [self.root]
        for link in reached:
            found = [j for j, joint in enumerate(self.joints) if joint.parent == link]
            order += found
            reached += [self.joints[j].child for j in found]
        return tuple(order)

    @property
    def trunk(self) -> int:
        """Index of the link whose angle says how upright the character is: its role's, else the root."""
        return self.root if self.roles.trunk is None else self.roles.trunk

    @cached_property
    def mirrored(self) -> dict[str, str]:
        """For every name and alias of a paired link or joint, that of its counterpart on the other side."""
        names: dict[str, str] = {}
        links = (self.link_names, self.link_aliases, self.roles.link_pairs)
        joints = (self.joint_names, self.joint_aliases, self.roles.joint_pairs)
        for known, aliases, pairs in (links, joints):
            for pair in pairs:
                right, left = ([known[i], *(a for a, name in aliases.items() if name == known[i])] for i in pair)
                for these, others in ((right, left), (left, right)):
                    # the n-th other name stands for the n-th of the other side, where there are as many
                    names |= zip(these, others if len(these) == len(others) else [others[0]] * len(these), strict=True)
        return names

    @cached_property
    def opposite_links(self) -> tuple[int, ...]:
        """For each link, the index of its counterpart on the other side; its own where it has none."""
        return _opposites(len(self.links), self.roles.link_pairs)

    @cached_property
    def opposite_joints(self) -> tuple[int, ...]:
        """For each joint, the index of its counterpart on the other side; its own where it has none."""
        return _opposites(len(self.joints), self.roles.joint_pairs)

    @cached_property
    def both_links(self) -> dict[str, tuple[str, str]]:
        """Names that stand for a right link and its left counterpart, as `bFoot` for `rFoot` and `lFoot`."""
        return self._both(self._link_index, self.roles.link_pairs)

    @cached_property
    def both_joints(self) -> dict[str, tuple[str, str]]:
        """Names that stand for a right joint and its left counterpart, as `bKnee` for `rKnee` and `lKnee`."""
        return self._both(self._joint_index, self.roles.joint_pairs)

    def _both(self, index: dict[str, int], pairs: tuple[tuple[int, int], ...]) -> dict[str, tuple[str, str]]:
        found: dict[str, tuple[str, str]] = {}
        for right, i in index.items():
            left = self.mirrored.get(right)
            if left is None or left not in index or (i, index[left]) not in pairs:
                continue
            name = _both_sides(right, left)
            # a link or a joint that is really called so is meant
            if name is not None and name not in self._link_index and name not in self._joint_index:
                found.setdefault(name, (right, left))
        return found

    @cached_property
    def mass(self) -> float:
        return sum(link.mass for link in self.links)

    @cached_property
    def side(self) -> NDArray[np.int8]:
        """(joints, links): +1 where the link is on the joint's child side, else -1."""
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
        """(base joints, links, joints): the joints between base joint and link, signed.

        Entry (b, p, j) is 0 where joint j is not on the path from the far link of base joint b
        to link p; else +1 where p is on j's child side and -1 where it is on j's parent side.
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
    """The name for a right one and a left one that differ in nothing but the word for the side."""
    for word, (other, both) in _BOTH.items():
        for at in range(len(right)):
            before, after = right[:at], right[at + len(word) :]
            if right.startswith(word, at) and left == before + other + after:
                return before + both + after
    return None
