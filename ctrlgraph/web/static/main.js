/**
 * The live page: a motion, its script, its constants, and what else may be done with it.
 *
 * @module main
 */
import { Connection } from "./connection.js";
import { Editor } from "./editor.js";
import { FigureView } from "./figure.js";
import { GraphView } from "./graph.js";
import { LanesView } from "./lanes.js";
import { SearchChart, Variants, tabs } from "./panels.js";
import { Playback } from "./playback.js";
import { Controls, KEYS, Player, make } from "./player.js";
import { Sliders } from "./sliders.js";

const NEWTON_A_METRE = 600; // of a push that is drawn with the mouse
const MOST_NEWTON = 3000;
const BEFORE_S = 0.2; // so long before a change what plays begins again
const EDIT_MS = 120; // after the last letter a text is sent
const GROWING_MS = 150; // so often the lanes follow a motion that grows
const WHOLE_S = 20; // so long a motion is shown whole in the lanes
const LONGEST_TEXT = 500_000;
const COLOURS = ["var(--cg-node-2)", "var(--cg-node-3)", "var(--cg-node-5)", "var(--cg-node-9)"];

const $ = (id) => document.getElementById(id);
const text = (name) => name.replaceAll("_", " ");

// --- what there is ---

const connection = new Connection();
const player = new Player();
const figure = new FigureView($("figure"));
const lanes = new LanesView($("lanes"), {
  lanes: [{ kind: "visit" }, { kind: "phase" }, { kind: "contacts" }, { kind: "signal", names: ["com_y"] }], chooser: true,
});
const editor = new Editor($("editor"));
const sliders = new Sliders($("constants"));
const variants = new Variants($("variants"));
const chart = new SearchChart($("search-chart"), $("search-told"), $("search-terms"));
new Controls($("controls"), player);

let present = new Playback();
const others = new Map(); // "ghost", "search", "variant:1" ...
const pinned = [];
let graph = null;
let state = null;
let welcomed = null;
let version = 0;
let wanted = null; // where the clock is to stand again once the motion has come there
let lastGrown = 0;
let hasPlayed = false;
const scripts = new Map(); // by path: revision, digest, saved, phases, synced (the server's text), text
let shownPath = null;
let sentEdit = null; // one text is under way at a time
let editTimer = null;

/** What tests and measurements look at. */
const live = {
  player, figure, lanes, frames: 0, version: 0, firstFrames: {}, findingsAt: {},
  get present() { return present; }, get others() { return others; }, get state() { return state; }, get path() { return shownPath; },
};
window.ctrlgraphLive = live;

// --- the motion ---

function colour(name) { return getComputedStyle(document.documentElement).getPropertyValue(name.slice(4, -1)).trim(); }

function showGhosts() {
  const ghosts = [];
  const side = $("side").checked;
  if ($("layer-ghost").checked && others.has("ghost")) ghosts.push({ playback: others.get("ghost"), opacity: 0.45 });
  if (others.has("search")) ghosts.push({ playback: others.get("search"), colour: colour("var(--cg-good)"), opacity: 0.7 });
  for (const [number, k] of variants.shown()) {
    const playback = others.get(`variant:${number}`);
    if (playback && !side) ghosts.push({ playback, colour: colour(COLOURS[k % 4]), opacity: 0.7 });
  }
  for (const each of pinned) ghosts.push(each);
  figure.ghosts = ghosts;
  showBeside(side);
  figure.draw();
}

let besides = [];

/** The variants in pictures of their own, on the same clock. */
function showBeside(side) {
  const shown = side ? variants.shown().filter(([number]) => others.has(`variant:${number}`)) : [];
  const element = $("beside");
  element.hidden = !shown.length;
  if (shown.map(([number]) => number).join() !== besides.map((each) => each.number).join()) {
    besides = [];
    element.replaceChildren();
    for (const [number] of shown) {
      const canvas = make("canvas", { className: "cg-figure" });
      const label = variants.items.find((item) => item.number === number).label;
      canvas.setAttribute("role", "img");
      canvas.setAttribute("aria-label", label);
      element.append(make("figure", {}, canvas, make("figcaption", { textContent: label })));
      besides.push({ number, view: new FigureView(canvas) });
    }
  }
  for (const { number, view } of besides) view.setPlayback(others.get(`variant:${number}`));
}

