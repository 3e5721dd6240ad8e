"""The frequency response of a joint: gain and lag of its angle for a sinusoidal target.

The body floats without gravity and contact, so the two parts of the body on either side of the joint turn against each
other. The character's gains hold all other joints in the reference pose. The joint follows the PD law kp (target - q) +
kd (target' - q'), equation 1 of Thachuk, Two Dimensional Biped Locomotion Using Physics-Based Animation (2018), as key
frames do.
"""

from __future__ import annotations

import cmath
import csv
import io
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ctrlgraph.character.model import Character
from ctrlgraph.control.keyframes.keyframes import Keyframes, new_keyframes
from ctrlgraph.engine.engine import DEFAULT_ENGINE
from ctrlgraph.engine.world_settings import WorldSettings
from ctrlgraph.errors import CtrlGraphError, quoted, suggestion
from ctrlgraph.files import write_text
from ctrlgraph.simulation.environment import Environment
from ctrlgraph.simulation.planar_trace import Trace
from ctrlgraph.simulation.simulation import Simulation

FRAMES_A_CYCLE = 64
"""Key frames of a sine with a spline through them, whose error is 2e-8 of the amplitude."""

LEAST_FREQUENCY = 0.01
"""Minimum frequency, Hz, since lower ones take an hour to simulate."""

SETTLING_S = 3.0
MAX_NUMBERS = 1000
MEASURED_CYCLES = 4
_HEIGHT = 50.0  # m; out of reach of the ground

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class ResponsePoint:
    """The response at one frequency with one pair of gains."""

    kp: float
    """Proportional gain, N m/rad."""
    kd: float
    """Derivative gain, N m s/rad."""
    frequency: float
    """Frequency, Hz."""
    gain: float
    """Amplitude of the angle relative to that of the target."""
    lag: float
    """Phase lag, degrees."""
    distortion: float
    """Root mean square of the residual relative to the amplitude."""
    saturation: float
    """Fraction of the time at the joint's torque limit."""
    expected_gain: float
    """Gain of two rigid bodies on a hinge, by linear theory."""
    expected_lag: float
    """Lag of two rigid bodies on a hinge, degrees."""

    def as_dict(self) -> dict[str, float]:
        """Return the fields as JSON."""
        return asdict(self)


def reduced_inertia(character: Character, joint: str) -> float:
    """Return the inertia, kg m^2, that a joint turns in a floating body whose other joints are rigid, in the reference
    pose.

    Two bodies of masses m and M, with centres d and D from the hinge, turn about their common centre of mass: the
    kinetic energy is (I w^2 + J W^2 + mu |w d - W D|^2) / 2 with mu = m M / (m + M), and a torque on the hinge works on
    W - w alone.

    Args:
        character: Character with the joint.
        joint: Name of the joint.

    Raises:
        CtrlGraphError: The joint does not exist.
    """
    hinge = character.joints[joint_index(character, joint)]
    far = _beyond(character, hinge.child)
    near = [i for i in range(len(character.links)) if i not in far]
    (m, inertia, d), (other_m, other_inertia, other_d) = (
        _composite(character, part, np.array([hinge.x, hinge.y])) for part in (near, sorted(far))
    )
    mu = m * other_m / (m + other_m)
    mass = np.array(
        [[inertia + mu * d @ d, -mu * d @ other_d], [-mu * d @ other_d, other_inertia + mu * other_d @ other_d]]
    )
    across = np.array([-1.0, 1.0])
    return float(1.0 / (across @ np.linalg.solve(mass, across)))


def expected_response(inertia: float, kp: float, kd: float, frequency: float) -> tuple[float, float]:
    """Return gain and lag (degrees) of I q'' = kp (u - q) + kd (u' - q').

    Args:
        inertia: Inertia I, kg m^2.
        kp: Proportional gain, N m/rad.
        kd: Derivative gain, N m s/rad.
        frequency: Frequency, Hz.
    """
    w = 2.0 * math.pi * frequency
    drive = complex(kp, kd * w)
    ratio = drive / (drive - inertia * w * w)
    return abs(ratio), -math.degrees(cmath.phase(ratio))


