"""What the texts of the language mean, as trees."""

from __future__ import annotations

from ctrlgraph.control.script.syntax.parser import parse_script
from ctrlgraph.control.script.syntax.syntax import Binary, Feedback, Name, Negation, Number, Primitive, Script, outline
from ctrlgraph.errors import Span

FRAME = "BEGINSCRIPT x(a, b)\nPHASE 0\nACTIONS\n{}\nENDACTIONS\nTRANSITION to(-1).after({});\nENDPHASE\nENDSCRIPT\n"


def script(actions: str = "", condition: str = "complete") -> Script:
    parsed = parse_script(FRAME.format(actions, condition), "x.t")
    assert parsed.findings == ()
    assert parsed.script is not None
    return parsed.script


def only_primitive(actions: str) -> Primitive:
    (primitive,) = script(actions).phases[0].actions
    assert isinstance(primitive, Primitive)
    return primitive


def values(text: str) -> list[float]:
    arguments = only_primitive(f"POSE rKnee({text});").items[0].arguments
    return [argument.value for argument in arguments if isinstance(argument, Number)]


def test_numbers_are_read_as_the_source_writes_them() -> None:
    assert values("1, .2, -1., 0500., 1e-3, 2.E+2") == [1.0, 0.2, -1.0, 500.0, 0.001, 200.0]
    assert str(values("-0.")) == "[-0.0]"


def test_the_sign_of_a_literal_is_part_of_it() -> None:
    (number,) = only_primitive("POSE rKnee(- .5);").items[0].arguments
    assert number == Number("-.5", -0.5, Span(4, 12, 4, 16))


def test_a_search_range_may_follow_any_number() -> None:
    (number,) = only_primitive("POSE rKnee(-0.7 <-1.1, -.3>);").items[0].arguments
    assert isinstance(number, Number)
    assert (number.value, number.low, number.high) == (-0.7, -1.1, -0.3)


def test_products_bind_closer_than_sums_and_sums_go_left_to_right() -> None:
    (tree,) = only_primitive("POSE rKnee(1 - a * 2 - -b);").items[0].arguments
    assert isinstance(tree, Binary) and isinstance(tree.left, Binary)
    assert (tree.operator, tree.left.operator) == ("-", "-")
    assert isinstance(tree.right, Negation)
    assert isinstance(tree.left.right, Binary) and tree.left.right.operator == "*"


def test_the_gains_of_posefb_need_no_comma() -> None:
    with_comma = outline(only_primitive("POSEFB lAnkle(2.2, -2.).on(joint lAnkle);"))
    assert outline(only_primitive("POSEFB lAnkle(2.2 -2.).on(joint lAnkle);")) == with_comma
    spaced = outline(only_primitive("POSEFB lAnkle(a b).on(part lFoot);"))
    assert spaced == outline(only_primitive("POSEFB lAnkle(a, b).on(part lFoot);"))


def test_the_values_of_comfb2_are_not_a_difference() -> None:
    (feedback,) = script("COMFB2 0. -0.4 j rAnkle").phases[0].actions
    assert isinstance(feedback, Feedback)
    assert [v.value for v in (feedback.cd, feedback.cv) if isinstance(v, Number)] == [0.0, -0.4]
    assert (feedback.kind.text, feedback.target.text) == ("j", "rAnkle")


def test_the_bounds_of_anglerange_are_not_a_difference() -> None:
    condition = script(condition="anglerange -2 -1").phases[0].transitions[0].condition
    assert [v.value for v in condition.arguments if isinstance(v, Number)] == [-2.0, -1.0]


def test_semicolons_after_set_and_comfb2_are_optional() -> None:
    plain, closed = (
        FRAME.format(f"COMFB2 1 2 p lFoot{mark}\nVPD rThigh(0).joint(rHip);", "complete") for mark in ("", ";")
    )
    trees = [parse_script("SET TORQUELIMIT = 370" + m + t, "").script for m, t in ((" ", plain), (";", closed))]
    assert outline(trees[0]) == outline(trees[1])


def test_void_and_nothing_both_mean_no_parameters() -> None:
    texts = [f"BEGINSCRIPT x({p})\nPHASE 0\n> y({p});\nENDPHASE\nENDSCRIPT" for p in ("void", "")]
    first, second = (parse_script(text, "x.t").script for text in texts)
    assert first is not None and first.parameters == () and first.phases[0].calls[0].arguments == ()
    assert outline(first) == outline(second)


def test_words_of_the_language_may_be_parameters() -> None:
    actions = "COMFB2 x time j rAnkle\nVPD uTorso(j).joint(rHip);"
    text = FRAME.replace("(a, b)", "(time, x, j, part)").format(actions, "time time")
    tree = parse_script(text, "x.t")
    assert tree.findings == ()
    assert tree.script is not None
    assert isinstance(tree.script.phases[0].transitions[0].condition.arguments[0], Name)


def test_windows_line_ends_change_nothing() -> None:
    text = FRAME.format("POSE rKnee(1);", "complete")
    windows = parse_script(text.replace("\n", "\r\n"), "x.t")
    assert outline(windows.script) == outline(parse_script(text, "x.t").script)


def test_findings_of_the_same_text_under_another_name_have_that_name() -> None:
    text = "SCRIPTS nothing"
    first, second = parse_script(text, "one.t"), parse_script(text, "two.t")
    assert (first.path, second.path) == ("one.t", "two.t")
    assert {finding.path for finding in first.findings} == {"one.t"}
    assert {finding.path for finding in second.findings} == {"two.t"}
