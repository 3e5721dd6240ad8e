"""The numbers of a gait, their default values and ranges."""

from __future__ import annotations

from typing import NamedTuple


class GaitValues(NamedTuple):
    """Numbers of a gait, except the times of the legs.

    Gains are accelerations per deviation, so that characters of any mass and size can have the same ones.
    """

    period: float
    """Duration of a cycle, s."""
    height: float
    """Height of the centre of mass above the ground, m."""
    step_height: float
    """Height of the feet above the ground in the middle of their swing, m."""
    forward: float
    """Desired speed in the direction of the heading, m/s."""
    sideways: float
    """Desired speed to the left, m/s."""
    turn: float
    """Desired rate of the heading, rad/s, positive to the left."""
    acceleration: float
    """Maximum rate at which the present desired speed changes, m/s^2."""
    turn_acceleration: float
    """Maximum rate at which the present desired rate of the heading changes, rad/s^2."""
    width: float
    """Sideways distance of each foothold from below its hip, outward positive, m."""
    advance: float
    """Forward shift of all footholds from the footholds that are centered below the center of mass, m."""
    height_kp: float
    height_kd: float
    """Stiffness and damping of the height, 1/s^2 and 1/s."""
    speed_gain: float
    """Acceleration per deviation from the desired velocity, 1/s."""
    speed_integral: float
    """Speed towards the path of the desired velocity per distance from it, 1/s."""
    roll_kp: float
    roll_kd: float
    """Stiffness and damping of the roll, 1/s^2 and 1/s."""
    pitch_kp: float
    pitch_kd: float
    """Stiffness and damping of the pitch, 1/s^2 and 1/s."""
    heading_kp: float
    heading_kd: float
    """Stiffness and damping of the heading, 1/s^2 and 1/s."""
    placement_forward: float
    placement_sideways: float
    """Shift of a foothold per deviation from the desired velocity, s."""
    swing_frequency: float
    """Frequency of the PD control of a swinging leg, rad/s."""
    swing_damping: float
    """Damping ratio of the PD control of a swinging leg."""
    posture_frequency: float
    """Frequency of the PD control that brings a leg with more than three joints to the start pose, rad/s."""
    arrival: float
    """Fraction of a swing at which the foot is above its foothold."""
    hold_gain: float
    """Factor of the model's PD gains of the joints that belong to no leg."""
    swing_reaction: float
    """Fraction of the moment on the trunk by the motion of the legs that the standing legs compensate."""
    friction: float
    """Coefficient of friction that the forces of the feet assume."""
    shortening: float
    """Maximum shortening of the period while the velocity is far from the desired one, as a fraction of the period."""


class Published(NamedTuple):
    """The laws of the published controller that replace those of ctrlgraph; see `published_laws`."""

    foothold: bool = False
    """Footholds by equations (3.1) and (3.2) instead of Raibert's."""
    target: bool = False
    """Footholds fixed when the foot lifts off, instead of recomputed in each time step."""
    swing: bool = False
    """PD control of the joints of swinging legs towards their inverse kinematics, without inverse dynamics."""
    weight: bool = False
    """The weight of the legs is not carried."""
    stance: bool = False
    """Equal shares of the force and the torque (3.3) for the standing legs of a leg frame, instead of least squares."""


PUBLISHED_NONE = Published()
"""None of the laws of the published controller."""

DEFAULTS: dict[str, float] = dict(
    forward=0.0,
    sideways=0.0,
    turn=0.0,
    acceleration=1.0,
    turn_acceleration=3.0,
    width=0.0,
    advance=0.0,
    height_kp=150.0,
    height_kd=20.0,
    speed_gain=12.0,
    speed_integral=0.5,
    roll_kp=150.0,
    roll_kd=20.0,
    pitch_kp=150.0,
    pitch_kd=20.0,
    heading_kp=60.0,
    heading_kd=12.0,
    placement_forward=0.1,
    placement_sideways=0.1,
    swing_frequency=60.0,
    swing_damping=0.7,
    posture_frequency=30.0,
    arrival=0.9,
    hold_gain=1.0,
    swing_reaction=0.5,
    friction=0.6,
    shortening=0.0,
)
"""Default values. The defaults of `height`, `period` and `step_height` follow from the size of the character
instead."""

MAX_SWING = 0.9
"""Maximum duration of a swing, as a fraction of the period."""
MAX_OFFSET = 1.6
"""Maximum offset and amplitude of a trajectory, rad, and its maximum turn, s."""
TRAJECTORY: dict[str, tuple[str, float, float]] = {
    "offset": ("angle", -MAX_OFFSET, MAX_OFFSET),
    "amplitude": ("angle", 0.0, MAX_OFFSET),
    "phase": ("share", 0.0, 1.0),
    "turn": ("gain", -MAX_OFFSET, MAX_OFFSET),
}
"""Numbers of the trajectory of a joint: kind of quantity, least and greatest value."""

RANGES: dict[str, tuple[float, float]] = {
    "period": (0.1, 5.0),
    "height": (0.01, 5.0),
    "step_height": (0.0, 1.0),
    "forward": (-10.0, 10.0),
    "sideways": (-5.0, 5.0),
    "turn": (-6.0, 6.0),
    "acceleration": (0.01, 100.0),
    "turn_acceleration": (0.01, 100.0),
    "width": (-0.5, 0.5),
    "advance": (-0.5, 0.5),
    "height_kp": (0.0, 2000.0),
    "height_kd": (0.0, 200.0),
    "speed_gain": (0.0, 100.0),
    "speed_integral": (0.0, 10.0),
    "roll_kp": (0.0, 2000.0),
    "roll_kd": (0.0, 200.0),
    "pitch_kp": (0.0, 2000.0),
    "pitch_kd": (0.0, 200.0),
    "heading_kp": (0.0, 2000.0),
    "heading_kd": (0.0, 200.0),
    "placement_forward": (-0.5, 0.5),
    "placement_sideways": (-0.5, 0.5),
    "swing_frequency": (1.0, 200.0),
    "swing_damping": (0.0, 5.0),
    "posture_frequency": (0.0, 200.0),
    "arrival": (0.5, 1.0),
    "hold_gain": (0.0, 10.0),
    "swing_reaction": (0.0, 1.0),
    "friction": (0.05, 2.0),
    "shortening": (0.0, 0.7),
}
"""Minimum and maximum of each value."""