def frequency_response(
    character: Character,
    joint: str,
    *,
    frequencies: Sequence[float],
    gains: Iterable[tuple[float, float]],
    amplitude: float = 0.4,
    engine: str = DEFAULT_ENGINE,
    dt: float = 0.002,
) -> Iterator[ResponsePoint]:
    """Yield the response of a joint for each pair of gains and each frequency.

    Args:
        character: Character with the joint.
        joint: Name of the joint.
        frequencies: Frequencies, Hz.
        gains: Pairs of gains (kp, kd).
        amplitude: Amplitude of the target about the reference pose, or about the middle of the joint's range if that is
            too near a limit, rad.
        engine: Name of the engine.
        dt: Time step of the engine, s.

    Raises:
        CtrlGraphError: The joint does not exist, or its range is smaller than the sine.
        SimulationError: A frequency or the amplitude is not above 0, or a setting is out of range.
    """
    index = joint_index(character, joint)
    centre = _centre(character, index, amplitude)
    inertia = reduced_inertia(character, joint)
    world = Environment(engine=engine, settings=WorldSettings(dt=dt, gravity=0.0), sample_rate=1.0 / dt)
    with world.simulation(character) as simulation:
        for kp, kd in gains:
            for frequency in frequencies:
                _check_frequency(frequency, dt)
                sine = _sine(character, index, frequency, amplitude, centre, kp, kd)
                trace, saturation = _driven(simulation, sine, frequency, centre, joint)
                gain, lag, distortion = _fitted(trace, character, index, frequency, amplitude)
                expected = expected_response(inertia, kp, kd, frequency)
                yield ResponsePoint(kp, kd, frequency, gain, lag, distortion, saturation, *expected)


def joint_index(character: Character, joint: str) -> int:
    """Return the index of a joint by its name or alias.

    Args:
        character: Character with the joint.
        joint: Name or alias.

    Raises:
        CtrlGraphError: There is none. The message has a suggestion.
    """
    index = character.joint_index(joint)
    if index is None:
        names = [each.name for each in character.joints]
        hint = suggestion(joint, names) or f"there are {', '.join(names)}"
        raise CtrlGraphError(f"the character {character.name} has no joint {quoted(joint)}; {hint}")
    return index


def _check_frequency(frequency: float, dt: float) -> None:
    if 0.0 < frequency < LEAST_FREQUENCY:
        raise CtrlGraphError(f"a frequency must be at least {LEAST_FREQUENCY:g} Hz, not {frequency:g}")
    if not 0.0 < frequency <= 0.1 / dt:
        raise CtrlGraphError(
            f"a frequency must be above 0 and at most {0.1 / dt:g} Hz (ten time steps a cycle), not {frequency:g}"
        )


def _centre(character: Character, index: int, amplitude: float) -> float:
    joint = character.joints[index]
    if not amplitude > 0.0:
        raise CtrlGraphError(f"the amplitude must be above 0 rad, not {amplitude:g}")
    if joint.upper - joint.lower < 2.0 * amplitude:
        raise CtrlGraphError(
            f"{joint.name} goes from {joint.lower:g} to {joint.upper:g} rad: an amplitude of {amplitude:g} does not fit"
        )
    reaches = joint.lower <= -1.25 * amplitude and joint.upper >= 1.25 * amplitude
    return 0.0 if reaches else (joint.lower + joint.upper) / 2.0


def _sine(
    character: Character, index: int, frequency: float, amplitude: float, centre: float, kp: float, kd: float
) -> Keyframes:
    """Return one cycle of the target from a crest, where its speed is 0 as that of a body at rest."""
    times = np.arange(FRAMES_A_CYCLE) / (FRAMES_A_CYCLE * frequency)
    angles = centre + amplitude * np.cos(2.0 * math.pi * frequency * times)
    return new_keyframes(
        f"{character.joints[index].name} at {frequency:g} Hz",
        (character.joints[index].name,),
        np.array([index], dtype=np.int64),
        times,
        angles[:, None],
        np.array([[kp, kd]]),
        duration=1.0 / frequency,
        loop=True,
        smooth=True,
    )


