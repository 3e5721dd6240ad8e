"""The vocabulary of MJCF (MuJoCo 4.0, "XML Reference"): what is read of it, read over, and refused.

A test compares the attributes with those that MuJoCo's own parser takes.
"""

from __future__ import annotations

ORIENTATIONS = ("quat", "axisangle", "xyaxes", "zaxis", "euler")
"""Ways to say how a frame is turned; an element has one of them."""


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_FRAME = _words("pos quat axisangle xyaxes zaxis euler")

ATTRIBUTES: dict[str, frozenset[str]] = {
    "mujoco": _words("model"),
    "compiler": _words(
        "alignfree angle assetdir autolimits balanceinertia boundinertia boundmass conflict coordinate discardvisual"
        " eulerseq fitaabb fusestatic inertiafromgeom inertiagrouprange meshdir passthrough savecanonical savecompiled"
        " saveinertial settotalmass strippath texturedir usethread"
    ),
    "default": _words("class"),
    "worldbody": frozenset(),
    "body": _FRAME | _words("childclass fuse gravcomp mocap name simple sleep user"),
    "frame": _FRAME | _words("childclass name"),
    "inertial": _FRAME | _words("diaginertia fullinertia mass"),
    "joint": _words(
        "actuatorfrclimited actuatorfrcrange actuatorgravcomp armature axis class damping frictionloss group limited"
        " margin name pos range ref solimpfriction solimplimit solreffriction solreflimit springdamper springref"
        " springyield stiffness type user"
    ),
    "freejoint": _words("align group name"),
    "geom": _FRAME
    | _words(
        "adhesion castshadow class conaffinity condim contype density fitscale fluidcoef fluidshape friction fromto gap"
        " group hfield margin mass material mesh name priority rgba shellinertia size solimp solmix solref surfacevel"
        " type user"
    ),
    "pair": _words("adhesion class condim friction gap geom1 geom2 margin name solimp solref solreffriction"),
    "exclude": _words("body1 body2 name"),
}
"""What may stand in the elements that are read; actuators are told by `ACTUATORS`."""

LEGACY = {"compiler": _words("convexhull exactmeshinertia")}
"""What older versions of MuJoCo took, and what decides nothing here."""

ACTUATORS = _words(
    "general motor position velocity intvelocity orientation pid damper cylinder muscle adhesion dcmotor plugin"
)

ACTUATOR_ATTRIBUTES = _words(
    "actdim actearly actlimited actrange area armature bias biasprm biastype body class cogging controller cranklength"
    " cranksite ctrllimited ctrlrange damping dampratio delay diameter dynprm dyntype ffrange force forcelimited"
    " forcerange fpmax fvmax gain gainprm gaintype gear group imax inductance inheritrange input instance interp joint"
    " jointinparent ki kp kv lengthrange lmax lmin lugre motorconst name nominal nsample plugin posrange range refsite"
    " resistance saturation scale site slewmax slidersite tausmooth tendon thermal timeconst user velrange vmax"
)
"""What actuators may say, whichever kind each is."""

TOP_LEVEL = _words("compiler default worldbody actuator contact option")
"""Sections that are read."""

READ_OVER = _words("size statistic visual asset sensor keyframe custom")
"""Sections that decide nothing about the body and its motion."""

BODY_READ_OVER = _words("site camera light")
"""Elements of a body that decide nothing about its motion."""

DEFAULTS_READ_OVER = _words("mesh texture material site camera light equality tendon skin")
"""Elements of a default class that decide nothing about the body."""

REFUSED = {
    "include": "no other file is opened: put what it holds here",
    "attach": "no other file is opened: put what it holds here",
    "replicate": "write the copies down",
    "composite": "write its bodies down",
    "flexcomp": "a character is of rigid links",
    "flex": "a character is of rigid links",
    "deformable": "a character is of rigid links",
    "skin": "a character is of rigid links",
    "plugin": "no code of others is run",
    "extension": "no code of others is run",
    "tendon": "joints are moved by their own motors alone: remove it",
    "equality": "the links make a tree, without loops: remove it",
}
"""Elements that are no part of what can be read, and what to do about them."""

GEOM_TYPES = ("plane", "hfield", "sphere", "capsule", "ellipsoid", "cylinder", "box", "mesh", "sdf")
JOINT_TYPES = ("free", "ball", "slide", "hinge")
