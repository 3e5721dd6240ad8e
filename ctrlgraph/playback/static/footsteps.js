/**
 * The page of a planned motion: the robot, its footsteps, support and centre of pressure, and the updates.
 *
 * @module footsteps
 */
import { embeddedBytes } from "./playback.js";

const AHEAD_S = 1.0; // next footprints that are shown
const SPEEDS = [0.25, 0.5, 1, 2, 4];
const LOST_MS = 4; // upper end of the plot of updates, ms
const VIEWS = { "three-quarter": [-52, 24], side: [-90, 10], above: [-90, 90] }; // direction to the viewer, and its height, degrees

const data = JSON.parse(new TextDecoder().decode(await embeddedBytes(document.getElementById("plan"))));
const { tick, contact, hips, pressure, mass, heading, poses, ground, outside, update_ms: updates, command, unsafe, legs, trunk } = data;
const count = pressure.length;
const make = (name, properties, ...children) => { const element = Object.assign(document.createElement(name), properties); element.append(...children); return element; };
const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(`--cg-${name}`).trim();

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

/** Return the convex hull of points. */
function hullOf(points) {
  const sorted = [...points].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const half = (list) => {
    const chain = [];
    for (const p of list) {
      while (chain.length > 1) {
        const [a, b] = chain.slice(-2);
        if ((b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]) > 0) break;
        chain.pop();
      }
      chain.push(p);
    }
    return chain.slice(0, -1);
  };
  return sorted.length < 3 ? sorted : [...half(sorted), ...half(sorted.reverse())];
}

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
const views = make("select", {}, ...Object.keys(VIEWS).map((each) => make("option", { value: each, textContent: each })));
views.setAttribute("aria-label", "View");
const clock = make("span", { className: "cg-clock" });
const facts = make("p", { className: "facts" });
const legend = make("p", { className: "facts legend" });
for (const [name, title] of [["ground", "support"], ["trail", "centre of mass"], ["ink", "centre of pressure"], ["near", "feet on the right"], ["far", "feet on the left"], ["bad", "unsafe place, or centre of pressure outside its support"]]) {
  const dot = make("span", { className: "dot" });
  dot.dataset.colour = name;
  legend.append(dot, `${title} `);
}
document.getElementById("page").append(
  make("div", { className: "figure" }, canvas), make("div", { className: "cg-controls" }, button, slider, clock, speeds, views), facts, legend, plot,
  make("p", { className: "facts", textContent: `milliseconds of CPU time of each update: median ${data.p50.toFixed(2)}, 99th percentile ${data.p99.toFixed(2)}` }),
);

let [at, playing, last] = [0, !matchMedia("(prefers-reduced-motion: reduce)").matches, performance.now()];

function size(element) {
  const ratio = devicePixelRatio || 1;
  const [width, height] = [element.clientWidth, element.clientHeight];
  if (element.width !== Math.round(width * ratio) || element.height !== Math.round(height * ratio)) [element.width, element.height] = [Math.round(width * ratio), Math.round(height * ratio)];
  const context = element.getContext("2d");
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, height);
  return [context, width, height];
}