def _driven(
    simulation: Simulation, sine: Keyframes, frequency: float, centre: float, joint: str
) -> tuple[Trace, float]:
    """Return the trace of whole cycles after settling, on the clock of the sine, and the fraction of saturation."""
    settling = math.ceil(SETTLING_S * frequency)
    simulation.reset({joint: centre}, height=_HEIGHT)
    outcome = simulation.run(
        sine, cycles=settling + MEASURED_CYCLES, timeout=(settling + MEASURED_CYCLES + 1) / frequency
    )
    if not outcome.succeeded:
        raise CtrlGraphError(f"{sine.name}: {outcome.status.value}: {outcome.reason}")
    trace = simulation.last_trace
    saturation = outcome.saturation * len(simulation.character.joints)
    return trace.between(settling / frequency, (settling + MEASURED_CYCLES) / frequency), saturation


def _fitted(
    trace: Trace, character: Character, index: int, frequency: float, amplitude: float
) -> tuple[float, float, float]:
    """Return gain, lag in degrees and distortion, by least squares over sine, cosine and a constant."""
    angle = trace.joint_angles(character)[:, index]
    turns = 2.0 * math.pi * frequency * trace.time
    columns = np.stack([np.cos(turns), np.sin(turns), np.ones_like(turns)], axis=1)
    found, *_ = np.linalg.lstsq(columns, angle, rcond=None)
    rest = angle - columns @ found
    lag = math.degrees(math.atan2(found[1], found[0]))
    return (
        float(np.hypot(found[0], found[1])) / amplitude,
        lag,
        float(np.sqrt(np.mean(rest**2))) / amplitude,
    )


def _beyond(character: Character, link: int) -> set[int]:
    """Return a link and the links that hang from it."""
    found = {link}
    for _ in character.joints:
        found |= {joint.child for joint in character.joints if joint.parent in found}
    return found


def _composite(character: Character, links: Sequence[int], hinge: Floats) -> tuple[float, float, Floats]:
    """Return mass, inertia about its centre, and the centre from the hinge, of links that are rigid together."""
    masses = np.array([character.links[i].mass for i in links])
    centres = np.array([(character.links[i].x, character.links[i].y) for i in links])
    own = sum(character.links[i].inertia for i in links)
    centre = masses @ centres / masses.sum()
    return float(masses.sum()), float(own + masses @ ((centres - centre) ** 2).sum(axis=1)), centre - hinge


def listed_numbers(what: str, text: str) -> list[float]:
    """Parse numbers above 0, FROM:TO:STEP or NUMBER,NUMBER...

    Args:
        what: Name of the numbers in messages.
        text: Text to parse.

    Raises:
        CtrlGraphError: The form is invalid, or there are more than `MAX_NUMBERS`.
    """
    try:
        parts = [float(part) for part in text.split(":" if ":" in text else ",")]
    except ValueError:
        parts = []
    if not parts or (":" in text and len(parts) != 3) or not all(math.isfinite(part) and part > 0.0 for part in parts):
        raise CtrlGraphError(f"{what} must be FROM:TO:STEP or NUMBER,NUMBER..., all above 0, not {quoted(text)}")
    if ":" in text:
        low, high, step = parts
        if high < low:
            raise CtrlGraphError(f"{what} go from {low:g} up to {high:g}: that is down")
        many = min((high - low) / step, 2.0 * MAX_NUMBERS)
        parts = [low + i * step for i in range(math.floor(many + 1e-9) + 1)]
    if len(parts) > MAX_NUMBERS:
        raise CtrlGraphError(f"{what} are more than {MAX_NUMBERS}")
    return [round(part, 9) for part in parts]


def write_response(points: Sequence[ResponsePoint], path: Path) -> None:
    """Write a CSV table with a row for each point.

    Args:
        points: Rows of the table.
        path: File to write.

    Raises:
        CtrlGraphError: The file cannot be written.
    """
    table = io.StringIO()
    writer = csv.DictWriter(table, [field.name for field in fields(ResponsePoint)], lineterminator="\n")
    writer.writeheader()
    writer.writerows(point.as_dict() for point in points)
    write_text(path, table.getvalue())
