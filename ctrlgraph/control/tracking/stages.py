"""Stages of a tracking controller, which are parts of the motion with one set of contacts: start and succession."""

from __future__ import annotations

import math

from ctrlgraph.control.controller import FINISHED, RUNNING
from ctrlgraph.control.tracking.arrays import End, TrackingData
from ctrlgraph.control.tracking.phase import phase_in_stage, phase_of_motion, place_of
from ctrlgraph.control.tracking.tracking_state import (
    BEGUN,
    CYCLES_LEFT,
    INTEGRAL,
    LANDED,
    NEVER,
    PASSES,
    RATE,
    SHARE,
    SIDE,
    SLOPE,
    STAGE,
    STAGE_BEGAN,
    STAGES,
    STATUS,
    STEPS,
    STOOD,
    TICKED,
    TrackingState,
)
from ctrlgraph.kernels.jit import kernel, separate_kernel
from ctrlgraph.kernels.pd import clipped
from ctrlgraph.kernels.planar.arrays import Kinematics
from ctrlgraph.kernels.planar.kinematics import wrapped

LEAST_LOAD = 5.0
"""Minimum vertical force on a foot whose contact ends a stage, N."""

LEAST_HEIGHT = 0.005
"""Height difference of the soles above which the only foot that touches the ground counts as standing, m."""

LATEST_SHARE = 1.2
"""Position of theta in the stage's range (0: start, 1: end) beyond which a tilted foot counts as landed."""

STEEPEST = 0.6
"""Maximum estimated slope of the ground, rad."""

_THETA, _CONTACT = int(End.THETA), int(End.CONTACT)


@kernel
def start(kin: Kinematics, data: TrackingData, state: TrackingState, cycles: int, time: float) -> None:
    """Start the controller at the simulated time `time` (s), to run for `cycles` cycles.

    The first tick chooses the stage, and whether right and left are exchanged, by `begin`.
    """
    state.counters[:] = 0
    state.counters[STATUS] = RUNNING
    state.counters[CYCLES_LEFT] = cycles
    state.counters[STAGES] = data.end.size
    state.times[STAGE_BEGAN] = time
    state.times[LANDED] = NEVER
    state.times[TICKED] = time
    state.memory[INTEGRAL] = 0.0
    state.memory[SLOPE] = 0.0
    state.memory[STOOD] = kin.com[0]
    state.reading[:] = 0.0


@kernel
def sole_place(data: TrackingData, kin: Kinematics, link: int) -> tuple[float, float]:
    """Return the middle (x, y) of a link's sole in the world, m."""
    sole = data.sole[link]
    return place_of(kin, link, 0.5 * (sole[0, 0] + sole[1, 0]), 0.5 * (sole[0, 1] + sole[1, 1]))


@separate_kernel
def begin(data: TrackingData, kin: Kinematics, state: TrackingState) -> None:
    """Choose the stage in which the motion starts, and whether right and left are exchanged, by the pose.

    If right and left are exchanged after each pass (`data.swaps`), the standing leg decides whether they are exchanged
    at the start. A stage that ends at a value of theta is skipped if theta is already beyond that value.
    """
    state.counters[BEGUN] = 1
    if data.swaps != 0:
        state.counters[SIDE] = _standing_side(data, kin)
        if data.counts[0, 1] > 0:
            _update_slope(data, kin, state, data.contact_link[0, 0, 0], data.contact_link[1, 0, 0])
    side = state.counters[SIDE]
    theta, _ = phase_of_motion(data, kin, side)
    stage = 0
    while stage + 1 < data.end.size and data.end[stage] == _THETA and theta > data.end_theta[stage, 0]:
        stage += 1
    state.counters[STAGE] = stage


@kernel
def _standing_side(data: TrackingData, kin: Kinematics) -> int:
    """Return 0 if the leg stands that the controller's file describes as standing, and 1 if the other leg stands.

    If only one foot touches the ground and the soles differ in height, its leg stands. Otherwise the leg with the foot
    ahead stands or, if the feet are close together, the leg with more load.
    """
    stage = 0
    while stage + 1 < data.end.size and data.counts[stage, 1] == 0:
        stage += 1
    if data.counts[stage, 1] == 0:
        return 0
    one, other = data.contact_link[0, stage, 0], data.contact_link[1, stage, 0]
    x0, y0 = sole_place(data, kin, one)
    x1, y1 = sole_place(data, kin, other)
    if abs(y0 - y1) > LEAST_HEIGHT and kin.contact[one] != kin.contact[other]:
        return 0 if kin.contact[one] != 0 else 1
    ahead = x0 - x1
    if abs(ahead) >= data.switch[1]:
        return 0 if ahead > 0.0 else 1
    return 0 if kin.load[one] >= kin.load[other] else 1