function drawTime() {
  const { time } = player;
  figure.draw(time);
  for (const { view } of besides) view.draw(time);
  lanes.setTime(time);
  live.frames += 1;
  showPlace(time);
  drawArrow();
}

let shownPlace = null;

/** Show what runs now: its lines, its constants, its node. */
function showPlace(time) {
  if (!present.samples) return;
  const place = present.placeAt(present.indexAt(time));
  if (place === shownPlace?.place && shownPath === shownPlace.path) return;
  shownPlace = { place, path: shownPath };
  $("now").textContent = place.script ? `${place.script.split("/").pop()}, phase ${place.phase}` : text(place.node);
  $("now").disabled = !place.script;
  lightLines(place);
  const segment = state?.segments.findLast((each) => each.from <= time + 1e-6);
  graph?.light(place.node, segment?.source ? { source: segment.source, kind: segment.kind } : null);
  if (place.node !== centred) centreGraph(place.node);
}

let centred = null;

/** Bring the active node into the middle of the graph's panel, unless somebody is looking for another one there. */
function centreGraph(node) {
  const panel = $("graph");
  const lit = panel.querySelector(".cg-node.cg-lit");
  if (!lit || $("panel-graph").hidden || panel.matches(":hover, :focus-within")) return;
  centred = node;
  const [box, at] = [panel.getBoundingClientRect(), lit.getBoundingClientRect()];
  panel.scrollBy(at.left + at.width / 2 - box.left - box.width / 2, at.top + at.height / 2 - box.top - box.height / 2);
}

function lightLines(place) {
  const script = scripts.get(shownPath);
  const here = place.script === shownPath;
  const phase = here ? script?.phases.find((each) => each.phase === place.phase) : null;
  editor.light(phase?.first ?? 0, phase?.last ?? 0);
  sliders.lightPhase(here ? place.phase : null);
}

/** Take samples of a motion. */
function takeSamples({ of, version: number, data }) {
  if (of !== "present") {
    const playback = others.get(of) ?? new Playback();
    if (!others.has(of) || of === "ghost") others.set(of, of === "ghost" ? new Playback() : playback);
    try { others.get(of).append(data); } catch { others.set(of, Playback.of(data)); }
    showGhosts();
    return;
  }
  if (player.playback !== present) { figure.setPlayback(present); player.setPlayback(present); }
  const began = present.samples === 0;
  present.append(data);
  if (began) { figure.setPlayback(present); lanes.setPlayback(present); }
  if (began && !hasPlayed && !matchMedia("(prefers-reduced-motion: reduce)").matches) { hasPlayed = true; player.play(); }
  if (wanted !== null) {
    const goal = wanted;
    player.changed();
    player.seek(Math.min(goal, present.end));
    if (present.end >= goal) wanted = null;
    else wanted = goal;
  } else player.changed();
  followGrowth();
  shownPlace = null;
  if (!(number in live.firstFrames)) {
    requestAnimationFrame(() => { live.firstFrames[number] ??= performance.timeOrigin + performance.now(); });
  }
}

/** The lanes follow a motion that grows, now and then and at its end. */
function followGrowth(last = false) {
  const now = performance.now();
  if (!present.samples || (now - lastGrown < GROWING_MS && !last)) return;
  lastGrown = now;
  const whole = !zoomed && present.end - present.start <= WHOLE_S;
  lanes.follow = !whole;
  lanes.setPlayback(present);
  if (whole) lanes.showAll();
}

