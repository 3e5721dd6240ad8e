"""Key frames: joint angles over time, tracked by PD control without feedback of balance."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from ctrlgraph.control.controller import Place
from ctrlgraph.control.controller_file import checked_constants
from ctrlgraph.control.parameters import Parameter
from ctrlgraph.kernels.planar.arrays import Floats, Ints

FloatArray = NDArray[np.float64]


@dataclass(frozen=True)
class Keyframes:
    """Key frames ready to run: F frames of K joints.

    >>> from pathlib import Path
    >>> from ctrlgraph import Project, Simulation
    >>> frames = ["joints: [rElbow]", "loop: true", "duration: 1", "frames: [[0, -0.4], [0.5, -1.2]]"]
    >>> _ = Path("wave.yaml").write_text(chr(10).join(frames))
    >>> project = Project.find()
    >>> wave = project.read_controller("keyframes", Path("wave.yaml"))
    >>> with Simulation(project.character) as simulation:
    ...     outcome = simulation.run(wave, cycles=2)
    >>> round(outcome.simulated_s, 3)
    2.0
    """

    kind: ClassVar[str] = "keyframes"

    name: str
    """Name."""
    path: str
    """File."""
    joints: tuple[str, ...]
    """(K,) names of the joints."""
    columns: Ints
    """(K,) their indices in the character."""
    times: FloatArray
    """(F,) s, rising from 0."""
    duration: float
    """Duration of one pass, s, at least the last time."""
    loop: bool
    """Whether the last frame leads back to the first."""
    smooth: bool
    """Whether cubic splines join the frames instead of straight lines."""
    blend: float
    """Time of the blend from the present angles to the motion, s."""
    lines: tuple[int, ...]
    """(F,) lines of the frames in the file, from 1."""
    constants: FloatArray
    """Angles frame by frame (F K, rad), then kp (K, N m/rad) and kd (K, N m s/rad)."""

    def with_constants(self, constants: FloatArray) -> Keyframes:
        """Return the same motion with other angles and gains.

        Raises:
            ValueError: the vector has another length.
        """
        return replace(self, constants=checked_constants(self, constants))

    @property
    def angles(self) -> FloatArray:
        """Return the angles (F, K) in rad."""
        return self.constants[: self._n_angles].reshape(len(self.times), len(self.joints))

    @property
    def gains(self) -> FloatArray:
        """Return kp in N m/rad and kd in N m s/rad, (K, 2)."""
        return self.constants[self._n_angles :].reshape(2, len(self.joints)).T

    @cached_property  # a search needs them for every candidate
    def parameters(self) -> tuple[Parameter, ...]:
        """Return the parameters, as `wave.yaml/frame 2/rElbow` and `wave.yaml/gains/rElbow/kp`."""
        file, found = Path(self.path or self.name).name, []
        for frame, (line, time) in enumerate(zip(self.lines, self.times.tolist(), strict=True)):
            for joint in self.joints:
                name, role = f"{file}/frame {frame}/{joint}", f"{joint} angle at {time:g} s"
                found.append(Parameter(name, role, "angle", frame, path=self.path, line=line))
        for quantity in ("kp", "kd"):
            for joint in self.joints:
                name, role = f"{file}/gains/{joint}/{quantity}", f"{joint} {quantity}"
                found.append(Parameter(name, role, quantity, path=self.path, line=1))
        return tuple(found)

    @cached_property
    def digest(self) -> str:
        """Return the hash of everything that affects the motion, and of the name, which the parameters' ids contain."""
        shape = [self.name, self.times.tolist(), self.duration, self.loop, self.smooth, self.blend]
        of_joints = zip(self.joints, self.angles.T.tolist(), self.gains.tolist(), strict=True)
        text = json.dumps([*shape, sorted(of_joints)])
        return hashlib.sha256(text.encode()).hexdigest()[:16]

    def place(self, segment: int) -> Place:
        """Return the place of the frame at which a segment begins."""
        frame = min(segment, len(self.lines) - 1)
        return Place(self.path, self.name, self.lines[frame], 1)

    def segments(self) -> tuple[FloatArray, FloatArray]:
        """Return the S segments between the frames.

        Returns:
            Their start times and the end of the last one (S + 1,), s, and polynomials (S, K, 4) of the time since the
            start, highest power first, rad.
        """
        times, angles = self.times, self.angles
        if self.duration > times[-1]:  # return to the first frame, or rest in the last one
            times = np.append(times, self.duration)
            angles = np.vstack([angles, angles[0] if self.loop else angles[-1]])
        elif self.loop:  # equal within SAME_ANGLE; a periodic spline needs equal bits
            angles = np.vstack([angles[:-1], angles[0]])
        if self.smooth and len(times) > 2:
            from scipy.interpolate import CubicSpline  # slow to import, and rarely needed

            spline = CubicSpline(times, angles, bc_type="periodic" if self.loop else "clamped")
            return times, np.ascontiguousarray(np.moveaxis(spline.c, 0, -1))
        polynomials = np.zeros((len(times) - 1, len(self.joints), 4))
        polynomials[:, :, 2] = np.diff(angles, axis=0) / np.diff(times)[:, None]
        polynomials[:, :, 3] = angles[:-1]
        return times, polynomials

    @property
    def _n_angles(self) -> int:
        return len(self.times) * len(self.joints)


def new_keyframes(
    name: str,
    joints: tuple[str, ...],
    columns: Ints,
    times: Floats,
    angles: Floats,
    gains: Floats,
    *,
    path: str = "",
    duration: float | None = None,
    loop: bool = False,
    smooth: bool = False,
    blend: float = 0.0,
    lines: tuple[int, ...] | None = None,
) -> Keyframes:
    """Return the controller of some frames.

    Args:
        name: its name.
        joints: (K,) names of the joints.
        columns: (K,) their indices in the character.
        times: (F,) s, rising from 0.
        angles: (F, K) rad.
        gains: (K, 2) kp, N m/rad, and kd, N m s/rad.
        path: its file.
        duration: of one pass, s; None: the last time.
        loop: whether the last frame leads back to the first.
        smooth: whether splines join the frames instead of straight lines.
        blend: time of the blend from the present angles to the motion, s.
        lines: (F,) lines of the frames in the file, from 1.
    """
    constants = np.concatenate([angles.ravel(), gains.T.ravel()])
    end = float(times[-1]) if duration is None else duration
    known = lines or (1,) * len(times)
    return Keyframes(name, path, joints, columns, times, end, loop, smooth, blend, known, constants)
