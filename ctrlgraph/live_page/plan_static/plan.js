/**
 * The page on which planned robots are steered: keys, drawn paths, waypoints, pushes and unsafe places.
 *
 * @module plan
 */
import { Connection } from "./connection.js";
import { clear, colour, drawPlan, PLAN_LEGEND, PLAN_VIEWS } from "./planview.js";

const KEPT = 400; // points of shown paths, and number of shown updates
const MOST_MS = 2; // upper end of the plot of updates
const FRAME_MS = 1000 / 60;
const FASTER = 0.2; // of the usual speed, for each press
const SIDEWAYS = 0.25; // of the usual speed, while held
const PUSH_PER_M = 0.8; // m/s for each metre of a drag
const MOST_PUSH = 0.8; // m/s
const NEAR_PX = 45; // a drag that begins so near to the robot pushes it
const POINT_M = 0.08; // distance of the points of a drawn path
const MOST_POINTS = 500;
const UNSAFE_M = 0.12;
const NOTICE_MS = 8000;
const HELD = { a: ["turn", 1], arrowleft: ["turn", 1], d: ["turn", -1], arrowright: ["turn", -1], q: ["left", 1], e: ["left", -1] };
const KEYS = [["W S ↑ ↓", "faster, slower"], ["A D ← →", "turn, while held"], ["Q E", "sideways, while held"], ["X", "stop"], ["P", "pause"], ["R", "new start"], ["1 to 4", "robot"], ["click", "waypoint"], ["drag on the ground", "draw a path"], ["drag the robot", "push it"], ["Shift click", "unsafe place"]];

const $ = (id) => document.getElementById(id);
const make = (name, properties, ...children) => { const element = Object.assign(document.createElement(name), properties); element.append(...children); return element; };
const connection = new Connection();

let robot = null; // the welcome
let now = null; // the last plan
let [mass, pressure, prints, updates] = [[], [], [], []];
let before = []; // which feet were on the ground
let forward = 0; // commanded, m/s
const held = new Set();
let paused = false;
let drag = null; // { pushes, points: places on the ground }
let place = null; // place on the ground below a pixel

for (const [name, title] of PLAN_LEGEND) $("legend").append(make("span", { className: `dot is-${name}` }), `${title} `);
$("keys").append(...KEYS.map(([keys, what]) => make("div", {}, make("dt", { textContent: keys }), make("dd", { textContent: what }))));
$("view").append(...Object.keys(PLAN_VIEWS).map((each) => make("option", { value: each, textContent: each })));
$("view").addEventListener("change", () => { $("view").blur(); draw(); });

// --- messages ---

connection.addEventListener("lost", ({ detail }) => { $("status").textContent = detail.reason; });
connection.addEventListener("message", ({ detail: message }) => {
  if (message.type === "welcome") welcome(message);
  else if (message.type === "plan") take(message);
  else if (message.type === "notice") notify(message.message);
  else if (message.type === "compiling") $("status").textContent = message.now ? "Compiling; this takes up to a minute …" : "";
});

/** Show a sentence for some seconds. */
function notify(sentence) {
  $("status").textContent = sentence;
  setTimeout(() => { if ($("status").textContent === sentence) $("status").textContent = ""; }, NOTICE_MS);
}

function welcome(message) {
  robot = message;
  $("status").textContent = "";
  $("robot").replaceChildren(...robot.robots.map((name, k) => make("option", { value: name, textContent: `${k + 1} ${name}`, selected: name === robot.robot })));
  forget();
  paused = robot.paused;
}

function forget() { [mass, pressure, prints, updates, before, now, forward, paused] = [[], [], [], [], [], null, 0, false]; }

function corners([x, y, angle]) {
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  return robot.contact.map(([u, v]) => [x + c * u - s * v, y + s * u + c * v]);
}

function take(message) {
  if (now && message.time < now.time) forget();
  now = message;
  mass = [...mass, message.mass].slice(-5 * KEPT);
  pressure = [...pressure, message.pressure].slice(-100);
  updates = [...updates, message.ms].slice(-KEPT);
  message.ground.forEach((stands, foot) => {
    if (stands && !before[foot]) prints = [...prints, { foot, corners: corners(message.poses[foot]), past: false, planned: false, label: `${message.time.toFixed(2)} s` }].slice(-60);
    if (!stands && before[foot]) for (const each of prints) if (each.foot === foot) [each.past, each.label] = [true, ""];
  });
  before = message.ground;
}

// --- the picture ---