let zoomed = false; // somebody looks at a part of the lanes
$("lanes").addEventListener("click", ({ target }) => {
  const button = target.closest(".cg-lane-bar button");
  if (button) zoomed = button.textContent !== "All";
});
$("lanes").addEventListener("wheel", (event) => { if (event.ctrlKey || event.metaKey || event.shiftKey) zoomed = true; }, { passive: true });

function takeBranch(message) {
  version = live.version = message.version;
  const time = player.time;
  if (!message.keeps_ghost && present.samples) {
    others.set("ghost", present.copy());
    showGhosts();
  }
  wanted = null;
  if (message.sample === 0) present.samples = Math.min(present.samples, 0);
  if (message.time >= time - 1e-6) return;
  if (player.playing) player.seek(Math.max(message.time - BEFORE_S, 0));
  else wanted = time;
}

function takeState(message) {
  const before = state;
  state = message;
  player.live = message.ended === null;
  if (message.ended !== null) { wanted = null; followGrowth(true); }
  const last = message.segments.at(-1);
  const parts = message.segments.map((each) => text(each.name) + (each.succeeded === false ? " ✗" : each.succeeded ? " ✓" : " …"));
  const shown = parts.length > 6 ? ["…", ...parts.slice(-6)] : parts;
  const ended = message.ended ?? (message.walking ? "walking on, a few seconds before what you see" : last?.told || "");
  $("told").textContent = [shown.join(" → "), ended, ...message.notes].filter(Boolean).join("; ");
  $("told").classList.toggle("bad", /^(failed|fell|timeout|diverged)/.test(message.ended ?? ""));
  if (document.activeElement !== $("slope")) setRange("slope", message.world.slope, "°");
  if (document.activeElement !== $("friction")) setRange("friction", message.world.friction, "");
  $("engine").value = message.world.engine;
  $("calm").disabled = !message.events.length;
  $("undo").disabled = !message.undo;
  $("redo").disabled = !message.redo;
  showEvents(message.events);
  sliders.setValues({ ...message.values });
  showWrite();
  if (!before || JSON.stringify(before.target) !== JSON.stringify(message.target)) {
    const { names, script, cycles } = message.target;
    if (document.activeElement !== $("names")) $("names").value = [...names, ...(script ? [script] : [])].join(" ");
    $("cycles").value = cycles ?? "";
  }
  shownPlace = null;
  showPlace(player.time);
}

function setRange(id, value, unit) {
  $(id).value = value;
  document.querySelector(`output[for=${id}]`).textContent = `${Number(value.toFixed(2))}${unit}`;
}

function showEvents(events) {
  $("events").replaceChildren(...events.map((each) => {
    const told = each.push
      ? `push ${each.push}, ${Math.round(Math.hypot(each.x, each.y))} N`
      : [each.slope !== null && `slope ${each.slope}°`, each.friction !== null && `friction ${each.friction}`, each.engine].filter(Boolean).join(", ");
    const button = make("button", { type: "button", textContent: `${told} at ${each.time.toFixed(2)} s` });
    button.addEventListener("click", () => player.seek(each.time));
    return make("li", {}, button);
  }));
}

// --- pushing ---

let push = null;

function pushOf() {
  const [x, y] = figure.worldAt(push.x, push.y);
  const pose = present.pose(player.time);
  const [dx, dy] = [x - pose.x[push.link], y - pose.y[push.link]];
  const size = Math.hypot(dx, dy) * NEWTON_A_METRE;
  const share = size > MOST_NEWTON ? MOST_NEWTON / size : 1;
  return { from: [pose.x[push.link], pose.y[push.link]], force: [dx * NEWTON_A_METRE * share, dy * NEWTON_A_METRE * share] };
}