function draw() {
  const i = Math.min(Math.floor(at), count - 1);
  const [c, width, height] = size(canvas);
  const tall = Math.max(...trunk[0].map(([, , z]) => z));
  const shown = Math.max(3.2 * Math.max(...hips.map(([x, y]) => Math.hypot(x, y)), 0.4), 1.5 * tall); // metres of the height
  const scale = height / shown;
  const [ox, oy] = mass[i];
  const [turn, rise] = VIEWS[views.value].map((degrees) => (degrees * Math.PI) / 180);
  const middle = height * (0.5 + 0.2 * Math.cos(rise));
  const to = ([x, y, z = 0]) => {
    const [right, away] = [-Math.sin(turn) * (x - ox) + Math.cos(turn) * (y - oy), -Math.cos(turn) * (x - ox) - Math.sin(turn) * (y - oy)];
    return [width / 2 + right * scale, middle - (away * Math.sin(rise) + z * Math.cos(rise)) * scale];
  };
  const shape = (points, fill, line) => {
    c.beginPath();
    points.forEach((p, k) => c[k ? "lineTo" : "moveTo"](...to(p)));
    c.closePath();
    if (fill) { c.fillStyle = fill; c.fill(); }
    if (line) { c.strokeStyle = line; c.stroke(); }
  };
  const way = (points, line, thick) => {
    c.beginPath();
    points.forEach((p, k) => c[k ? "lineTo" : "moveTo"](...to(p)));
    [c.strokeStyle, c.lineWidth] = [line, thick];
    c.stroke();
    c.lineWidth = 1;
  };
  const spot = (p, radius, fill) => { c.beginPath(); c.arc(...to(p), radius, 0, 2 * Math.PI); c.fillStyle = fill; c.fill(); };
  c.lineWidth = 1;
  const far = 2 * Math.max(width, height) / scale;
  for (let x = Math.ceil(ox - far); x <= ox + far; x++) way([[x, oy - far], [x, oy + far]], colour("line"), 1);
  for (let y = Math.ceil(oy - far); y <= oy + far; y++) way([[ox - far, y], [ox + far, y]], colour("line"), 1);
  for (const [x, y, radius] of unsafe) { c.globalAlpha = 0.25; shape(Array.from({ length: 32 }, (_, k) => [x + radius * Math.cos((k * Math.PI) / 16), y + radius * Math.sin((k * Math.PI) / 16)]), colour("bad")); c.globalAlpha = 1; }
  const standing = hips.flatMap((_, foot) => (ground[i][foot] ? corners(poses[i][foot]) : []));
  if (standing.length) shape(hullOf(standing), colour("ground"), colour("ground-line"));
  c.font = "11px system-ui, sans-serif";
  for (const each of prints) {
    const until = (each.begin - i) * tick;
    if (until > AHEAD_S) continue;
    const own = colour(hips[each.foot][1] < 0 ? "near" : "far");
    c.globalAlpha = each.end <= i ? 0.35 : 1;
    if (until > 0) { c.setLineDash([4, 3]); shape(each.corners, null, own); c.setLineDash([]); } else shape(each.corners, own, colour("near"));
    c.globalAlpha = 1;
    if (until <= 0 && each.end <= i) continue;
    const [x, y] = to(each.corners[0]);
    c.fillStyle = colour("muted");
    c.fillText(until > 0 ? `in ${until.toFixed(2)} s` : `${(each.begin * tick).toFixed(2)} s`, x + 5, y - 5);
  }
  hips.forEach((_, foot) => { if (!ground[i][foot]) shape(corners(poses[i][foot]), null, colour("ink")); });
  way(mass.slice(0, i + 1), colour("trail"), 2);
  way(pressure.slice(Math.max(i - 100, 0), i + 1), colour("ink"), 1);
  way([mass[i], [ox + 0.5 * hips[0][0] * Math.cos(heading[i]) + 0.15 * Math.cos(heading[i]), oy + (0.5 * hips[0][0] + 0.15) * Math.sin(heading[i])]], colour("trail"), 3);
  spot(mass[i], 6, colour("trail"));
  spot(pressure[i], 5, colour(outside[i] === 0 ? "ink" : "bad"));
  drawBody(c, to, scale, i, views.value === "above");
  drawPlot(i);
  slider.value = i;
  clock.textContent = `${(i * tick).toFixed(2)} / ${((count - 1) * tick).toFixed(2)} s`;
  const [forward, left, turning] = command[i];
  const support = outside[i] === null ? "no foot on the ground" : outside[i] === 0 ? "centre of pressure inside its support" : `centre of pressure ${(1000 * outside[i]).toFixed(1)} mm outside its support`;
  facts.textContent = `command: forward ${forward.toFixed(2)} m/s, left ${left.toFixed(2)} m/s, turn ${turning.toFixed(2)} rad/s; ${support}; update ${updates[i].toFixed(2)} ms`;
}

/** Draw the legs and the trunk, the far ones first. */
function drawBody(c, to, scale, i, above) {
  const reach = Math.max(...hips.map(([x, y]) => Math.hypot(x, y)), 0.2);
  const depth = (foot) => to(legs[i][foot][2])[1];
  const order = hips.map((_, foot) => foot).sort((a, b) => depth(a) - depth(b));
  const box = hullOf(trunk[i].map(to));
  const limb = (foot) => {
    const [hip, knee, ankle, ...sole] = legs[i][foot];
    const own = colour(hips[foot][1] < 0 ? "near" : "far");
    [c.strokeStyle, c.fillStyle, c.lineJoin, c.lineCap] = [own, own, "round", "round"];
    const line = (points, thick) => { c.beginPath(); points.forEach((p, k) => c[k ? "lineTo" : "moveTo"](...p)); c.lineWidth = thick; c.stroke(); c.lineWidth = 1; };
    line([hip, knee, ankle].map(to), Math.max(3, 0.07 * reach * scale));
    const foot2 = hullOf([ankle, ...sole].map(to));
    line([...foot2, foot2[0]], Math.max(2, 0.04 * reach * scale));
    c.fill();
  };
  const solid = () => {
    c.beginPath();
    box.forEach((p, k) => c[k ? "lineTo" : "moveTo"](...p));
    c.closePath();
    c.globalAlpha = above ? 0.25 : 0.9;
    c.fillStyle = colour("trunk");
    c.fill();
    c.globalAlpha = 1;
  };
  c.globalAlpha = above ? 0.5 : 1;
  const behind = order.filter((foot) => depth(foot) < to(mass[i])[1]);
  behind.forEach(limb);
  solid();
  c.globalAlpha = above ? 0.5 : 1;
  order.filter((foot) => !behind.includes(foot)).forEach(limb);
  c.globalAlpha = 1;
}

function drawPlot(i) {
  const [c, width, height] = size(plot);
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
