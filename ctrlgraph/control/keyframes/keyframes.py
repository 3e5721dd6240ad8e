"""Key frame controllers: joint angles over time, tracked by PD control without balance feedback."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import ClassVar

import numpy as np

from ctrlgraph.control.controller import Place
from ctrlgraph.control.controller_file import checked_constants
from ctrlgraph.control.parameters import Parameter
from ctrlgraph.kernels.arrays import Floats, Ints


@dataclass(frozen=True)
class Keyframes:
    """A controller that plays F key frames of K joints.

    A key frame gives the target angles of the joints at one time; PD control tracks them. A *pass* plays all frames
    once.

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
    """Name of the controller: the name of the key frame file without suffix."""
    path: str
    """Path of the key frame file."""
    joints: tuple[str, ...]
    """(K,) names of the joints that the frames drive."""
    columns: Ints
    """(K,) indices in the character of the joints `joints`."""
    times: Floats
    """(F,) times of the frames, s, rising from 0."""
    duration: float
    """Duration of a pass, s: at least the time of the last frame."""
    loop: bool
    """Whether each pass ends with the angles of the first frame."""
    smooth: bool
    """Whether angles between frames are interpolated by cubic splines instead of linearly."""
    blend: float
    """Time at the start during which the measured angles are blended into the angles of the frames, s."""
    lines: tuple[int, ...]
    """(F,) line numbers of the frames in the file, from 1."""
    constants: Floats
    """(F K + 2 K,) angles frame by frame, rad, then kp of each joint, N m/rad, then kd of each joint, N m s/rad."""

    def with_constants(self, constants: Floats) -> Keyframes:
        """Return the same controller with other angles and gains (F K + 2 K,), in the order of the field `constants`.

        Raises:
            ValueError: the number of values is not that of the field.
        """
        return replace(self, constants=checked_constants(self, constants))

    @property
    def angles(self) -> Floats:
        """Return the target angles of the K joints in the F frames, (F, K), rad."""
        return self.constants[: self._n_angles].reshape(len(self.times), len(self.joints))

    @property
    def gains(self) -> Floats:
        """Return the PD gains of the K joints, (K, 2): kp, N m/rad, and kd, N m s/rad."""
        return self.constants[self._n_angles :].reshape(2, len(self.joints)).T

    @cached_property  # a search needs them for every candidate
    def parameters(self) -> tuple[Parameter, ...]:
        """Return descriptions of the `constants`, with ids such as `wave.yaml/frame 2/rElbow`, in the same order."""
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
        """Return the position in the file of a frame: that at which the segment with the index `segment` begins."""
        frame = min(segment, len(self.lines) - 1)
        return Place(self.path, self.name, self.lines[frame], 1)

    def segments(self) -> tuple[Floats, Floats]:
        """Return the target angles as cubic polynomials of time, one for each joint between two successive frames.

        Returns:
            For S segments between frames and K joints: the start times of the segments and the end of the last one
            (S + 1,), s, and the coefficients (S, K, 4), highest power first. They give an angle, rad, as a function of
            the time since the start of the segment, s.
        """
        times, angles = self.times, self.angles
        if self.duration > times[-1]:  # return to the first frame, or hold the last one
            times = np.append(times, self.duration)
            angles = np.vstack([angles, angles[0] if self.loop else angles[-1]])
        elif self.loop:  # both differ by at most SAME_ANGLE; a periodic spline needs exact equality
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
    """Return the controller that plays the given frames.

    Args:
        name: name of the controller.
        joints: (K,) names of the joints that the frames drive.
        columns: (K,) indices in the character of the joints `joints`.
        times: (F,) times of the frames, s, rising from 0.
        angles: (F, K) target angles of the joints in the frames, rad.
        gains: (K, 2) PD gains of the joints: kp, N m/rad, and kd, N m s/rad.
        path: path of the file, for messages.
        duration: duration of a pass through all frames, s. None means the time of the last frame.
        loop: whether each pass ends with the angles of the first frame.
        smooth: whether angles between frames are interpolated by cubic splines instead of linearly.
        blend: time at the start for which the measured angles are blended into those of the frames, s.
        lines: (F,) line numbers of the frames in the file, from 1. None means line 1 for all frames.
    """
    constants = np.concatenate([angles.ravel(), gains.T.ravel()])
    end = float(times[-1]) if duration is None else duration
    known = lines or (1,) * len(times)
    return Keyframes(name, path, joints, columns, times, end, loop, smooth, blend, known, constants)