function drawArrow() {
  const canvas = $("arrow");
  const [width, height, ratio] = [canvas.clientWidth, canvas.clientHeight, devicePixelRatio || 1];
  if (!push && !canvas.dataset.drawn) return;
  [canvas.width, canvas.height] = [width * ratio, height * ratio];
  delete canvas.dataset.drawn;
  if (!push) return;
  canvas.dataset.drawn = "1";
  const c = canvas.getContext("2d");
  c.setTransform(ratio, 0, 0, ratio, 0, 0);
  const { from, force } = pushOf();
  const box = canvas.getBoundingClientRect();
  const [ox, oy] = figure.pageOf(...from);
  const [x0, y0, x1, y1] = [ox - box.left, oy - box.top, push.x - box.left, push.y - box.top];
  c.strokeStyle = c.fillStyle = colour("var(--cg-bad)");
  c.lineWidth = 3;
  c.lineCap = "round";
  c.beginPath();
  c.moveTo(x0, y0);
  c.lineTo(x1, y1);
  c.stroke();
  c.beginPath();
  c.arc(x1, y1, 5, 0, 2 * Math.PI);
  c.fill();
  c.font = "13px system-ui, sans-serif";
  c.fillText(`${Math.round(Math.hypot(...force))} N`, x1 + 9, y1 - 6);
}

$("picture").addEventListener("pointerdown", (event) => {
  if (event.button !== 0 || !present.samples) return;
  const link = figure.linkAt(event.clientX, event.clientY);
  if (link === null) return;
  event.preventDefault(); // the picture is not moved
  figure.canvas.focus({ preventScroll: true });
  push = { link, x: event.clientX, y: event.clientY };
  $("picture").setPointerCapture(event.pointerId);
  drawArrow();
}, true);
$("picture").addEventListener("pointermove", (event) => {
  if (push) {
    [push.x, push.y] = [event.clientX, event.clientY];
    drawArrow();
  } else figure.canvas.style.cursor = present.samples && figure.linkAt(event.clientX, event.clientY) !== null ? "crosshair" : "";
});
for (const name of ["pointerup", "pointercancel"]) {
  $("picture").addEventListener(name, () => {
    if (!push) return;
    const { force: [x, y] } = pushOf();
    const link = present.body.links[push.link].name;
    push = null;
    drawArrow();
    if (name === "pointerup" && Math.hypot(x, y) > 10) send({ type: "push", time: player.time, link, x, y, duration: 0.1 });
  });
}

// --- the world ---

for (const [id, unit] of [["slope", "°"], ["friction", ""]]) {
  $(id).addEventListener("input", () => setRange(id, Number($(id).value), unit));
  $(id).addEventListener("change", () => send({ type: "world", time: player.time, [id]: Number($(id).value) }));
}
$("engine").addEventListener("change", () => send({ type: "world", time: player.time, engine: $("engine").value }));
$("calm").addEventListener("click", () => send({ type: "calm" }));
for (const [name, title] of [["ghost", "last version"], ["forces", "forces"], ["com", "centre of mass"], ["trail", "trail"], ["support", "support"], ["targets", "targets"], ["follow", "follow"]]) {
  const box = make("input", { type: "checkbox", id: `layer-${name}`, checked: ["ghost", "trail", "follow"].includes(name) });
  box.addEventListener("change", () => {
    if (name === "ghost") showGhosts();
    else if (name === "follow") figure.follow = box.checked;
    else figure.layers[name] = box.checked;
    figure.draw();
  });
  $("layers").append(make("label", {}, box, ` ${title}`));
}

// --- the script ---

function openScript(path, line = 0) {
  if (!path) return;
  if (path !== shownPath) {
    flushEdit();
    shownPath = path;
    $("scripts").value = path;
    showConflict(null);
    sliders.setItems([]);
    const script = scripts.get(path);
    editor.setFindings([]);
    $("findings").replaceChildren();
    if (script) editor.text = script.text;
    send({ type: "open", path });
  }
  pendingLine = line;
  if (line) editor.reveal(line);
  shownPlace = null;
  showPlace(player.time);
}

let pendingLine = 0;

