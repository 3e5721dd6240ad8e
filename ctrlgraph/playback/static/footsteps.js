/**
 * The page of a planned motion: the robot, its footsteps, support and centre of pressure, and the updates.
 *
 * @module footsteps
 */
import { embeddedBytes } from "./playback.js";
import { clear, colour, drawPlan, PLAN_LEGEND, PLAN_VIEWS } from "./planview.js";

const AHEAD_S = 1.0; // next footprints that are shown
const SPEEDS = [0.25, 0.5, 1, 2, 4];
const LOST_MS = 4; // upper end of the plot of updates, ms

const data = JSON.parse(new TextDecoder().decode(await embeddedBytes(document.getElementById("plan"))));
const { tick, contact, hips, pressure, mass, heading, poses, ground, outside, update_ms: updates, command, unsafe, legs, trunk } = data;
const count = pressure.length;
const make = (name, properties, ...children) => { const element = Object.assign(document.createElement(name), properties); element.append(...children); return element; };

// --- ground contacts: foot, first tick, last tick, corners ---

function corners([x, y, angle]) {
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  return contact.map(([u, v]) => [x + c * u - s * v, y + s * u + c * v]);
}

const prints = [];
hips.forEach((_, foot) => {
  let begin = -1;
  for (let i = 0; i <= count; i++) {
    const stands = i < count && ground[i][foot];
    if (stands && begin < 0) begin = i;
    if (!stands && begin >= 0) { prints.push({ foot, begin, end: i, corners: corners(poses[begin][foot]) }); begin = -1; }
  }
});

// --- the page ---

const canvas = make("canvas", { className: "cg-figure", tabIndex: 0 });
canvas.setAttribute("role", "img");
canvas.setAttribute("aria-label", "The robot");
const plot = make("canvas", { className: "cg-lane" });
plot.setAttribute("role", "img");
plot.setAttribute("aria-label", "CPU time of each update");
const button = make("button", { type: "button", className: "cg-button", textContent: "Pause" });
const slider = make("input", { type: "range", className: "cg-slider", min: 0, max: count - 1, step: 1, value: 0 });
slider.setAttribute("aria-label", "Time");
const speeds = make("select", {}, ...SPEEDS.map((each) => make("option", { value: each, textContent: `${each}×`, selected: each === 1 })));
speeds.setAttribute("aria-label", "Speed");
const views = make("select", {}, ...Object.keys(PLAN_VIEWS).map((each) => make("option", { value: each, textContent: each })));
views.setAttribute("aria-label", "View");
const clock = make("span", { className: "cg-clock" });
const facts = make("p", { className: "facts" });
const legend = make("p", { className: "facts legend" });
for (const [name, title] of PLAN_LEGEND) {
  const dot = make("span", { className: "dot" });
  dot.dataset.colour = name;
  legend.append(dot, `${title} `);
}
document.getElementById("page").append(
  make("div", { className: "figure" }, canvas), make("div", { className: "cg-controls" }, button, slider, clock, speeds, views), facts, legend, plot,
  make("p", { className: "facts", textContent: `milliseconds of CPU time of each update: median ${data.p50.toFixed(2)}, 99th percentile ${data.p99.toFixed(2)}` }),
);

let [at, playing, last] = [0, !matchMedia("(prefers-reduced-motion: reduce)").matches, performance.now()];

/** Return what is drawn at a tick. */
function sceneAt(i) {
  const shown = prints.filter((each) => (each.begin - i) * tick <= AHEAD_S).map(({ foot, begin, end, corners: outline }) => {
    const until = (begin - i) * tick;
    const label = until > 0 ? `in ${until.toFixed(2)} s` : end > i ? `${(begin * tick).toFixed(2)} s` : "";
    return { foot, corners: outline, planned: until > 0, past: end <= i, label };
  });
  return {
    hips, unsafe, prints: shown, legs: legs[i], trunk: trunk[i], heading: heading[i], inside: outside[i] === 0,
    standing: hips.flatMap((_, foot) => (ground[i][foot] ? corners(poses[i][foot]) : [])),
    mass: mass.slice(0, i + 1), pressure: pressure.slice(Math.max(i - 100, 0), i + 1),
  };
}

function draw() {
  const i = Math.min(Math.floor(at), count - 1);
  drawPlan(canvas, sceneAt(i), views.value);
  drawPlot(i);
  slider.value = i;
  clock.textContent = `${(i * tick).toFixed(2)} / ${((count - 1) * tick).toFixed(2)} s`;
  const [forward, left, turning] = command[i];
  const support = outside[i] === null ? "no foot on the ground" : outside[i] === 0 ? "centre of pressure inside its support" : `centre of pressure ${(1000 * outside[i]).toFixed(1)} mm outside its support`;
  facts.textContent = `command: forward ${forward.toFixed(2)} m/s, left ${left.toFixed(2)} m/s, turn ${turning.toFixed(2)} rad/s; ${support}; update ${updates[i].toFixed(2)} ms`;
}

function drawPlot(i) {
  const [c, width, height] = clear(plot);
  const top = Math.max(LOST_MS / 4, data.p99 * 1.5);
  c.fillStyle = colour("accent");
  const columns = Math.min(count, Math.floor(width));
  for (let k = 0; k < columns; k++) {
    const from = Math.floor((k * count) / columns);
    const most = Math.max(...updates.slice(from, Math.max(from + 1, Math.floor(((k + 1) * count) / columns))));
    const tall = Math.min(most / top, 1) * height;
    c.fillRect((k * width) / columns, height - tall, Math.max(width / columns, 1), tall);
  }
  c.fillStyle = colour("ink");
  c.fillRect((i / Math.max(count - 1, 1)) * width, 0, 1.5, height);
}

function setPlaying(now) { playing = now; button.textContent = now ? "Pause" : "Play"; }

button.addEventListener("click", () => { if (!playing && at >= count - 1) at = 0; setPlaying(!playing); });
views.addEventListener("change", draw);
slider.addEventListener("input", () => { setPlaying(false); at = Number(slider.value); draw(); });
document.body.addEventListener("keydown", (event) => {
  if (/^(INPUT|SELECT|BUTTON)$/.test(event.target.tagName)) return;
  if (event.key === " ") { event.preventDefault(); button.click(); }
});
for (const dot of legend.querySelectorAll(".dot")) dot.classList.add(`is-${dot.dataset.colour}`);
addEventListener("resize", draw);
setPlaying(playing);
draw();
function step(now) {
  if (playing) {
    at = Math.min(at + (Math.max(now - last, 0) / 1000 / tick) * Number(speeds.value), count - 1);
    if (at >= count - 1) setPlaying(false);
    draw();
  }
  last = now;
  requestAnimationFrame(step);
}
requestAnimationFrame(step);
