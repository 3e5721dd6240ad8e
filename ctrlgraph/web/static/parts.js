/**
 * What the modules of the live page have in common: its parts, and what it knows.
 *
 * @module parts
 */
import { Connection } from "./connection.js";
import { Editor } from "./editor.js";
import { FigureView } from "./figure.js";
import { LanesView } from "./lanes.js";
import { SearchChart, Variants } from "./panels.js";
import { Playback } from "./playback.js";
import { Player } from "./player.js";
import { Sliders } from "./sliders.js";

export const $ = (id) => document.getElementById(id);
export const text = (name) => name.replaceAll("_", " ");

export const connection = new Connection();
export const player = new Player();
export const figure = new FigureView($("figure"));
export const lanes = new LanesView($("lanes"), {
  lanes: [{ kind: "visit" }, { kind: "phase" }, { kind: "contacts" }, { kind: "signal", names: ["com_y"] }], chooser: true,
});
export const editor = new Editor($("editor"));
export const sliders = new Sliders($("constants"));
export const variants = new Variants($("variants"));
export const chart = new SearchChart($("search-chart"), $("search-told"), $("search-terms"));

/** What is known: the motion, the server's last words, and what is shown of them. */
export const page = {
  present: new Playback(),
  graph: null,
  state: null,
  welcomed: null,
  wanted: null, // where the clock is to stand again once the motion has come there
  shownPath: null,
  shownPlace: null,
  sentEdit: null, // one text is under way at a time
  playsNext: false, // the motion that was asked for is to play at once
};
export const others = new Map(); // "ghost", "search", "variant:1" ...
export const pinned = [];
export const scripts = new Map(); // by path: revision, digest, saved, phases, synced (the server's text), text

/** What tests and measurements look at. */
export const live = {
  player, figure, lanes, frames: 0, version: 0, firstFrames: {}, findingsAt: {},
  get present() { return page.present; }, get others() { return others; }, get state() { return page.state; }, get path() { return page.shownPath; },
};
window.ctrlgraphLive = live;

/** Return a colour of the theme. */
export function colour(name) { return getComputedStyle(document.documentElement).getPropertyValue(name.slice(4, -1)).trim(); }

/** Send a message; says so where there is no connection, and returns whether there is. */
export function send(message) {
  const sent = connection.send(message);
  if (!sent && message.type !== "playhead") tell("There is no connection: this has not been done.");
  return sent;
}

/** Show a sentence above everything else; `good`: it is no complaint. */
export function tell(told, { good = false } = {}) {
  $("message").hidden = false;
  $("message").classList.toggle("good", good);
  $("message").querySelector("span").textContent = told;
}
$("message").querySelector("button").addEventListener("click", () => { $("message").hidden = true; });