function takeScript(message) {
  const { path, by } = message;
  const before = scripts.get(path);
  const mine = path === shownPath ? editor.text : before?.text;
  const dirty = before && mine !== undefined && mine !== before.synced;
  const script = { ...before, ...message, synced: message.text, text: message.text };
  scripts.set(path, script);
  markScripts();
  if (by !== undefined && by === welcomed?.page && sentEdit?.path === path) sentEdit = null;
  const own = by !== undefined && by === welcomed?.page;
  if (dirty && mine !== message.text) {
    script.text = mine;
    if (own || message.text === before.synced) planEdit(0); // what was typed meanwhile, or while there was no server
    else if (path === shownPath) showConflict("This script has been changed elsewhere.", message.text);
  } else if (path === shownPath) editor.text = message.text;
  if (path !== shownPath) return;
  if (pendingLine) { editor.reveal(pendingLine); pendingLine = 0; }
  $("save").disabled = script.saved && editor.text === script.text;
  shownPlace = null;
  showPlace(player.time);
}

function showConflict(told, theirs = "") {
  $("conflict").hidden = told === null;
  if (told === null) return;
  $("conflict").querySelector("span").textContent = told;
  $("theirs").onclick = () => {
    const script = scripts.get(shownPath);
    if (theirs !== script.synced) send({ type: "reread", path: shownPath });
    script.text = script.synced = theirs;
    editor.text = theirs;
    showConflict(null);
  };
  $("mine").onclick = () => { showConflict(null); planEdit(0); };
}

function planEdit(wait = EDIT_MS) {
  clearTimeout(editTimer);
  editTimer = setTimeout(sendEdit, wait);
}

function sendEdit() {
  editTimer = null;
  const script = scripts.get(shownPath);
  if (!script || sentEdit || !$("conflict").hidden) return;
  if (editor.text === script.synced) return;
  if (editor.text.length > LONGEST_TEXT) {
    tell(`A script may have ${LONGEST_TEXT.toLocaleString("en")} bytes; this text is longer and stays in this page.`);
    return;
  }
  const message = { type: "edit", path: shownPath, text: editor.text, base: script.revision };
  if (send(message)) sentEdit = message;
}

function flushEdit() { if (editTimer !== null) { clearTimeout(editTimer); sendEdit(); } }

function takeFindings({ path, findings, ms, revision }) {
  live.findingsAt[revision] = { at: performance.timeOrigin + performance.now(), ms };
  if (path !== shownPath) return;
  editor.setFindings(findings.filter((each) => each.path === path || each.path.endsWith(`/${path}`)));
  $("findings").replaceChildren(...findings.map((each) => {
    const where = each.line ? `${each.path.split("/").pop()}:${each.line}:${each.column}` : each.path;
    const button = make("button", { type: "button", className: each.severity, textContent: `${where}: ${each.message}${each.hint ? ` (${each.hint})` : ""}` });
    button.addEventListener("click", () => {
      if (each.path !== shownPath && scripts_known(each.path)) openScript(each.path, each.line ?? 0);
      else if (each.line) editor.reveal(each.line, { focus: true });
    });
    return make("li", {}, button);
  }));
}

function scripts_known(path) { return welcomed?.scripts.includes(path); }

