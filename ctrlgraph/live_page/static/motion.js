/**
 * The present motion and the motions next to it, updated as samples arrive.
 *
 * @module motion
 */
import { FIGURES } from "./figure.js";
import { $, colour, dimensions, figure, lanes, live, others, page, pinned, player, variants } from "./parts.js";
import { showCourse } from "./course.js";
import { showPlace } from "./place.js";
import { Playback } from "./playback.js";
import { make } from "./player.js";
import { showGates } from "./gates.js";
import { showWish } from "./play.js";
import { showSteering } from "./steering.js";
import { drawArrow } from "./pushing.js";
import { waiting } from "./waiting.js";

const BEFORE_S = 0.2; // lead time before a change at which playing resumes, s
const GROWING_MS = 150; // interval at which the lanes follow a growing motion
const WHOLE_S = 20; // maximum length of a motion that the lanes show completely, s
const COLOURS = ["var(--cg-node-2)", "var(--cg-node-3)", "var(--cg-node-5)", "var(--cg-node-9)"];

let lastGrown = 0;
let hasPlayed = false;

/** Show the ghosts behind the present motion and the variants next to it. */
export function showGhosts() {
  const ghosts = [];
  const side = $("side").checked;
  if ($("layer-ghost").checked && others.has("ghost")) ghosts.push({ playback: others.get("ghost"), opacity: 0.45 });
  for (const [number, k] of variants.shown()) {
    const playback = others.get(`variant:${number}`);
    if (playback && !side) ghosts.push({ playback, colour: colour(COLOURS[k % 4]), opacity: 0.7 });
  }
  for (const each of pinned) ghosts.push(each);
  figure.ghosts = ghosts;
  showSideBySide(side);
  figure.draw();
}

let pictures = [];

/** Return the pictures of variants: `number` and `view`. */
export function variantPictures() { return pictures; }

/** Show the variants in separate pictures with the same clock. */
function showSideBySide(side) {
  const shown = side ? variants.shown().filter(([number]) => others.has(`variant:${number}`)) : [];
  const element = $("side-by-side");
  element.hidden = !shown.length;
  if (shown.map(([number]) => number).join() !== pictures.map((each) => each.number).join()) {
    pictures = [];
    element.replaceChildren();
    for (const [number] of shown) {
      const canvas = make("canvas", { className: "cg-figure" });
      const label = variants.items.find((item) => item.number === number).label;
      canvas.setAttribute("role", "img");
      canvas.setAttribute("aria-label", label);
      element.append(make("figure", {}, canvas, make("figcaption", { textContent: label })));
      pictures.push({ number, view: new FIGURES[dimensions](canvas) });
    }
  }
  for (const { number, view } of pictures) {
    view.setPlayback(others.get(`variant:${number}`));
    view.draw(player.time); // the clock may be paused
  }
}

/** Show the motion at the time of the clock. */
export function drawTime() {
  const { time } = player;
  figure.draw(time);
  for (const { view } of pictures) view.draw(time);
  lanes.setTime(time);
  showCourse(time);
  live.frames += 1;
  showPlace(time);
  showSteering(time);
  showWish(time);
  showGates(time);
  drawArrow();
}

/** Add the samples of a message. */
export function takeSamples({ of, version: number, data }) {
  if (of !== "present") {
    const playback = others.get(of) ?? new Playback();
    if (!others.has(of) || of === "ghost") others.set(of, of === "ghost" ? new Playback() : playback);
    try { others.get(of).append(data); } catch { others.set(of, Playback.of(data)); }
    showGhosts();
    return;
  }
  if (player.playback !== page.present) { figure.setPlayback(page.present); player.setPlayback(page.present); }
  const began = page.present.samples === 0;
  page.present.append(data);
  waiting({ moves: true });
  if (began) { figure.setPlayback(page.present); lanes.setPlayback(page.present); }
  if (began && !hasPlayed && !matchMedia("(prefers-reduced-motion: reduce)").matches) { hasPlayed = true; player.play(); }
  if (page.wanted !== null) {
    const goal = page.wanted;
    player.changed();
    player.seek(Math.min(goal, page.present.end));
    if (page.present.end >= goal) page.wanted = null;
    else page.wanted = goal;
  } else player.changed();
  followGrowth();
  page.shownPlace = null;
  if (!(number in live.firstFrames)) {
    requestAnimationFrame(() => { live.firstFrames[number] ??= performance.timeOrigin + performance.now(); });
  }
}

/** Update the lanes of a growing motion, at intervals and at its end. */
export function followGrowth(last = false) {
  const now = performance.now();
  if (!page.present.samples || (now - lastGrown < GROWING_MS && !last)) return;
  lastGrown = now;
  const whole = !zoomed && page.present.end - page.present.start <= WHOLE_S;
  lanes.follow = !whole;
  lanes.setPlayback(page.present);
  if (whole) lanes.showAll();
}

let zoomed = false; // the user has zoomed the lanes
$("lanes").addEventListener("click", ({ target }) => {
  const button = target.closest(".cg-lane-bar button");
  if (button) zoomed = button.textContent !== "All";
});
$("lanes").addEventListener("wheel", (event) => { if (event.ctrlKey || event.metaKey || event.shiftKey) zoomed = true; }, { passive: true });

/** Drop the samples of the motion from a number on. */
export function cutTo(samples) {
  const { present } = page;
  if (present.samples <= samples) return;
  present.cut(samples);
  player.changed();
}

/** Handle a branch: the motion is simulated again from a moment on. */
export function takeBranch(message) {
  live.version = message.version;
  const time = player.time;
  if (!message.keeps_ghost && page.present.samples) {
    others.set("ghost", page.present.copy());
    showGhosts();
  }
  page.wanted = null;
  player.live = true; // until the server reports its end
  if (message.sample === 0) {
    page.present.samples = 0;
    if (page.playsNext) { player.seek(0); player.play(); }
    page.playsNext = false;
  }
  if (message.time >= time - 1e-6 || (page.steers && player.playing)) return;
  if (player.playing) player.seek(Math.max(message.time - BEFORE_S, 0));
  else page.wanted = time;
}