function draw() {
  if (!now) return;
  const planned = now.next.map(([foot, x, y, angle, until]) => ({ foot, corners: corners([x, y, angle]), planned: true, past: false, label: `in ${until.toFixed(2)} s` }));
  const standing = robot.hips.flatMap((_, foot) => (now.ground[foot] ? corners(now.poses[foot]) : []));
  const scene = { hips: robot.hips, unsafe: now.unsafe, prints: [...prints, ...planned], legs: now.legs, trunk: now.trunk, heading: now.heading, inside: now.outside === 0, standing, mass, pressure, way: now.way };
  if (drag?.pushes) scene.push = [now.mass, drag.points.at(-1)];
  else if (drag) scene.way = drag.points;
  place = drawPlan($("figure"), scene, $("view").value);
  const [ahead, left, turn] = now.command;
  const [feasible] = now.feasible;
  const support = now.outside === null ? "no foot on the ground" : now.outside === 0 ? "centre of pressure inside its support" : `centre of pressure ${(1000 * now.outside).toFixed(1)} mm outside its support`;
  $("facts").textContent = `${now.time.toFixed(2)} s: forward ${ahead.toFixed(2)} m/s (feasible ${feasible.toFixed(2)}), left ${left.toFixed(2)} m/s, turn ${turn.toFixed(2)} rad/s; ${now.standing ? "standing; " : ""}${support}`;
  const sorted = [...updates].sort((a, b) => a - b);
  $("times").textContent = `milliseconds of CPU time of each update: now ${now.ms.toFixed(2)}, median ${sorted[Math.floor(sorted.length / 2)].toFixed(2)}, largest of the last ${sorted.length} ${sorted.at(-1).toFixed(2)}; a frame at 60 Hz has ${FRAME_MS.toFixed(1)}`;
  const [c, width, height] = clear($("updates"));
  c.fillStyle = colour("accent");
  updates.forEach((ms, k) => { const tall = Math.min(ms / MOST_MS, 1) * height; c.fillRect((k * width) / KEPT, height - tall, width / KEPT, tall); });
}

// --- keys ---

function command() {
  const sum = (name) => [...held].reduce((total, key) => total + (HELD[key][0] === name ? HELD[key][1] : 0), 0);
  connection.send({ type: "velocity", forward, left: SIDEWAYS * robot.speed * sum("left"), turn: robot.turning * sum("turn") });
}

function begin(name) { if (connection.send({ type: "begin", robot: name })) held.clear(); }

const ACTIONS = {
  w: () => { forward = Math.min(forward + FASTER * robot.speed, 2 * robot.speed); command(); },
  s: () => { forward = Math.max(forward - FASTER * robot.speed, -2 * robot.speed); command(); },
  x: () => { forward = 0; held.clear(); command(); },
  p: () => { paused = !paused; connection.send({ type: "pause", on: paused }); },
  r: () => begin(robot.robot),
};
[ACTIONS.arrowup, ACTIONS.arrowdown] = [ACTIONS.w, ACTIONS.s];

addEventListener("keydown", (event) => {
  if (!robot || event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|SELECT)$/.test(event.target.tagName)) return;
  const key = event.key.toLowerCase();
  const chosen = /^[1-9]$/.test(key) ? robot.robots[Number(key) - 1] : null;
  if (!chosen && !(key in ACTIONS) && !(key in HELD)) return;
  event.preventDefault();
  if (event.repeat) return;
  if (chosen) begin(chosen);
  else if (key in ACTIONS) ACTIONS[key]();
  else { held.add(key); command(); }
});
addEventListener("keyup", (event) => { if (held.delete(event.key.toLowerCase())) command(); });
addEventListener("blur", () => { if (held.size) { held.clear(); command(); } });
$("robot").addEventListener("change", () => { begin($("robot").value); $("robot").blur(); });

// --- the mouse ---

function ground(event) {
  const box = $("figure").getBoundingClientRect();
  return place(event.clientX - box.left, event.clientY - box.top);
}

$("figure").addEventListener("pointerdown", (event) => {
  if (!now || !place || event.button !== 0) return;
  const [x, y] = ground(event);
  if (event.shiftKey) { connection.send({ type: "unsafe", x, y, radius: UNSAFE_M }); return; }
  const box = $("figure").getBoundingClientRect();
  const aside = Math.abs(event.clientX - box.left - box.width / 2);
  const pushes = aside < NEAR_PX && event.clientY - box.top > 0.08 * box.height && Math.hypot(x - now.mass[0], y - now.mass[1]) < 0.6 + ($("view").value === "above" ? -0.35 : 0.6);
  drag = { pushes, points: [[x, y]] };
  $("figure").setPointerCapture(event.pointerId);
});
$("figure").addEventListener("pointermove", (event) => {
  if (!drag) return;
  const point = ground(event);
  const [x, y] = drag.points.at(-1);
  if (drag.pushes) drag.points = [drag.points[0], point];
  else if (Math.hypot(point[0] - x, point[1] - y) > POINT_M && drag.points.length < MOST_POINTS) drag.points.push(point);
});
$("figure").addEventListener("pointerup", () => {
  if (!drag) return;
  const { pushes, points } = drag;
  drag = null;
  if (!pushes) { forward = 0; connection.send({ type: "way", points, more: points.length === 1 }); return; }
  const [[ax, ay], [bx, by]] = [points[0], points.at(-1)];
  const size = Math.hypot(bx - ax, by - ay) * PUSH_PER_M;
  const share = size > MOST_PUSH ? MOST_PUSH / size : 1;
  if (size > 0) connection.send({ type: "impulse", x: share * PUSH_PER_M * (bx - ax), y: share * PUSH_PER_M * (by - ay) });
});
$("figure").addEventListener("pointercancel", () => { drag = null; });

function step() { draw(); requestAnimationFrame(step); }
connection.connect();
requestAnimationFrame(step);
window.ctrlgraphPlan = { time: () => now?.time ?? 0, command: () => now?.command, mass: () => now?.mass, robot: () => robot?.robot };