function markScripts() {
  for (const option of $("scripts").options) {
    const script = scripts.get(option.value);
    const unsaved = script ? !script.saved : welcomed?.drafts.includes(option.value);
    option.textContent = option.value.replace(/^controllers\//, "") + (unsaved ? " *" : "");
  }
  showWrite();
}

function showWrite() {
  const changed = Object.keys(sliders.changed()).length;
  $("write").disabled = !changed;
  $("write").textContent = changed ? `Write back (${changed})` : "Write back";
}

function save() {
  flushEdit();
  const script = scripts.get(shownPath);
  if (script) send({ type: "save", path: shownPath, digest: script.digest });
}

editor.addEventListener("edit", () => { $("save").disabled = false; planEdit(); });
editor.addEventListener("save", save);
$("save").addEventListener("click", save);
$("scripts").addEventListener("change", () => openScript($("scripts").value));
$("now").addEventListener("click", () => {
  const { place } = shownPlace ?? {};
  if (place?.script) showPhase(place);
});
editor.addEventListener("line", ({ detail: { line } }) => {
  const phase = scripts.get(shownPath)?.phases.find((each) => each.first <= line && line <= each.last);
  if (!phase) return;
  const runs = present.stretches("phase").filter(({ place }) => place.script === shownPath && place.phase === phase.phase);
  const next = runs.find((each) => each.from > player.time + 1e-6) ?? runs[0];
  if (next) { player.pause(); player.seek(next.from); } else tell(`Phase ${phase.phase} does not run in this motion.`);
});

/** Show the lines of a phase. */
function showPhase(place) {
  openScript(place.script, 0);
  const phase = scripts.get(place.script)?.phases.find((each) => each.phase === place.phase);
  if (phase) editor.reveal(phase.first);
  else pendingLine = place.line;
}

// --- constants ---

sliders.addEventListener("set", ({ detail }) => { send({ type: "set", ...detail }); showWrite(); });
sliders.addEventListener("show", ({ detail: { line } }) => editor.reveal(line, { focus: true }));
$("filter").addEventListener("input", () => sliders.filter($("filter").value));
$("undo").addEventListener("click", () => send({ type: "undo" }));
$("redo").addEventListener("click", () => send({ type: "redo" }));
$("write").addEventListener("click", () => {
  const script = scripts.get(shownPath);
  send({ type: "write", path: shownPath, values: sliders.changed(), digest: script.digest });
});
document.addEventListener("keydown", (event) => {
  if (!(event.ctrlKey || event.metaKey) || /^(TEXTAREA)$/.test(event.target.tagName)) return;
  const key = event.key.toLowerCase();
  if (key === "s") { event.preventDefault(); save(); }
  if (key === "z" && event.target.type !== "text" && event.target.type !== "search") {
    event.preventDefault();
    send({ type: event.shiftKey ? "redo" : "undo" });
  }
});

// --- panels ---

tabs($("tabs"), [$("panel-graph"), $("panel-variants"), $("panel-search")]);
$("random").addEventListener("click", () => send({ type: "walk", time: player.time, seed: Math.floor(Math.random() * 1e6) }));
$("stay").addEventListener("click", () => send({ type: "stay", time: player.time }));
$("keep").addEventListener("click", () => send({ type: "keep", label: "" }));
$("pin").addEventListener("click", () => {
  if (!present.samples) return;
  pinned.push({ playback: present.copy(), at: player.time, opacity: 0.5 });
  if (pinned.length > 8) pinned.shift();
  showGhosts();
});
$("unpin").addEventListener("click", () => { pinned.length = 0; showGhosts(); });
$("side").addEventListener("change", showGhosts);
variants.addEventListener("show", showGhosts);
variants.addEventListener("restore", ({ detail }) => send({ type: "restore", variant: detail }));
variants.addEventListener("drop", ({ detail }) => send({ type: "drop", variant: detail }));
$("searches").addEventListener("change", () => watch($("searches").value || null));
$("look").addEventListener("click", () => watch($("searches").value || null));

function watch(path) {
  others.delete("search");
  showGhosts();
  send({ type: "search", path });
}

$("sequence").addEventListener("submit", (event) => {
  event.preventDefault();
  const words = $("names").value.split(/[\s,]+/).filter(Boolean);
  const script = words.find((word) => scripts_known(word)) ?? null;
  send({ type: "plan", nodes: words.filter((word) => word !== script), script, cycles: Number($("cycles").value) || null });
  const node = welcomed?.nodes.find((each) => each.name === words.at(-1));
  openScript(script ?? node?.script ?? shownPath);
  player.seek(0);
});

// --- the server ---

function send(message) {
  const sent = connection.send(message);
  if (!sent && message.type !== "playhead") tell("There is no connection: this has not been done.");
  return sent;
}

function tell(told) {
  $("message").hidden = false;
  $("message").querySelector("span").textContent = told;
}
$("message").querySelector("button").addEventListener("click", () => { $("message").hidden = true; });

function takeWelcome(message) {
  welcomed = message;
  present = new Playback();
  others.clear();
  sentEdit = null;
  player.setPlayback(present);
  figure.setPlayback(present);
  $("project").textContent = `${message.project}, ${message.character}`;
  $("status").textContent = "";
  document.documentElement.dataset.connected = "yes";
  if (/^There is no connection/.test($("message").textContent)) $("message").hidden = true;
  $("nodes").replaceChildren(...message.nodes.map((node) => make("option", { value: node.name })));
  $("scripts").replaceChildren(...message.scripts.map((path) => make("option", { value: path, textContent: path })));
  $("engine").replaceChildren(...message.engines.map((name) => make("option", { value: name, textContent: name })));
  const path = shownPath ?? message.first ?? message.scripts[0];
  $("scripts").value = path;
  markScripts();
  shownPath = path;
  send({ type: "open", path });
  send({ type: "playhead", time: player.time });
}

const TAKE = {
  welcome: takeWelcome,
  state: takeState,
  branch: takeBranch,
  samples: takeSamples,
  script: takeScript,
  findings: takeFindings,
  constants: ({ path, items }) => { if (path === shownPath) { sliders.setItems(items); showWrite(); shownPlace = null; showPlace(player.time); } },
  variants: ({ items }) => { variants.set(items); showGhosts(); },
  graph: ({ graph: data }) => {
    graph = new GraphView($("graph"), data);
    centred = null;
    graph.addEventListener("pick", ({ detail: { node } }) => send({ type: "walk", time: player.time, goal: node }));
    shownPlace = null;
    showPlace(player.time);
  },
  searches: ({ files, watched }) => {
    $("searches").replaceChildren(make("option", { value: "", textContent: "none" }), ...files.map((file) => make("option", { value: file, textContent: file })));
    $("searches").value = watched ?? "";
  },
  search: ({ path, progress }) => chart.set(path, progress),
  written: ({ values }) => tell(`${Object.keys(values).length === 1 ? "One constant is" : `${Object.keys(values).length} constants are`} written.`),
  conflict: ({ path, told, text: theirs }) => {
    if (sentEdit?.path === path) sentEdit = null;
    if (path === shownPath) showConflict(`${told}.`, theirs);
    else tell(`${told}.`);
  },
  compiling: ({ now }) => { $("status").textContent = now ? "Compiling the simulation, which takes a minute the first time …" : ""; },
  told: ({ told }) => { sentEdit = null; tell(told); },
};

connection.addEventListener("message", ({ detail }) => TAKE[detail.type]?.(detail));
connection.addEventListener("lost", ({ detail }) => {
  $("status").textContent = detail;
  document.documentElement.dataset.connected = "no";
  sentEdit = null;
});

player.addEventListener("time", drawTime);
lanes.addEventListener("seek", ({ detail: { time } }) => { wanted = null; player.seek(time); });
lanes.addEventListener("pick", ({ detail: { lane, stretch } }) => { if (lane === "phase" && stretch.place.script) showPhase(stretch.place); });
player.bindKeys(document.body);
$("keys").querySelector("dl").append(...[...KEYS, ["Ctrl S", "save the script"], ["Ctrl Z", "undo constants and world"]].flatMap(([keys, told]) => [make("dt", { textContent: keys }), make("dd", { textContent: told })]));
let lastHead = 0;
setInterval(() => {
  if (!connection.open || Math.abs(player.time - lastHead) < 0.1) return;
  lastHead = player.time;
  connection.send({ type: "playhead", time: player.time });
}, 250);
connection.connect();
