/**
 * Shared elements and state of the live page.
 *
 * @module parts
 */
import { Connection } from "./connection.js";
import { Editor } from "./editor.js";
import { FIGURES } from "./figure.js";
import { LanesView } from "./lanes.js";
import { Variants } from "./panels.js";
import { Playback } from "./playback.js";
import { Player } from "./player.js";
import { Sliders } from "./sliders.js";

export const $ = (id) => document.getElementById(id);
export const text = (name) => name.replaceAll("_", " ");

/** Number of dimensions of the motion. */
export const dimensions = Number(document.documentElement.dataset.dimensions);

/** Whether the motion is played, and not edited. */
export const isPlayed = document.documentElement.dataset.mode === "play";
if (dimensions === 3) await import("./space.js");

export const connection = new Connection();
export const player = new Player();
export const figure = new FIGURES[dimensions]($("figure"));
export const lanes = new LanesView($("lanes"), {
  lanes: [{ kind: "visit" }, { kind: "phase" }, { kind: "contacts" }, { kind: "signal", names: [dimensions === 3 ? "com_z" : "com_y"] }], chooser: true,
});
export const editor = new Editor($("editor"));
export const sliders = new Sliders($("constants"));
export const variants = new Variants($("variants"));

/** State of the page: the motion, the latest messages of the server, and the selection. */
export const page = {
  present: new Playback(),
  graph: null,
  state: null,
  welcomed: null,
  wanted: null, // time to return to once the motion reaches it
  shownPath: null,
  shownPlace: null,
  sentEdit: null, // one text is in transit at a time
  steers: false, // the last change was steering: the picture goes on, because the motion up to the clock stays the same
  playsNext: false, // play the requested motion when it arrives
};
export const others = new Map(); // "ghost", "variant:1" ...
export const pinned = [];
export const scripts = new Map(); // by path: revision, digest, saved, phases, synced (the server's text), text

/** Handles for tests and measurements. */
export const live = {
  player, figure, lanes, frames: 0, version: 0, firstFrames: {}, findingsAt: {},
  get present() { return page.present; }, get others() { return others; }, get state() { return page.state; }, get path() { return page.shownPath; },
};
window.ctrlgraphLive = live;

/** Return a colour of the theme. */
export function colour(name) { return getComputedStyle(document.documentElement).getPropertyValue(name.slice(4, -1)).trim(); }

/** Send a message; show an error if there is no connection. Return whether it was sent. */
export function send(message) {
  const sent = connection.send(message);
  if (message.type !== "playhead") page.steers = message.type === "steer" || message.type === "drive";
  if (!sent && message.type !== "playhead") tell("There is no connection to the server; nothing was changed.");
  return sent;
}

/** Show a sentence at the top of the page; `good`: it is not an error. */
export function tell(sentence, { good = false } = {}) {
  $("message").hidden = false;
  $("message").classList.toggle("good", good);
  $("message").querySelector("span").textContent = sentence;
}
$("message").querySelector("button").addEventListener("click", () => { $("message").hidden = true; });
