"""Compilation of a MuJoCo model (MJCF) by MuJoCo, without access to any other file.

The elements that affect a planar character are copied into a new text, one element per line. A line number in a message
of MuJoCo therefore identifies the element. All other elements are not passed to MuJoCo, in particular those that name
files, load plugins or make copies.
"""

from __future__ import annotations

import math
import re
import warnings
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from xml.sax.saxutils import quoteattr

from ctrlgraph.bounds import MAX_CONSTANT, MAX_NUMBER_LENGTH
from ctrlgraph.character.mjcf.spatial_mesh_assets import MeshAssets
from ctrlgraph.character.mjcf.xml_source import Findings, XmlElement
from ctrlgraph.character.spatial.spatial_meshes import MeshFault
from ctrlgraph.errors import quoted, suggestion

if TYPE_CHECKING:
    import mujoco


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


MAX_ELEMENTS = 4000
"""Maximum number of elements that are passed to MuJoCo."""

MAX_JOINTS = 1000
"""Maximum number of joints of a model, including the joints of the root."""

_ACTUATORS = _words("general motor position velocity intvelocity orientation pid damper cylinder muscle dcmotor")
_OTHER_TARGETS = ("tendon", "site", "body", "cranksite", "slidersite", "refsite")
_BODY = _words("body frame joint freejoint geom inertial")

_PASSED = {
    "mujoco": _words("compiler default worldbody actuator"),
    "compiler": frozenset[str](),
    "default": _ACTUATORS | {"default", "joint", "geom"},
    "worldbody": _BODY,
    "body": _BODY,
    "frame": _BODY,
    "actuator": _ACTUATORS,
}
"""Tags of the child elements that are passed to MuJoCo, by the tag of the parent element."""

_IN_BODY = _words("site camera light")
_DROPPED = {
    "mujoco": _words("size statistic visual asset sensor keyframe custom contact option include"),
    "compiler": _words("lengthrange"),
    "default": _words("mesh texture material site camera light equality tendon skin pair adhesion"),
    "worldbody": _IN_BODY,
    "body": _IN_BODY,
    "frame": _IN_BODY,
    "actuator": _words("adhesion"),
}
"""Tags of the child elements that are not passed to MuJoCo, by the tag of the parent element.

They do not change a character, except that `contact` and `option` are checked elsewhere.
"""

_DROPPED_ATTRIBUTES = {
    "compiler": _words(
        "alignfree assetdir conflict convexhull discardvisual exactmeshinertia fitaabb fusestatic"
        " meshdir passthrough savecanonical savecompiled saveinertial strippath texturedir usethread"
    ),
    "geom": _words("material"),
}

REFUSED = {
    "include": "included files are not opened: copy their contents into this file",
    "attach": "included files are not opened: copy their contents into this file",
    "replicate": "write each copy as elements of its own",
    "composite": "write its bodies as elements <body>",
    "flexcomp": "a character consists of rigid links: remove the element",
    "flex": "a character consists of rigid links: remove the element",
    "deformable": "a character consists of rigid links: remove the element",
    "skin": "a character consists of rigid links: remove the element",
    "plugin": "plugins are not loaded: remove the element",
    "extension": "plugins are not loaded: remove the element",
    "tendon": "joints are moved by their own motors only: remove the tendon",
    "equality": "the links of a character form a tree without loops: remove the element",
}
"""Hints how to replace elements that are not supported, by tag. Such an element is an error."""

_NAMES = _words("name class childclass joint jointinparent mesh hfield model group")
"""Attributes whose values are names, not numbers."""

_LINE = re.compile(r"\bline (\d+)")
_PREFIX = re.compile(r"^(?:XML )?(?:Error: |Schema violation: )+")


@dataclass(frozen=True)
class ParsedModel:
    """A model that MuJoCo has parsed but not compiled."""

    spec: mujoco.MjSpec
    """MuJoCo's editable specification of the model."""
    elements: list[XmlElement]
    """The elements that were passed to MuJoCo, in the order of the lines of the passed text."""

    def element(self, item: Any) -> XmlElement:
        """Return the XML element from which MuJoCo has made `item`: a body, joint, geom or actuator."""
        return _located(item.info, self.elements)

    def is_static(self, body: Any) -> bool:
        """Return whether a body of MuJoCo's specification is fixed to the world: no joints in the body or above it."""
        while body is not None:
            if body.joints:
                return False
            body = body.parent
        return True


