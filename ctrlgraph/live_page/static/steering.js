/**
 * Steering of a character in space with gaits: keys for its velocity, and number keys for gaits.
 *
 * @module steering
 */
import { $, isPlayed, page, player, send, text } from "./parts.js";
import { make } from "./player.js";

const FASTER = 0.1; // m/s for each press of W or S
const SIDEWAYS = 0.25; // m/s while Q or E is held
const TURN = 0.8; // rad/s while A or D is held
const HELD = { a: ["turn", TURN], d: ["turn", -TURN], q: ["sideways", SIDEWAYS], e: ["sideways", -SIDEWAYS] };
const ARROWS = isPlayed ? { arrowup: "w", arrowdown: "s", arrowleft: "a", arrowright: "d" } : {};
const SAME_S = 1e-6;
const RECENT_MS = 1000; // within this time of a command, the server's states may lack it
const BACK_S = 0.5; // the clock steps back by less when the motion is cut at a command, and waits for new samples

/** Descriptions of the keys. */
export const STEERING_KEYS = [["W S", "faster, slower"], ["A D", "turn left, right, while held"], ["Q E", "step left, right, while held"], ["0 to 9", "choose a gait"], ["Shift 1 to 5", "views"]];

let nodes = [];
const held = new Set(); // keys
let steered = null; // node whose desired velocity the held keys have changed
let last = null; // last command: its node, its time in the motion, and when it was sent

/** Whether the project has gaits, which the keys steer. */
export function isSteered() { return nodes.length > 0; }

/** Show the nodes that keys choose. */
export function setSteeredNodes(found) {
  nodes = found ?? [];
  $("steering").hidden = !nodes.length;
  $("gaits").replaceChildren(...nodes.map(({ name }, k) => {
    const button = make("button", { type: "button", className: "cg-button", textContent: k < 10 ? `${k} ${text(name)}` : text(name) });
    button.dataset.node = name;
    button.addEventListener("click", () => choose(name));
    return button;
  }));
}

/** Return the desired velocity at a time: [forward, sideways, turn]; null if no gait runs. */
export function commandAt(time) {
  const segments = (page.state?.segments ?? []).filter((each) => each.from <= time + SAME_S);
  const name = segments.at(-1)?.name;
  const own = nodes.find((each) => each.name === name)?.command;
  if (!own) return null;
  const other = segments.findLastIndex((each) => each.name !== name);
  const begins = segments[other + 1].from;
  const last = page.state.events.filter((each) => "turn" in each && each.time >= begins - SAME_S && each.time <= time + SAME_S).at(-1);
  return last ? [last.forward, last.sideways, last.turn] : own;
}

/** Show the desired velocity and the gait at the time of the clock. */
export function showSteering(time) {
  if (!nodes.length) return;
  const command = commandAt(time);
  if (held.size && command && runningAt(time) !== steered) for (const name of new Set([...held].map((key) => HELD[key][0]))) steerHeld(name);
  const [forward, sideways, turn] = (command ?? [0, 0, 0]).map((each) => each.toFixed(2));
  $("command").textContent = command ? `forward ${forward} m/s, sideways ${sideways} m/s, turn ${turn} rad/s` : "no gait runs";
  const running = runningAt(time);
  for (const button of $("gaits").children) button.setAttribute("aria-pressed", button.dataset.node === running);
}

/** Let the motion go to a node. */
export function choose(node) {
  player.play();
  send({ type: "drive", time: player.time, node });
}

function runningAt(time) { return page.state?.segments.findLast((each) => each.from <= time + SAME_S)?.name; }

function steer(change) {
  const node = runningAt(player.time);
  const recent = last && (!node || last.node === node) && (performance.now() - last.sent < RECENT_MS || isBefore(last.time)) ? last : null;
  const now = recent ? recent.command : commandAt(player.time);
  if (!now && isPlayed) choose(slowest());
  if (!now) return;
  const command = { forward: now[0], sideways: now[1], turn: now[2] };
  Object.assign(command, change(command));
  player.play();
  const time = recent ? Math.max(player.time, recent.time + SAME_S) : player.time;
  if (!send({ type: "steer", time, ...command })) return;
  page.state.events.push({ time, ...command }); // until the server's answer
  last = { node, time, command: [command.forward, command.sideways, command.turn], sent: performance.now() };
}

/** Whether the clock has stepped back to just before the time of a command. */
function isBefore(time) { return player.time < time && player.time > time - BACK_S; }

/** Return the slowest gait that a player can choose. */
function slowest() {
  const { speeds, start } = page.welcomed.play;
  return speeds.find((name) => name !== start && nodes.some((each) => each.name === name && each.command)) ?? start;
}

/** Set a component of the desired velocity to that of the gait plus the keys that are held. */
function steerHeld(name) {
  const keys = [...held].filter((key) => HELD[key][0] === name);
  steered = runningAt(player.time);
  const [, sideways, turn] = nodes.find((each) => each.name === steered)?.command ?? [0, 0, 0];
  steer(() => ({ [name]: keys.reduce((sum, key) => plus(sum, HELD[key][1]), { sideways, turn }[name]) }));
}

const plus = (value, by) => Number((value + by).toFixed(3));

function isTyped(target) { return target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName); }

document.body.addEventListener("keydown", (event) => {
  if (!nodes.length || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || isTyped(event.target)) return;
  const key = ARROWS[event.key.toLowerCase()] ?? event.key.toLowerCase();
  const node = /^[0-9]$/.test(key) ? nodes[Number(key)] : null;
  if (!node && !(key in HELD) && key !== "w" && key !== "s") return;
  if (event.target === $("figure") && key === "0") event.stopPropagation();
  event.preventDefault();
  if (event.repeat) return;
  if (node) choose(node.name);
  else if (key in HELD) {
    if (held.has(key)) return;
    held.add(key);
    steerHeld(HELD[key][0]);
  } else steer((now) => ({ forward: plus(now.forward, key === "w" ? FASTER : -FASTER) }));
}, true);

document.body.addEventListener("keyup", ({ key: pressed }) => {
  const key = ARROWS[pressed.toLowerCase()] ?? pressed.toLowerCase();
  if (held.delete(key)) steerHeld(HELD[key][0]);
});
addEventListener("blur", () => {
  const names = new Set([...held].map((key) => HELD[key][0]));
  held.clear();
  names.forEach(steerHeld);
});
