"""The forms of primitives and conditions as messages and pages print them.

`[ ]` encloses what may be left out, `|` separates alternatives. Parser and `forms` both read these tables.
"""

from __future__ import annotations

PRIMITIVE_USAGES = {
    "POSE": "POSE joint(angle[, kp, kd])",
    "LIPOSE": "LIPOSE joint(angle[, kp, kd]).time(T)",
    "MATCH": "MATCH joint.to(joint[, kp, kd])[.time(T)]",
    "POSEFB": "POSEFB joint(cd, cv).on(part X|joint X|X)",
    "VPD": "VPD part(angle[, kp, kd]).joint(joint)[.flags(s)]",
    "VF": "VF (x, y, z).on(part).by(joint)",
    "IK": "IK part.target local|global (x, y, z).base(joint)[.tolerance(t)]",
    "VFFB": "VFFB part(cd, cv).by(joint).over(part X|joint X|X|cop|copf)",
    "VFSFB": "VFSFB part(kd).by(joint).speed(v)",
    "VFHFB": "VFHFB part(cp, cv).by(joint).height(h)",
}
FEEDBACK_USAGE = "COMFB2 cd cv j joint | COMFB2 cd cv p part"
CONDITION_USAGES = {
    "time": "time T",
    "contact": "contact part",
    "nocontact": "nocontact part",
    "stable": "stable tolerance",
    "fallen": "fallen > r | fallen < r | fallen x r",
    "anglerange": "anglerange lower upper",
    "when": "when a > b | when a < b | when a >= b | when a <= b",
    "iterations": "iterations N",
    "complete": "complete",
    "failed": "failed",
    "keypress": "keypress key",
    "keyrelease": "keyrelease key",
}
