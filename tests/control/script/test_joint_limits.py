"""`SET TORQUELIMIT joint = value`: torque limits of single joints."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from ctrlgraph.control.controller import Part
from ctrlgraph.control.script.compiler import compile_script
from ctrlgraph.control.script.mirror import mirrored_program
from ctrlgraph.control.script.sequence import sequence
from ctrlgraph.control.script.syntax.formatter import format_script

SCRIPT = "{}\nBEGINSCRIPT {}({})\nPHASE 0\n{}\nTRANSITION to(-1).after(time 1);\nENDPHASE\nENDSCRIPT\n"


def script(header: str, body: str = "", name: str = "x", parameters: str = "void") -> str:
    return SCRIPT.format(header, name, parameters, body)


@pytest.fixture
def limits(write, machine, humanoid, body):
    """Each joint's limits where a script sets them: (lower, upper) by name, of those that are not the character's."""

    def run(program=None, **scripts: str) -> dict[str, tuple[float, float]]:
        m = machine(program or compile_script(write(**scripts), Path("x.t"), [], humanoid))
        m.tick(0.0)
        changed = np.flatnonzero((m.motors.limit != body.torque[:, 0]).any(axis=1))
        return {humanoid.joint_names[j]: tuple(m.motors.limit[j].tolist()) for j in changed}

    return run


def test_a_joint_s_limit_is_its_own_and_both_sides_have_one_number(limits, write, humanoid) -> None:
    text = script("SET TORQUELIMIT bHip = 77\nSET TORQUELIMIT waist = 66;")
    found = limits(x=text)
    assert found == {"rHip": (-77.0, 77.0), "lHip": (-77.0, 77.0), "pelvis2lTorso": (-66.0, 66.0)}
    program = compile_script(write(x=text), Path("x.t"), [], humanoid)
    assert [(p.id, p.unit, p.value) for p in _with_values(program)] == [
        ("x.t/SET TORQUELIMIT bHip", "N m", 77.0),
        ("x.t/SET TORQUELIMIT pelvis2lTorso", "N m", 66.0),
        ("x.t/0/after time/time", "s", 1.0),
    ]


class _Valued:
    def __init__(self, parameter, value: float) -> None:
        self.id, self.unit, self.value = parameter.id, parameter.unit, value


def _with_values(program) -> list[_Valued]:
    return [_Valued(p, v) for p, v in zip(program.parameters, program.constants.tolist(), strict=True)]


def test_no_limit_goes_past_the_joint_s_hard_one(limits, body, humanoid) -> None:
    found = limits(x=script("SET TORQUELIMIT rHip = 99999"))
    hip = humanoid.joint_index("rHip")
    hard = tuple(body.torque[hip, 1].tolist())
    assert found.get("rHip", tuple(body.torque[hip, 0].tolist())) == hard


def test_a_joint_s_limit_goes_before_its_script_s_and_an_inner_script_s_before_its_caller_s(limits) -> None:
    inner = script("SET TORQUELIMIT = 40\nSET TORQUELIMIT rKnee = 50", name="inner")
    plain = script("SET TORQUELIMIT lKnee = 20", name="plain")
    header = "SET TORQUELIMIT rKnee = 30\nSET TORQUELIMIT lHip = 35"
    found = limits(x=script(header, "> inner();"), inner=inner)
    assert found["rKnee"] == (-50.0, 50.0)
    assert found["lHip"] == found["lKnee"] == (-40.0, 40.0)
    found = limits(x=script(header, "> plain();"), plain=plain)
    assert found == {"rKnee": (-30.0, 30.0), "lHip": (-35.0, 35.0), "lKnee": (-20.0, 20.0)}


def test_mirrored_and_joined_the_limits_are_those_of_their_joints(limits, write, humanoid) -> None:
    library = write(
        a=script("SET TORQUELIMIT rHip = 77", "> b().mirrored;", "a"), b=script("SET TORQUELIMIT rKnee = 55", name="b")
    )
    a, b = (compile_script(library, Path(f"{name}.t"), [], humanoid) for name in "ab")
    assert limits(a) == {"rHip": (-77.0, 77.0), "lKnee": (-55.0, 55.0)}
    assert limits(mirrored_program(a, humanoid)) == {"lHip": (-77.0, 77.0), "rKnee": (-55.0, 55.0)}
    assert limits(sequence("all", [Part(a), Part(b)])) == limits(a)
    assert limits(sequence("all", [Part(b), Part(a)])) == {"rKnee": (-55.0, 55.0)}
    assert mirrored_program(a, humanoid).digest != a.digest


def test_the_digest_knows_the_joint_and_not_the_order(write, humanoid) -> None:
    headers = {
        "a": "SET TORQUELIMIT rHip = 77\nSET TORQUELIMIT waist = 66",
        "b": "SET TORQUELIMIT waist = 66\nSET TORQUELIMIT rHip = 77",
        "c": "SET TORQUELIMIT rKnee = 77\nSET TORQUELIMIT waist = 66",
    }
    digests = {}
    for name, header in headers.items():
        digests[name] = compile_script(write(x=script(header)), Path("x.t"), [], humanoid).digest
    assert digests["a"] == digests["b"] != digests["c"]


@pytest.mark.parametrize(
    ("header", "said"),
    [
        ("SET TORQUELIMIT rHp = 77", "x.t:1:17: error: unknown joint 'rHp'"),
        ("SET TORQUELIMIT rFoot = 77", "x.t:1:17: error: 'rFoot' is a part, but a joint is needed here"),
        ("SET TORQUELIMIT rHip = 0", "x.t:1:24: error: SET TORQUELIMIT rHip must be above 0 N m, not 0"),
        ("SET TORQUELIMIT rHip = com_x", "x.t:1:24: error: TORQUELIMIT rHip is set before the script runs"),
        (
            "SET TORQUELIMIT bHip = 7\nSET TORQUELIMIT lHip = 8",
            "x.t:2:17: error: TORQUELIMIT of lHip is set twice: remove one",
        ),
        ("SET TORQUELIMITS rHip = 7", "x.t:1:5: error: unknown setting 'TORQUELIMITS'"),
    ],
)
def test_faults_are_reported_at_their_places(header, said, rendered) -> None:
    assert rendered(script(header)).startswith(said)


def test_a_limit_keeps_its_layout() -> None:
    text = (
        "SET TORQUELIMIT = 400\nSET TORQUELIMIT bHip = 300 <200, 350>\n\n"
        "BEGINSCRIPT x(void)\n  PHASE 0\n  ENDPHASE\nENDSCRIPT\n"
    )
    assert format_script(text) == text
    assert format_script(text.replace(" = 300 <200, 350>", "=300<200,350>;")) == text
