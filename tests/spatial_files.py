"""A small four-legged character in space, as a YAML file and as a MuJoCo model."""

from __future__ import annotations

_LEG = """\
  {n}_hip: {{at: [{x}, {h}, .4], mass: .7, inertia: [.0008, .0009, .0007, 0, 0, 0], shapes: [{{kind: sphere, size: [.04]}}]}}
  {n}_thigh: {{at: [{x}, {t}, .3], density: 900, shapes: [{{kind: capsule, size: [.02, .08]}}]}}
  {n}_calf: {{at: [{x}, {t}, .1], mass: .3, shapes: [{{kind: capsule, size: [.015, .08]}}, {{kind: sphere, size: [.02], at: [0, 0, -.1]}}]}}
"""  # noqa: E501
_JOINTS = """\
  {n}_abduction: {{parent: trunk, child: {n}_hip, at: [{x}, {h}, .4], axis: [1, 0, 0], limits: [-.8, .8], torque: [20, 24]}}
  {n}_pitch: {{parent: {n}_hip, child: {n}_thigh, at: [{x}, {t}, .4], axis: [0, 1, 0], limits: [-1, 3], torque: [20, 24]}}
  {n}_knee: {{parent: {n}_thigh, child: {n}_calf, at: [{x}, {t}, .2], axis: [0, 1, 0], limits: [-2.7, -.2], torque: [20, 24]}}
"""  # noqa: E501
_LEGS = {
    "FL": {"n": "FL", "x": 0.2, "h": 0.05, "t": 0.13},
    "FR": {"n": "FR", "x": 0.2, "h": -0.05, "t": -0.13},
    "RL": {"n": "RL", "x": -0.2, "h": 0.05, "t": 0.13},
    "RR": {"n": "RR", "x": -0.2, "h": -0.05, "t": -0.13},
}

QUADRUPED = (
    "name: dog\nplanar: false\nlinks:\n"
    "  trunk: {at: [0, 0, .4], mass: 6, com: [.01, 0, 0], inertia: [.02, .08, .09, 0, .001, 0],"
    " shapes: [{kind: box, size: [.2, .08, .05]}]}\n"
    + "".join(_LEG.format(**leg) for leg in _LEGS.values())
    + "joints:\n"
    + "".join(_JOINTS.format(**leg) for leg in _LEGS.values())
    + "poses:\n  home: {at: [0, 0, .3], angles: {FL_pitch: .9, FL_knee: -1.8, FR_knee: -1.8}}\n"
)
"""A four-legged character of 12 joints as the text of a YAML file. Its legs are vertical in the reference pose."""

ARM = """\
name: arm
planar: false
floating: false
links:
  base: {at: [0, 0, .1], density: 1000, shapes: [{kind: cylinder, size: [.1, .1]}]}
  upper: {at: [0, 0, .4], mass: 2, shapes: [{kind: capsule, size: [.04, .2]}]}
  lower: {at: [0, 0, .8], mass: 1, orientation: [2, 0, 0, 2], shapes: [{kind: ellipsoid, size: [.03, .04, .2]}]}
  hand: {at: [0, 0, 1.1], mass: .5, shapes: [{kind: box, size: [.05, .05, .1], collides: false, color: [1, 0, 0, 1]}]}
joints:
  shoulder: {kind: ball, parent: base, child: upper, at: [0, 0, .2], limits: [[-1, 1], [-2, 2], [-3, 3]], torque: [50, 60]}
  elbow: {parent: upper, child: lower, at: [0, 0, .6], axis: [0, -2, 0], limits: [0, 2.5], torque: [30, 30], aliases: [bend]}
  wrist: {kind: universal, parent: lower, child: hand, at: [0, 0, 1], axes: [[1, 0, 0], [0, 1, 0]],
          limits: [[-1, 1], [-1, 1]], stiffness: 2, spring_angle: .1, damping: .3, armature: .01, friction_loss: .05}
"""  # noqa: E501
"""An arm that is fixed to the world, with a joint of each kind, as the text of a YAML file."""

_XML_LEG = """\
      <body name="{n}_hip" pos="{x} {h} 0">
        <inertial pos="0 .01 0" mass=".6" diaginertia=".0006 .0009 .0006" quat="1 .1 0 0"/>
        <joint name="{n}_abduction" class="abduction"/>
        <body name="{n}_thigh" pos="0 {d} 0">
          <joint name="{n}_pitch" class="pitch"/>
          <geom fromto="0 0 0 0 0 -.2" size=".02"/>
          <body name="{n}_calf" pos="0 0 -.2">
            <joint name="{n}_knee" class="knee"/>
            <geom fromto="0 0 0 0 0 -.2" size=".015"/>
            <body name="{n}_foot" pos="0 0 -.2"><geom class="foot"/></body>
          </body>
        </body>
      </body>
"""
MODEL = (
    """\
<mujoco model="dog">
  <compiler angle="radian" autolimits="true"/>
  <default>
    <default class="dog">
      <geom type="capsule" density="900"/>
      <joint axis="0 1 0" damping=".5" armature=".01" frictionloss=".1"/>
      <position kp="80" kv="3" forcerange="-24 24"/>
      <default class="abduction"><joint axis="1 0 0" range="-.8 .8"/></default>
      <default class="pitch"><joint range="-1 3"/></default>
      <default class="knee"><joint range="-2.7 -.2"/></default>
      <default class="foot"><geom type="sphere" size=".02" mass=".05"/></default>
    </default>
  </default>
  <worldbody>
    <geom type="plane" size="5 5 .1"/>
    <body name="trunk" pos="0 0 .42" childclass="dog">
      <freejoint name="root"/>
      <inertial pos=".01 0 0" mass="6" fullinertia=".02 .08 .09 0 .001 0"/>
      <geom type="box" size=".2 .08 .05"/>
"""
    + "".join(
        _XML_LEG.format(n=leg["n"], x=leg["x"], h=leg["h"], d=0.08 if leg["h"] > 0 else -0.08)  # type: ignore[operator]
        for leg in _LEGS.values()
    )
    + """\
    </body>
  </worldbody>
  <actuator>
"""
    + "".join(
        f'    <position class="dog" name="{n}_{part}" joint="{n}_{part}"/>\n'
        for n in _LEGS
        for part in ("abduction", "pitch", "knee")
    )
    + """\
  </actuator>
  <keyframe>
    <key name="home" qpos="0 0 .3 1 0 0 0 0 .9 -1.8 0 .9 -1.8 0 .9 -1.8 0 .9 -1.8"/>
  </keyframe>
</mujoco>
"""
)
"""A four-legged robot as the text of a MuJoCo model, with the features of those that are sold."""