@kernel
def _update_slope(data: TrackingData, kin: Kinematics, state: TrackingState, one: int, other: int) -> None:
    """Estimate the slope of the ground by the line through two feet, if both touch the ground far enough apart.

    Args:
        data: arrays of the controller.
        kin: kinematics of the body.
        state: state of the controller, whose `memory[SLOPE]` receives the slope, rad.
        one: index of the link of one foot.
        other: index of the link of the other foot.
    """
    if kin.contact[one] == 0 or kin.contact[other] == 0:
        return
    x0, y0 = sole_place(data, kin, one)
    x1, y1 = sole_place(data, kin, other)
    if abs(x1 - x0) >= data.switch[1]:
        state.memory[SLOPE] = clipped(math.atan((y1 - y0) / (x1 - x0)), -STEEPEST, STEEPEST)


@separate_kernel
def advance_stage(data: TrackingData, kin: Kinematics, state: TrackingState, time: float) -> None:
    """Go to the next stage if the event that ends the active stage has occurred.

    The event is a value of theta, a contact or the loss of a contact. `time` is the simulated time, s.
    """
    stage, side = state.counters[STAGE], state.counters[SIDE]
    kind, link = data.end[stage], data.end_link[side, stage]
    if kind == _THETA:
        theta, _ = phase_in_stage(data, kin, state, stage, side)
        if theta > data.end_theta[stage, 0] + data.ground[3] * state.memory[SLOPE]:
            _next_stage(data, state, time)
        return
    since = time - max(state.times[STAGE_BEGAN], state.times[LANDED])
    if since < data.switch[0]:
        return
    if kind != _CONTACT:
        if kin.contact[link] == 0:
            _next_stage(data, state, time)
        return
    if kin.contact[link] == 0 or kin.load[link] < LEAST_LOAD:
        return
    if data.counts[stage, 1] > 0:
        standing = data.contact_link[side, stage, 0]
        ahead = sole_place(data, kin, link)[0] - sole_place(data, kin, standing)[0]
        if abs(ahead) < data.switch[1]:
            return
        _update_slope(data, kin, state, standing, link)
        if _is_still_tilted(data, kin, state, link):
            return
        _, rate = phase_of_motion(data, kin, side)
        if ahead < 0.0 and data.counts[0, 1] > 1 and rate > data.switch[3]:
            # the leg moves back: both feet carry load and push off again
            state.times[STAGE_BEGAN] = state.times[LANDED] = time
            state.counters[STAGE] = 0
            return
    state.times[LANDED] = time
    _next_stage(data, state, time)


@kernel
def _is_still_tilted(data: TrackingData, kin: Kinematics, state: TrackingState, link: int) -> bool:
    """Return whether a foot (index of its link) that has landed is still too tilted for the next stage.

    The next stage assumes a flat contact. With load on heel or toe alone, torques would saturate and throw the body
    up, so the stage continues until the foot is flat. After theta has passed `LATEST_SHARE` there is no time to wait.
    """
    if state.reading[SHARE] > LATEST_SHARE:
        return False
    return abs(wrapped(kin.link[link, 2] + state.memory[SLOPE])) > data.switch[4]


@kernel
def advance_by_rate(data: TrackingData, state: TrackingState, time: float) -> bool:
    """Go to the next stage if theta' has reached the rate at which the active stage ends, and return True; else False.

    `time` is the simulated time, s.
    """
    if not state.reading[RATE] >= data.end_theta[state.counters[STAGE], 1]:
        return False
    _next_stage(data, state, time)
    return True


@kernel
def _next_stage(data: TrackingData, state: TrackingState, time: float) -> None:
    """Go to the next stage. The first stage follows the last, with right and left exchanged if `data.swaps` is 1.

    A cycle is one pass through the stages, or two passes if right and left are exchanged after each. After the last
    cycle the controller has finished.
    """
    state.times[STAGE_BEGAN] = time
    state.counters[STAGE] += 1
    if state.counters[STAGE] < data.end.size:
        return
    state.counters[STAGE] = 0
    state.counters[STEPS] += 1
    state.counters[PASSES] += 1
    if data.swaps != 0:
        state.counters[SIDE] = 1 - state.counters[SIDE]
        if state.counters[PASSES] < 2:
            return
    state.counters[PASSES] = 0
    state.counters[CYCLES_LEFT] -= 1
    if state.counters[CYCLES_LEFT] <= 0:
        state.counters[STATUS] = FINISHED
