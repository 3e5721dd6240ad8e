/**
 * What runs at a moment, shown: its lines, its constants, its node.
 *
 * @module place
 */
import { $, editor, page, scripts, sliders, text } from "./parts.js";

/** Show what runs now: its lines, its constants, its node. */
export function showPlace(time) {
  if (!page.present.samples) return;
  const place = page.present.placeAt(page.present.indexAt(time));
  if (place === page.shownPlace?.place && page.shownPath === page.shownPlace.path) return;
  page.shownPlace = { place, path: page.shownPath };
  $("now").textContent = place.script ? `${place.script.split("/").pop()}, phase ${place.phase}` : text(place.node);
  $("now").disabled = !place.script;
  lightLines(place);
  const segment = page.state?.segments.findLast((each) => each.from <= time + 1e-6);
  page.graph?.light(place.node, segment?.source ? { source: segment.source, kind: segment.kind } : null);
  if (place.node !== centred) centreGraph(place.node);
}

let centred = null;

/** Let the active node be brought into the middle again. */
export function forgetNode() { centred = null; }

/** Bring the active node into the middle of the graph's panel, unless somebody is looking for another one there. */
function centreGraph(node) {
  const panel = $("graph");
  const lit = panel.querySelector(".cg-node.cg-lit");
  if (!lit || $("panel-graph").hidden || panel.matches(":hover, :focus-within")) return;
  centred = node;
  const [box, at] = [panel.getBoundingClientRect(), lit.getBoundingClientRect()];
  panel.scrollBy(at.left + at.width / 2 - box.left - box.width / 2, at.top + at.height / 2 - box.top - box.height / 2);
}

function lightLines(place) {
  const script = scripts.get(page.shownPath);
  const here = place.script === page.shownPath;
  const phase = here ? script?.phases.find((each) => each.phase === place.phase) : null;
  editor.light(phase?.first ?? 0, phase?.last ?? 0);
  sliders.lightPhase(here ? place.phase : null);
}
