"""Key frames: joint angles over time, which PD control follows by the clock and by nothing else.

The simplest kind of controller beside scripts: it tracks a motion that was recorded or drawn, once or in a loop. It
has no feedback of balance; what it shows is how far a motion goes without any.
"""

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
from ctrlgraph.control.parameters import Parameter
from ctrlgraph.kernels.arrays import Floats, Ints

FloatArray = NDArray[np.float64]


@dataclass(frozen=True)
class Keyframes:
    """Key frames ready to run: F frames of K of the character's joints.

    joints (K,): their names; columns (K,): their indices; times (F,): s, from 0 on, rising; duration: of one pass, s,
    at least the last time; loop: whether the last frame leads back to the first; smooth: cubic splines instead of
    straight lines; blend: s in which the motion is entered from the angles that the joints have; lines (F,): of the
    frames in the file, from 1. `constants` are the angles, frame by frame (F K, rad), then kp (K, N m/rad) and kd
    (K, N m s/rad).

    >>> from pathlib import Path
    >>> from ctrlgraph import Project, Simulation
    >>> text = "joints: [rElbow]\\nloop: true\\nduration: 1\\nframes:\\n  - [0, -0.4]\\n  - [0.5, -1.2]\\n"
    >>> _ = Path("wave.yaml").write_text(text)
    >>> project = Project.find()
    >>> wave = project.read_controller("keyframes", Path("wave.yaml"))
    >>> with Simulation(project.character) as simulation:
    ...     outcome = simulation.run(wave, cycles=2)
    >>> round(outcome.simulated_s, 3)
    2.0
    """

    kind: ClassVar[str] = "keyframes"

    name: str
    path: str
    joints: tuple[str, ...]
    columns: Ints
    times: FloatArray
    duration: float
    loop: bool
    smooth: bool
    blend: float
    lines: tuple[int, ...]
    constants: FloatArray

    def with_constants(self, constants: FloatArray) -> Keyframes:
        """Return the same motion with other angles and gains.

        Raises:
            ValueError: the vector has another length.
        """
        if constants.shape != self.constants.shape:
            raise ValueError(f"{self.name} has {self.constants.size} constants, not {constants.size}")
        return replace(self, constants=np.array(constants, dtype=np.float64))

    @property
    def angles(self) -> FloatArray:
        """Return the angles (F, K) in rad."""
        return self.constants[: self._n_angles].reshape(len(self.times), len(self.joints))

    @property
    def gains(self) -> FloatArray:
        """Return kp in N m/rad and kd in N m s/rad, (K, 2)."""
        return self.constants[self._n_angles :].reshape(2, len(self.joints)).T

    @cached_property  # a search asks for them with every candidate
    def parameters(self) -> tuple[Parameter, ...]:
        """Return what the constants are: `wave.yaml/frame 2/rElbow`, `wave.yaml/gains/rElbow/kp`."""
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
        """Return the hash of everything that decides the motion, and of the name, which the parameters' ids have."""
        shape = [self.name, self.times.tolist(), self.duration, self.loop, self.smooth, self.blend]
        of_joints = zip(self.joints, self.angles.T.tolist(), self.gains.tolist(), strict=True)
        text = json.dumps([*shape, sorted(of_joints)])
        return hashlib.sha256(text.encode()).hexdigest()[:16]

    def place(self, segment: int) -> Place:
        """Return where the frame stands from which a segment leads."""
        frame = min(segment, len(self.lines) - 1)
        return Place(self.path, self.name, self.lines[frame], 1)

    def segments(self) -> tuple[FloatArray, FloatArray]:
        """Return where S segments begin, with the end of the last (S + 1,), and polynomials (S, K, 4) from there on,
        highest power first."""
        times, angles = self.times, self.angles
        if self.duration > times[-1]:  # the way back to the first frame, or a rest in the last
            times = np.append(times, self.duration)
            angles = np.vstack([angles, angles[0] if self.loop else angles[-1]])
        elif self.loop:  # to the reader they are equal; a spline wants it to the bit
            angles = np.vstack([angles[:-1], angles[0]])
        if self.smooth and len(times) > 2:
            from scipy.interpolate import CubicSpline  # half a second, which few key frames need

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
    """Return the controller of angles (F, K) in rad at times (F,) in s, with gains (K, 2)."""
    constants = np.concatenate([angles.ravel(), gains.T.ravel()])
    end = float(times[-1]) if duration is None else duration
    known = lines or (1,) * len(times)
    return Keyframes(name, path, joints, columns, times, end, loop, smooth, blend, known, constants)
