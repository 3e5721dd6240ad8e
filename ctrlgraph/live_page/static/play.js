/**
 * Playing: keys and buttons that steer the motion, always visible below the picture.
 *
 * @module play
 */
import { $, dimensions, figure, isPlayed, page, player, send, text } from "./parts.js";
import { setGates } from "./gates.js";
import { make } from "./player.js";
import { choose, isSteered } from "./steering.js";

const FAR = 0.55; // zoom of the picture
const RECENT_MS = 1000; // within this time of a key, the server's states may lack its choice

let nodes = { start: "", speeds: [], jump: [], down: [], gates: [] };
let last = null; // last choice of a node that goes on: its name, and when it was made

const ACTIONS = [
  { keys: ["ArrowRight", "w"], shown: "→", name: "faster", is: () => nodes.speeds.length, act: () => change(1) },
  { keys: ["ArrowLeft", "s"], shown: "←", name: "slower", is: () => nodes.speeds.length, act: () => change(-1) },
  { keys: ["x"], shown: "X", name: "stop", is: () => true, act: () => go(nodes.start) },
  { keys: [" "], shown: "Space", name: "jump", is: () => nodes.jump.length, act: () => choose(nodes.jump[0]) },
  { keys: ["ArrowDown", "z"], shown: "↓", name: "down", is: () => nodes.down.length, act: () => go(nodes.down[Math.min(nodes.down.indexOf(goal()) + 1, nodes.down.length - 1)]) },
  { keys: ["ArrowUp", "u"], shown: "↑", name: "up", is: () => nodes.down.length, act: () => { if (nodes.down.includes(goal())) go(nodes.start); } },
];
const GAIT_HINTS = [["W S", "or"], ["↑ ↓", "faster, slower"], ["A D", "or"], ["← →", "turn, while held"], ["Q E", "sideways, while held"], ["0 to 9", "gait"]];
const OTHERS = [
  { keys: ["p"], shown: "P", name: "pause", is: () => true, act: () => player.toggle() },
  { keys: ["r"], shown: "R", name: "new start", is: () => true, act: () => { page.playsNext = true; last = null; send({ type: "plan", nodes: [] }); } },
];

/** Return the actions that the character has keys for. Arrows steer gaits. */
function actions() {
  const withGaits = ACTIONS.filter(({ name }) => name !== "faster" && name !== "slower").map((each) => ({ ...each, keys: each.keys.slice(-1), shown: each.keys.at(-1) === " " ? "Space" : each.keys.at(-1).toUpperCase() }));
  return [...(isSteered() ? withGaits : ACTIONS), ...OTHERS].filter(({ is }) => is());
}

/** Descriptions of the keys. */
export function playKeys() {
  return [...(isSteered() ? [["W S or ↑ ↓", "faster, slower"], ["A D or ← →", "turn, while held"], ...GAIT_HINTS.slice(4)] : []), ...actions().map(({ keys, shown, name }) => [keys[1] ? `${shown} ${keys[1].toUpperCase()}` : shown, name]), ["drag the character", "push it"]];
}

/** Show the keys; `found`: the nodes that they choose. */
export function setPlayedNodes(found) {
  if (!found) return;
  if ($("play").hidden) { // what is ahead is to be seen
    if (dimensions === 3) {
      figure.turns = true;
      figure.setView("behind");
    }
    figure.zoomBy(FAR);
  }
  nodes = found;
  const buttons = actions().map(({ shown, name, act }) => {
    const button = make("button", { type: "button", className: "cg-button" }, make("kbd", { textContent: shown }), ` ${name}`);
    button.dataset.action = name;
    button.addEventListener("click", () => { act(); button.blur(); });
    return button;
  });
  const hints = isSteered() ? GAIT_HINTS.map(([keys, what]) => make("span", { className: "hint" }, make("kbd", { textContent: keys }), ` ${what}`)) : [];
  $("play").replaceChildren(...hints, ...buttons, make("span", { className: "hint" }, make("kbd", { textContent: "mouse" }), " drag the character to push it"), make("output", { id: "gates-passed" }), make("output", { id: "wish" }));
  if (nodes.gates.length) setGates(nodes.gates);
  $("play").hidden = false;
  player.setLoop(false);
  showWish(player.time);
}

/** Return the node that goes on at the time of the clock, as far as the player has chosen. */
function goal() {
  if (last && performance.now() - last.made < RECENT_MS) return last.node;
  const choices = (page.state?.events ?? []).filter((each) => each.node && !nodes.jump.includes(each.node) && each.time <= player.time + 0.05);
  return choices.at(-1)?.node ?? nodes.start;
}

function go(node) {
  last = { node, made: performance.now() };
  choose(node);
}

function change(by) {
  const { speeds, start } = nodes;
  const now = speeds.includes(goal()) ? speeds.indexOf(goal()) : speeds.indexOf(start);
  const next = Math.min(Math.max(now + by, 0), speeds.length - 1);
  if (next !== now || !speeds.includes(goal())) go(speeds[next]);
}

/** Show what runs at the time of the clock, and what the player has chosen. */
export function showWish(time) {
  if (!isPlayed || !$("wish")) return;
  const running = page.state?.segments.findLast((each) => each.from <= time + 1e-6)?.name;
  const wanted = goal();
  const shown = running === wanted || isSteered() ? `${text(running ?? "")}` : `${text(running ?? "")}, then ${text(wanted)}`;
  const waits = page.state?.ended === null && time >= page.present.end - 0.02;
  $("wish").classList.toggle("waits", waits);
  if ($("wish").textContent !== shown) $("wish").textContent = shown;
}

document.body.addEventListener("keydown", (event) => {
  if (!isPlayed || $("play").hidden || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
  if (event.target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName)) return;
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const action = actions().find(({ keys }) => keys.includes(key));
  if (!action) return;
  event.preventDefault();
  event.stopPropagation();
  if (!event.repeat) action.act();
}, true);