@dataclass(frozen=True)
class CompiledModel(ParsedModel):
    """A model that MuJoCo has compiled, in its reference configuration."""

    model: mujoco.MjModel
    """The compiled model."""
    data: mujoco.MjData
    """State in the reference configuration `qpos0`: world positions of bodies, geoms and joints, m."""
    masks: dict[int, tuple[int, int]]
    """`contype` and `conaffinity` of each geom in the file, by MuJoCo's id of the geom.

    They determine which geoms can touch each other. In `model` both are set to 0.
    """


def check_element(
    child: XmlElement, parent: XmlElement, known: Iterable[str], ignored: frozenset[str], findings: Findings
) -> None:
    """Report an error if an element is not supported or unknown.

    Args:
        child: the element to check.
        parent: the element that contains `child`.
        known: tags of the elements that `parent` can contain.
        ignored: tags of elements that are no error although they are not supported.
        findings: receives the error.
    """
    if child.tag in REFUSED and child.tag not in ignored:
        message = f"<{child.tag}> is not supported"
        findings.add("not-supported", message, child, hint=REFUSED[child.tag])
    elif child.tag not in known:
        message = f"<{parent.tag}> cannot contain the element {quoted(f'<{child.tag}>')}"
        findings.add("unknown-element", message, child, hint=suggestion(child.tag, sorted(known)))


def is_limited(limited: Any, limits: Any, autolimits: bool) -> tuple[float, float] | None:
    """Return the range (lower, upper) to which MuJoCo limits a joint or actuator; None if there is no limit.

    Args:
        limited: whether there is a limit, as MuJoCo's `mjtLimited`: 0 (no), 1 (yes) or 2 (if `autolimits`).
        limits: lower and upper limit, in the unit of the attribute of the model.
        autolimits: whether there is a limit if `limited` is 2.
    """
    low, high = map(float, limits)
    enforced = int(limited) == 1 or (int(limited) == 2 and autolimits)
    return (low, high) if enforced and low < high else None


def parse_model(
    root: XmlElement, findings: Findings, ignored: frozenset[str] = frozenset(), meshes: MeshAssets | None = None
) -> ParsedModel | None:
    """Parse a model with MuJoCo. If the model has errors or MuJoCo rejects it, report the errors and return None.

    Args:
        root: the element `<mujoco>`.
        findings: receives the errors and warnings.
        ignored: tags of elements that are left out without an error although they are not supported.
        meshes: meshes of the model, which are read if the mass of a link depends on them; None if none may be read.
    """
    import mujoco

    text, elements = _passed_text(root, ignored, findings)
    if len(elements) > MAX_ELEMENTS:
        findings.add("too-large", f"the model has more than {MAX_ELEMENTS} elements", elements[MAX_ELEMENTS])
    if any(map(findings.is_faulty, elements)):
        return None
    try:
        with warnings.catch_warnings():  # of deprecated attributes
            warnings.simplefilter("ignore")
            spec = mujoco.MjSpec.from_string(text)
    except (ValueError, RuntimeError, mujoco.FatalError) as error:
        _report(str(error), elements, findings)
        return None
    parsed = ParsedModel(spec, elements)
    if len(spec.joints) > MAX_JOINTS:
        message = f"the model has more than {MAX_JOINTS} joints"
        findings.add("too-large", message, parsed.element(spec.joints[MAX_JOINTS]))
        return None
    _check_shapes(parsed, meshes, findings)
    return parsed


def compile_model(parsed: ParsedModel, findings: Findings) -> CompiledModel | None:
    """Compile a model with MuJoCo. If MuJoCo rejects the model, report an error and return None.

    MuJoCo's compiler simulates a trial step. To keep this step harmless, the compiled model has no actuators, contacts
    and gravity.

    Args:
        parsed: the parsed model. Its specification is changed.
        findings: receives the error.
    """
    import mujoco

    spec, bits = parsed.spec, mujoco.mjtDisableBit
    off = (bits.mjDSBL_CONSTRAINT, bits.mjDSBL_GRAVITY, bits.mjDSBL_SPRING, bits.mjDSBL_DAMPER)
    spec.option.disableflags = sum(map(int, off))
    masks = [(int(geom.contype), int(geom.conaffinity)) for geom in spec.geoms]
    for geom in spec.geoms:
        geom.contype = geom.conaffinity = 0
    for actuator in list(spec.actuators):
        spec.delete(actuator)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            model = spec.compile()
        # MuJoCo treats frames that differ by less than 1e-6 as equal, which is too coarse here
        model.body_sameframe[:] = model.geom_sameframe[:] = 0
        data = mujoco.MjData(model)
        mujoco.mj_kinematics(model, data)
        mujoco.mj_comPos(model, data)
    except (ValueError, RuntimeError, MemoryError, mujoco.FatalError) as error:
        _report(str(error), parsed.elements, findings)
        return None
    by_id = {geom.id: mask for geom, mask in zip(spec.geoms, masks, strict=True)}
    return CompiledModel(spec, parsed.elements, model, data, by_id)


