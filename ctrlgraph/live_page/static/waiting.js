/**
 * Status of starting up: what the page waits for, with controls disabled meanwhile.
 *
 * @module waiting
 */
import { $, isPlayed } from "./parts.js";

const CONNECTING = "Connecting to the server …";
const BEGINNING = "Reading the project and starting the motion …";
const COMPILING = "Compiling the simulation for this machine; this takes up to a minute the first time …";
const SIMULATING = "Simulating the motion …";
const GRAPH = "Laying out the graph …";

const NEED_SERVER = "#sequence :is(input, button), #world :is(input, select), #scripts, #filter, #editor textarea, #random, #stay, #keep";
const NEED_MOTION = "#controls :is(button, input, select), #layers input, #lanes :is(button, select), #pin, #side";

const now = { accepted: false, welcomed: false, compiling: false, moves: false, ended: false, graph: false, lost: "" };

/** Update and show the status: `accepted` and `welcomed` by the server, `compiling`, `moves`, `ended`, `graph`, `lost` (the reason). */
export function waiting(changes) {
  const before = { ...now };
  Object.assign(now, changes);
  if (Object.keys(now).every((name) => now[name] === before[name])) return;
  show();
}

function statusText() {
  if (now.compiling) return COMPILING;
  if (!now.accepted) return CONNECTING;
  if (!now.welcomed) return BEGINNING;
  return now.moves || now.ended ? "" : SIMULATING;
}

function show() {
  const status = $("status");
  const text = now.lost || statusText();
  status.textContent = text || (now.graph || isPlayed ? "" : GRAPH);
  status.classList.toggle("bad", now.lost !== "");
  $("waiting").textContent = now.lost || now.moves ? "" : text;
  $("stage").setAttribute("aria-busy", text !== "" && !now.lost);
  for (const each of document.querySelectorAll(NEED_SERVER)) each.disabled = !now.welcomed;
  for (const each of document.querySelectorAll(NEED_MOTION)) each.disabled = !now.moves;
}

/** Show the initial status. */
export function beginWaiting() { show(); }
