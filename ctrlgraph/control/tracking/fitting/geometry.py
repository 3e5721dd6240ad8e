"""Poses and impacts of a biped whose tracked quantities ("rows", such as joint angles) are given functions of theta.

In these poses the coordinates q are a function of theta, and q' is dq/dtheta theta' (Abe and Popovic 2011, eq. 6). The
impact map L maps dq/dtheta to L dq/dtheta (eq. 7). This determines the tracked quantities and their derivatives at the
start of the next step, so the splines of the next step can be made consistent (eq. 8).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ctrlgraph.character.planar_model import PlanarCharacter
from ctrlgraph.control.tracking.arrays import FLAT, Row, tracking_data
from ctrlgraph.control.tracking.constraints import contact_place, contact_rows
from ctrlgraph.control.tracking.phase import phase_of_motion, phase_row, place_of
from ctrlgraph.control.tracking.schema import TrackingEntry
from ctrlgraph.control.tracking.tracking import new_tracking
from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.kernels.arrays import Floats
from ctrlgraph.kernels.planar.dynamics import ROOT_COORDINATES, impact, link_angle_jacobian, mass_matrix, place

_NEWTON_STEPS = 40
_CLOSE = 1e-11
_LONGEST = 0.3  # rad or m, largest change of a coordinate in one Newton step


class RowStart(NamedTuple):
    """Theta and R tracked angles at the start of a step, just after the impact of the landing foot."""

    theta: float
    """Theta (the phase variable), computed for the new standing leg, rad."""
    rows: Floats
    """(R,) tracked angles, rad."""
    slopes: Floats
    """(R,) derivatives of the tracked angles with respect to theta."""
    ratio: float
    """Theta's rate just after the impact divided by theta's rate just before it."""


class Geometry:
    """Model of a biped in a pose that can be set, for the contact and tracked angles of a tracking file with one stage.

    Use an object in one thread only, because the methods share the model. Side 0 is the motion of the file, side 1 is
    the same motion with right and left exchanged. N is the number of coordinates: x, y and angle of the root link, then
    joint angles.

    Args:
        entry: contents of the tracking file.
        character: the biped.

    Raises:
        SimulationError: a number of the tracking file is outside the range of its field.
    """

    def __init__(self, entry: TrackingEntry, character: PlanarCharacter) -> None:
        self.entry, self.character = entry, character
        self.data = tracking_data(new_tracking("fit", entry, character))
        self._opposite = np.array([*range(ROOT_COORDINATES), *(3 + j for j in character.opposite_joints)])

    def mirrored(self, q: Floats) -> Floats:
        """Return coordinates q (..., N) with right and left exchanged."""
        return np.asarray(q[..., self._opposite])

    def place(self, q: Floats, v: Floats | None = None) -> None:
        """Set the coordinates q (N,), m and rad, and their rates v (N,) in the model. None means at rest."""
        model = self.data.model
        model.q[:], model.v[:] = q, 0.0 if v is None else v
        place(model.body, model.tree, model.q, model.v, model.kin)

    def theta(self, side: int = 0) -> float:
        """Return theta in the model's pose, rad; for side 1, theta of the other leg."""
        return float(phase_of_motion(self.data, self.data.model.kin, side)[0])

    def ankle(self) -> float:
        """Return the world x of the standing ankle, or of the end of a leg without ankle, in the model's pose, m."""
        data = self.data
        return float(place_of(data.model.kin, data.phase_link[0, 0], *data.phase_point[0, 0])[0])

    def rows(self, side: int = 0) -> Floats:
        """Return the R tracked angles in the model's pose, (R,), rad; for side 1, with right and left exchanged."""
        model, found = self.data.model, []
        for r in range(self.data.counts[0, 0]):
            kind, index = self.data.row_kind[0, r], self.data.row_index[side, 0, r]
            angle = model.q[3 + index] if kind == Row.JOINT else model.kin.link[index, 2]
            found.append(float(np.angle(np.exp(1j * angle))) if kind == Row.LINK else float(angle))
        return np.array(found)

    def _row_rates(self, side: int) -> Floats:
        """Return the Jacobian (R, N) of the tracked angles; for side 1, with right and left exchanged."""
        model, n_rows = self.data.model, self.data.counts[0, 0]
        rows = np.zeros((n_rows, model.q.size))
        for r in range(n_rows):
            kind, index = self.data.row_kind[0, r], self.data.row_index[side, 0, r]
            if kind == Row.JOINT:
                rows[r, 3 + index] = 1.0
            else:
                link_angle_jacobian(model.body, model.tree, model.kin, index, model.space, rows[r])
        return rows

    def _theta_row(self, side: int) -> Floats:
        """Return the Jacobian (N,) of theta; for side 1, with right and left exchanged."""
        row = np.zeros(self.data.model.q.size)
        phase_row(self.data, side, row)
        return row

    def sole_height(self, foot: str) -> float:
        """Return the height of the lowest point of a foot (name of a link) above y = 0 in the model's pose, m."""
        link = self.character.link_names.index(foot)
        _, y, angle = self.data.model.kin.link[link, :3]
        circles = self.character.links[link].contacts
        return float(min(y + c.y * np.cos(angle) - c.x * np.sin(angle) - c.radius for c in circles))

    def foot_distance(self, feet: tuple[str, str]) -> float:
        """Return the distance along x from the first to the second foot (names of links) in the model's pose, m."""
        first, second = (self.data.model.kin.link[self.character.link_names.index(name), 0] for name in feet)
        return float(second) - float(first)

    def pose(self, theta: float, rows: Floats, guess: Floats) -> Floats:
        """Find the pose with a given theta and given tracked angles by Newton's method, and set the model to it.

        The contact point of the standing foot is at x = 0, on level ground at y = 0.

        Args:
            theta: theta of the pose, rad.
            rows: (R,) tracked angles (of joints and links) of the pose, rad.
            guess: (N,) coordinates with which Newton's method starts, m and rad.

        Returns:
            (N,) coordinates of the pose, m and rad.

        Raises:
            CtrlGraphError: Newton's method does not converge.
        """
        data, model = self.data, self.data.model
        link, kind = data.contact_link[0, 0, 0], data.contact_kind[0, 0]
        q = guess.copy()
        for _ in range(_NEWTON_STEPS):
            self.place(q)
            jacobian = self._jacobian()
            off = [*contact_place(data, model.kin, link, kind)]
            if kind == FLAT:
                off.append(float(model.kin.link[link, 2]))
            missing = np.array([*off, *(self.rows() - rows), self.theta() - theta])
            try:
                change = np.linalg.solve(jacobian, missing)
            except np.linalg.LinAlgError:
                break
            largest = float(np.abs(change).max())
            if not np.isfinite(largest):
                break
            q -= change * min(1.0, _LONGEST / largest) if largest > 0.0 else 0.0
            if np.abs(missing).max() < _CLOSE:
                self.place(q)
                return q
        raise CtrlGraphError(
            "no pose with the standing foot on the ground has the step's final angles and theta: check the recording"
        )

    def _jacobian(self) -> Floats:
        """Return the Jacobian (N, N) of standing foot, tracked angles and theta in the model's pose."""
        contacts = self.data.model.contact[: contact_rows(self.data, 0, 0)].copy()
        return np.vstack([contacts, self._row_rates(0), self._theta_row(0)])

    def direction(self, slopes: Floats) -> Floats:
        """Return the derivatives (N,) of the coordinates with respect to theta in the model's pose.

        Args:
            slopes: (R,) derivatives of the tracked angles with respect to theta.
        """
        jacobian = self._jacobian()
        still = np.zeros(jacobian.shape[0] - slopes.size - 1)
        return np.asarray(np.linalg.solve(jacobian, np.concatenate([still, slopes, [1.0]])))

    def next_start(self, direction: Floats) -> RowStart:
        """Return theta and tracked angles at the start of the next step, after the swinging foot lands in this pose.

        Args:
            direction: (N,) derivatives of the coordinates with respect to theta just before the impact.

        Raises:
            CtrlGraphError: the equations of the impact are singular in this pose, or theta would decrease after it.
        """
        data, model = self.data, self.data.model
        mass_matrix(model.body, model.tree, model.kin, model.space, model.mass)
        count = contact_rows(data, 0, 1)
        if not impact(model.mass, model.contact[:count], direction, model.space, model.right, model.impulse):
            raise CtrlGraphError("the impact equations of the foot's landing are singular: check the recording")
        after = model.right.copy()
        rate = float(self._theta_row(1) @ after)
        if rate <= 0.0:
            raise CtrlGraphError("theta would decrease after the landing of the swinging foot: check the recording")
        return RowStart(self.theta(1), self.rows(1), self._row_rates(1) @ after / rate, rate)