def _passed_text(root: XmlElement, ignored: frozenset[str], findings: Findings) -> tuple[str, list[XmlElement]]:
    """Return the text that is passed to MuJoCo, and the element on each line of this text.

    Args:
        root: the element `<mujoco>`.
        ignored: tags of elements that are left out without an error although they are not supported.
        findings: receives the errors and warnings about elements that are not passed.
    """
    lines: list[str] = []
    elements: list[XmlElement] = []
    assets: set[tuple[str, str]] = set()
    unfinished: list[XmlElement | str] = [root]
    parents: dict[int, XmlElement] = {}
    while unfinished:
        element = unfinished.pop()
        if isinstance(element, str):
            lines[-1] += element
            continue
        attributes = _passed_attributes(element, findings)
        assets |= {(kind, attributes[kind]) for kind in ("mesh", "hfield") if kind in attributes}
        shown = "".join(f" {name}={quoteattr(value)}" for name, value in attributes.items())
        lines.append(f"<{element.tag}{shown}>")
        elements.append(element)
        unfinished.append(f"</{element.tag}>")
        for child in reversed(list(_passed_children(element, ignored, findings))):
            parents[id(child)] = element
            unfinished.append(child)
    if lines[-1].endswith("</mujoco>"):
        lines[-1] = lines[-1].removesuffix("</mujoco>") + _stand_ins(assets) + "</mujoco>"
    return "\n".join(lines), elements


def _stand_ins(assets: set[tuple[str, str]]) -> str:
    """Return an XML element with placeholders for meshes and height fields. Those of meshes have no faces.

    Args:
        assets: (kind, name) of each mesh or height field that a geom names; the kind is "mesh" or "hfield".
    """
    given = {
        "mesh": 'vertex="0 0 0 1 0 0 0 1 0 0 0 1"',
        "hfield": 'nrow="2" ncol="2" size="1 1 1 1" elevation="0 0 0 0"',
    }
    made = "".join(f"<{kind} name={quoteattr(name)} {given[kind]}/>" for kind, name in sorted(assets) if name)
    return f"<asset>{made}</asset>" if made else ""


def _passed_children(element: XmlElement, ignored: frozenset[str], findings: Findings) -> Iterator[XmlElement]:
    passed, dropped = (table.get(element.tag, frozenset()) for table in (_PASSED, _DROPPED))
    for child in element.children:
        if child.tag not in passed:
            if not (element.tag == "mujoco" and child.tag in ("include", "tendon", "equality", "deformable")):
                check_element(child, element, passed | dropped, ignored, findings)
            continue
        if element.tag == "actuator" and not _moves_joint(child, findings):
            continue
        yield child


def _moves_joint(element: XmlElement, findings: Findings) -> bool:
    if element.attributes.get("joint") or element.attributes.get("jointinparent"):
        return True
    other = next((name for name in _OTHER_TARGETS if name in element.attributes), None)
    if other is None:
        findings.add("bad-actuator", "an actuator needs the attribute 'joint'", element)
    else:
        message = f"an actuator of a {other} is ignored: only actuators of joints are supported"
        findings.add_kind("other-actuator", message, element, other)
    return False


def _passed_attributes(element: XmlElement, findings: Findings) -> dict[str, str]:
    found = {}
    for name, text in element.attributes.items():
        if name in _DROPPED_ATTRIBUTES.get(element.tag, ()) or not text.strip():
            continue
        if name not in _NAMES:
            word = next((word for word in text.split() if not _is_allowed(word)), None)
            if word is not None:
                message = f"'{name}' contains {quoted(word, 40)}: numbers must be finite and at most {MAX_CONSTANT:g}"
                findings.add("bad-value", message, element, name)
        found[name] = text
    return found


