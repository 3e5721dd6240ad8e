"""Measures over the course of a motion: distances, rotations, flights. The decorator of a measure states its unit."""

from __future__ import annotations

import itertools

import numpy as np

from ctrlgraph.simulation.measures.base_motion import BaseMotion, run_around, runs, wrapped
from ctrlgraph.simulation.measures.planar_motion import Motion
from ctrlgraph.simulation.measures.registry import also_in_space, register
from ctrlgraph.terrain.obstacles import ObstacleKind

# Minimum duration of a flight, s. In shorter ones, the feet only scrape over the ground.
_LEAST_FLIGHT = 0.05
_LEAST_STANCE = 0.1  # s; a foot that scrapes over a tread touches it for less time
_LONGEST_TREAD = 0.6  # m; on longer ground between two steps, people take more than one step
_STEPS = (ObstacleKind.RISE, ObstacleKind.DROP)


@also_in_space
@register(unit="s", sampled="course")
def duration(motion: BaseMotion) -> float:
    """Return the simulated duration of the motion."""
    return motion.duration


@also_in_space
@register(unit="m", sampled="course")
def distance(motion: BaseMotion) -> float:
    """Return the horizontal displacement of the centre of mass from start to end, forward positive."""
    return motion.distance


@register(unit="m", sampled="course")
def level_change(motion: Motion) -> float:
    """Return the height of the rises minus that of the drops between the centre of mass at the start and at the end;
    slopes, gaps and hurdles do not count.
    """
    start, end = motion.trace.x[[0, -1]].tolist()
    low, high = sorted((start, end))
    change = sum(wall.jump for wall in motion.terrain.bridged.walls if low < wall.start <= high)
    return change if end > start else -change


@register(unit="1", sampled="course", needs={"feet": 1})
def crossed(motion: Motion) -> float:
    """Return the number of obstacles (rises, drops, gaps, hurdles) that are ahead of all feet at the start and behind
    all feet at the end; the position of a foot is its centre of mass.
    """
    feet = motion.forward(motion.links("feet"))
    furthest, rearmost = float(feet[0].max()), float(feet[-1].min())
    return float(sum(furthest <= each.start and each.end <= rearmost for each in motion.terrain.obstacles))


@register(unit="1", sampled="course", needs={"feet": 1})
def one_foot_treads(motion: Motion) -> float:
    """Return the share of the crossed treads of stairs on which exactly one foot stood, 0 to 1; 0 without a tread.

    A tread lies between two rises or two drops in succession. A foot stands on it if it touches the ground for at least
    0.1 s without a break while its front (on the way up) or its rear (on the way down) is above the tread.
    """
    feet = motion.links("feet")
    at, touches, time = motion.forward(feet), motion.trace.contact[:, feet], motion.trace.time
    half = np.array([motion.character.links[foot].width / 2 for foot in feet])
    furthest, rearmost = float(at[0].max()), float(at[-1].min())
    alone: list[bool] = []
    for one, other in itertools.pairwise(motion.terrain.obstacles):
        is_tread = one.kind is other.kind and one.kind in _STEPS and other.start - one.end < _LONGEST_TREAD
        if is_tread and furthest <= one.start and other.end <= rearmost:
            end = at + half if one.kind is ObstacleKind.RISE else at - half
            there = (touches & (end > one.end) & (end < other.start)).T
            standing = [any(time[b - 1] - time[a] >= _LEAST_STANCE for a, b in runs(foot)) for foot in there]
            alone.append(sum(standing) == 1)
    return float(np.mean(alone)) if alone else 0.0


@also_in_space
@register(unit="m/s", sampled="course")
def speed(motion: BaseMotion) -> float:
    """Return the mean forward speed: distance divided by duration."""
    return motion.distance / motion.duration if motion.duration > 0 else 0.0


@register(unit="rad", sampled="course")
def turned(motion: Motion) -> float:
    """Return the rotation of the trunk from start to end, unwrapped, forward positive."""
    return float(motion.trunk_angle[-1] - motion.trunk_angle[0])


@also_in_space
@register(unit="s", sampled="course")
def flight(motion: BaseMotion) -> float:
    """Return the longest time with no link in contact."""
    return motion.lasting(motion.flight)


@register(unit="rad", sampled="course", needs={"feet": 1})
def flight_turned(motion: Motion) -> float:
    """Return the rotation of the trunk while all feet are off the ground, around the longest flight."""
    start, end = run_around(motion.feet_off, motion.flight)
    return float(motion.trunk_angle[end - 1] - motion.trunk_angle[start]) if end > start else 0.0


@also_in_space
@register(unit="1", sampled="course")
def flight_share(motion: BaseMotion) -> float:
    """Return the share of the time with no link in contact, 0 to 1."""
    return float(motion.airborne.mean())


@register(unit="1", sampled="course", needs={"feet": 1})
def hop_share(motion: Motion) -> float:
    """Return the share of the flights of at least 0.05 s that begin and end on the same single foot.

    It is 1 for skipping. It is 0 for running, for a jump with both feet, and without a complete flight.
    """
    trace, feet = motion.trace, motion.links("feet")
    flights = hops = 0
    for start, end in runs(motion.airborne):
        if start == 0 or end == len(trace) or trace.time[end] - trace.time[start - 1] < _LEAST_FLIGHT:
            continue
        before, after = trace.contact[start - 1, feet], trace.contact[end, feet]
        flights += 1
        hops += bool(before.sum() == 1 and (before == after).all())
    return hops / flights if flights else 0.0


@register(unit="s", sampled="course", needs={"hands": 1, "feet": 1})
def hands_support(motion: Motion) -> float:
    """Return the longest time with a hand and no foot in contact; the hands may lose contact for less than 0.05 s."""
    return motion.lasting(motion.on_hands())


@also_in_space
@register(unit="m", sampled="course", scales=True)
def max_com_height(motion: BaseMotion) -> float:
    """Return the greatest height of the centre of mass above the terrain below it."""
    return float(motion.height.max())


@also_in_space
@register(unit="m", sampled="course", scales=True)
def min_com_height(motion: BaseMotion) -> float:
    """Return the least height of the centre of mass above the terrain below it."""
    return float(motion.height.min())


@also_in_space
@register(unit="m/s", sampled="course")
def max_com_speed(motion: BaseMotion) -> float:
    """Return the greatest speed of the centre of mass."""
    return float(motion.com_speed.max())


@register(unit="rad", sampled="course", circular=True)
def max_torso(motion: Motion) -> float:
    """Return the greatest wrapped angle of the trunk."""
    return float(wrapped(motion.trunk_angle).max())


@register(unit="rad", sampled="course", circular=True)
def min_torso(motion: Motion) -> float:
    """Return the least wrapped angle of the trunk."""
    return float(wrapped(motion.trunk_angle).min())


@also_in_space
@register(unit="1", sampled="course", needs={"axial": 1})
def trunk_contact(motion: BaseMotion) -> float:
    """Return the share of the time with an axial link (head, neck or trunk) in contact, 0 to 1."""
    return float(motion.touches("axial").mean())
