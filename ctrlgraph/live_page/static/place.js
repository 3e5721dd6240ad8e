/**
 * Highlighting of what runs at the time of the clock: script lines, constants, node.
 *
 * @module place
 */
import { $, editor, page, scripts, sliders, text } from "./parts.js";

/** Fires "place" (detail: the place) when another phase, script or node runs. */
export const places = new EventTarget();

/** Highlight what runs now. */
export function showPlace(time) {
  if (!page.present.samples) return;
  const place = page.present.placeAt(page.present.indexAt(time));
  if (place === page.shownPlace?.place && page.shownPath === page.shownPlace.path) return;
  page.shownPlace = { place, path: page.shownPath };
  places.dispatchEvent(new CustomEvent("place", { detail: place }));
  $("now").textContent = place.script ? `${place.script.split("/").pop()}, phase ${place.phase}` : text(place.node);
  $("now").disabled = !place.script;
  lightLines(place);
  const segment = page.state?.segments.findLast((each) => each.from <= time + 1e-6);
  page.graph?.light(place.node, segment?.source ? { source: segment.source, kind: segment.kind } : null);
}

function lightLines(place) {
  const script = scripts.get(page.shownPath);
  const here = place.script === page.shownPath;
  const phase = here ? script?.phases.find((each) => each.phase === place.phase) : null;
  editor.light(phase?.first ?? 0, phase?.last ?? 0);
  sliders.lightPhase(place.script, place.phase);
}