def _is_allowed(word: str) -> bool:
    """Return whether a word of an attribute is allowed: a finite number up to `MAX_CONSTANT`, or a name.

    Hexadecimal numbers and the words "nan" and "inf" are not allowed.
    """
    if len(word) > MAX_NUMBER_LENGTH:
        return False
    try:
        value = float(word)
    except ValueError:
        return not re.match(r"[-+]?(nan|inf|0x)", word, re.IGNORECASE)
    return math.isfinite(value) and abs(value) <= MAX_CONSTANT


def _check_shapes(parsed: ParsedModel, meshes: MeshAssets | None, findings: Findings) -> None:
    """Report an error for each geom whose mass, inertia or shape is not known: shells, and meshes that are not read.

    Args:
        parsed: the parsed model. The meshes on which the mass of a link depends are read into its specification, and
            all other geoms with a mesh lose their mass.
        meshes: meshes of the model; None if none may be read.
        findings: receives the errors.
    """
    import mujoco

    compiler = parsed.spec.compiler
    kinds = (mujoco.mjtGeom.mjGEOM_MESH, mujoco.mjtGeom.mjGEOM_SDF)
    low, high = compiler.inertiagrouprange
    for geom in parsed.spec.geoms:
        element, body = parsed.element(geom), geom.parent
        uses_geoms = compiler.inertiafromgeom == 1 or (compiler.inertiafromgeom == 2 and not body.explicitinertial)
        if geom.typeinertia == mujoco.mjtGeomInertia.mjINERTIA_SHELL:
            hint = "give the body an <inertial>, or the geom a mass without shellinertia"
            findings.add("not-supported", "the inertia of a shell is not supported", element, "shellinertia", hint=hint)
        if geom.meshname and geom.type not in kinds:
            message = "the size of a geom cannot be computed from a mesh"
            findings.add("not-supported", message, element, "mesh", hint="give the geom a 'size' instead of 'mesh'")
        weighs = bool((geom.density if math.isnan(geom.mass) else geom.mass) != 0.0)
        if geom.type in kinds and weighs and uses_geoms and low <= geom.group <= high and not parsed.is_static(body):
            _weigh(geom, parsed, None if geom.type == mujoco.mjtGeom.mjGEOM_SDF else meshes, findings)
        elif geom.type == mujoco.mjtGeom.mjGEOM_MESH:
            geom.mass = 0.0  # of the placeholder


def _weigh(geom: Any, parsed: ParsedModel, meshes: MeshAssets | None, findings: Findings) -> None:
    """Read the mesh of a geom on which the mass of a link depends. Report an error if this is not possible.

    Args:
        geom: the geom in MuJoCo's specification.
        parsed: the parsed model, whose specification receives the mesh.
        meshes: meshes of the model; None if none may be read.
        findings: receives the error.
    """
    element, mesh = parsed.element(geom), parsed.spec.mesh(geom.meshname)
    if mesh is not None and len(mesh.userface) > 0:  # read for another geom; placeholders have no faces
        return
    try:
        if meshes is None:
            raise MeshFault("is not opened")
        if mesh is None:
            raise MeshFault("is not named in the model")
        meshes.define(mesh, element, findings)
        mesh.info = geom.info  # the place of MuJoCo's messages about the mesh
    except MeshFault as fault:
        hint = 'give the body an <inertial>, or the geom mass="0"'
        message = f"the mass of the mesh {quoted(geom.meshname)} is not known: {fault}"
        findings.add("not-supported", message, element, "type", hint=hint)


def _report(text: str, elements: list[XmlElement], findings: Findings) -> None:
    """Report an error message of MuJoCo at the element, and if possible the attribute, to which the message refers.

    Args:
        text: message of MuJoCo, with a line number of the passed text.
        elements: the element on each line of the passed text.
        findings: receives the error.
    """
    element = _located(text, elements)
    said = _PREFIX.sub("", text.strip().partition("\n")[0]).strip() or "no reason given"
    words = re.findall(r"\w+", said)
    attribute = next((word for word in words if word in element.attributes and word != "name"), None)
    may_be_included = "class" in said and any(elements[0].named("include"))
    hint = (
        "included files are not opened: if the class is in one of them, copy the class here"
        if may_be_included
        else None
    )
    findings.add("bad-model", f"MuJoCo cannot read this <{element.tag}>: {said}", element, attribute, hint=hint)


def _located(text: str, elements: list[XmlElement]) -> XmlElement:
    found = _LINE.findall(text)
    line = int(found[-1]) if found else 1
    return elements[line - 1] if 1 <= line <= len(elements) else elements[0]
