/**
 * The live page: a motion, its script and constants, and the panels.
 *
 * @module main
 */
import { GraphView } from "./graph.js";
import { cutTo, drawTime, followGrowth, showGhosts, takeBranch, takeSamples } from "./motion.js";
import { tabs } from "./panels.js";
import { $, connection, editor, figure, isPlayed, lanes, live, others, page, pinned, player, scripts, send, sliders, tell, variants } from "./parts.js";
import { showCourse } from "./course.js";
import { places, showPlace } from "./place.js";
import { Playback } from "./playback.js";
import { Controls, KEYS, VIEW_KEYS, make, viewButtons } from "./player.js";
import { playKeys, setPlayedNodes } from "./play.js";
import { isTyped, markScripts, openScript, save, scripts_known, showConflict, showFiles, showPhase, showRunning, showWrite, takeBack, takeFindings, takeScript, valuesToWrite } from "./script.js";
import { STEERING_KEYS, isSteered, setSteeredNodes, showSteering } from "./steering.js";
import { beginWaiting, waiting } from "./waiting.js";

new Controls($("controls"), player);

// --- the motion ---

function takeState(message) {
  const before = page.state;
  page.state = message;
  waiting({ ended: message.ended !== null });
  player.live = message.ended === null;
  if (message.ended !== null) {
    page.wanted = null;
    cutTo(message.samples); // a motion that has become shorter sends no samples
    followGrowth(true);
  }
  showCourse(player.time, true);
  if (document.activeElement !== $("slope")) setRange("slope", message.world.slope, "°");
  if (document.activeElement !== $("friction")) setRange("friction", message.world.friction, "");
  $("engine").value = message.world.engine;
  $("calm").disabled = !message.events.length;
  $("undo").disabled = !message.undo;
  $("redo").disabled = !message.redo;
  $("undo").title = message.undo ? `Undo: ${message.undoes} (Ctrl Z)` : "Undo (Ctrl Z)";
  $("redo").title = message.redo ? `Redo: ${message.redoes} (Ctrl Shift Z)` : "Redo (Ctrl Shift Z)";
  showEvents(message.events);
  sliders.setValues({ ...message.values });
  showWrite();
  if (!before || JSON.stringify(before.target) !== JSON.stringify(message.target)) {
    const { names, script, cycles } = message.target;
    if (document.activeElement !== $("names")) $("names").value = [...names, ...(script ? [script] : [])].join(" ");
    $("cycles").value = cycles ?? "";
    const first = message.target.first ?? page.welcomed?.scripts[0];
    if (first && !(page.shownPath && isTyped())) openScript(first);
  }
  page.shownPlace = null;
  showPlace(player.time);
  showSteering(player.time);
}

function setRange(id, value, unit) {
  $(id).value = value;
  document.querySelector(`output[for=${id}]`).textContent = `${Number(value.toFixed(2))}${unit}`;
}

function showEvents(events) {
  $("events").replaceChildren(...events.map((each) => {
    const description = each.node ? `go to ${each.node}` : "turn" in each ? `steer ${each.forward} ${each.sideways} ${each.turn}` : each.push
      ? `push ${each.push}, ${Math.round(Math.hypot(each.x, each.y, each.z ?? 0))} N`
      : [each.slope !== null && `slope ${each.slope}°`, each.friction !== null && `friction ${each.friction}`, each.engine].filter(Boolean).join(", ");
    const button = make("button", { type: "button", textContent: `${description} at ${each.time.toFixed(2)} s` });
    button.addEventListener("click", () => player.seek(each.time));
    return make("li", {}, button);
  }));
}

// --- the world ---

for (const [id, unit] of [["slope", "°"], ["friction", ""]]) {
  $(id).addEventListener("input", () => setRange(id, Number($(id).value), unit));
  $(id).addEventListener("change", () => send({ type: "world", time: player.time, [id]: Number($(id).value) }));
}
$("engine").addEventListener("change", () => send({ type: "world", time: player.time, engine: $("engine").value }));
$("calm").addEventListener("click", () => send({ type: "calm" }));
const { LAYERS: layers, USUAL: usual, VIEWS: views } = figure.constructor;
for (const [name, title] of [["ghost", "last version"], ...layers.filter(([each]) => each !== "ghosts"), ["follow", "follow"]]) {
  const box = make("input", { type: "checkbox", id: `layer-${name}`, checked: [...(isPlayed ? [] : ["ghost"]), ...usual, "follow"].includes(name) });
  box.addEventListener("change", () => {
    if (name === "ghost") showGhosts();
    else if (name === "follow") figure.follow = box.checked;
    else figure.layers[name] = box.checked;
    figure.draw();
  });
  $("layers").append(make("label", {}, box, ` ${title}`));
}

$("picture").append(...viewButtons(figure));
document.body.addEventListener("keydown", (event) => {
  const typed = event.target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName);
  const key = !isSteered() ? event.key : event.shiftKey ? event.code.replace("Digit", "") : ""; // numbers choose gaits
  const name = views[Number(key) - 1];
  if (name && !typed && !event.ctrlKey && !event.metaKey && !event.altKey) figure.setView(name);
});

// --- constants ---

sliders.addEventListener("set", ({ detail }) => { send({ type: "set", ...detail }); showWrite(); });
sliders.addEventListener("show", ({ detail: { path, line } }) => { openScript(path, line); editor.reveal(line, { focus: true }); });
$("filter").addEventListener("input", () => sliders.filter($("filter").value));
for (const name of ["undo", "redo"]) {
  $(name).addEventListener("click", () => takeBack(name));
  editor.addEventListener(name, () => takeBack(name));
}
$("write").addEventListener("click", () => send({ type: "write", files: valuesToWrite() }));
document.addEventListener("keydown", (event) => {
  if (!(event.ctrlKey || event.metaKey) || /^(TEXTAREA)$/.test(event.target.tagName)) return;
  const key = event.key.toLowerCase();
  if (key === "s") { event.preventDefault(); save(); }
  if (key === "z" && event.target.type !== "text" && event.target.type !== "search") {
    event.preventDefault();
    takeBack(event.shiftKey ? "redo" : "undo");
  }
});

// --- panels ---

tabs($("tabs"), [$("panel-graph"), $("panel-variants")]);
$("random").addEventListener("click", () => send({ type: "walk", time: player.time, seed: Math.floor(Math.random() * 1e6) }));
$("stay").addEventListener("click", () => send({ type: "stay", time: player.time }));
$("keep").addEventListener("click", () => send({ type: "keep" }));
$("pin").addEventListener("click", () => {
  if (!page.present.samples) return;
  pinned.push({ playback: page.present.copy(), at: player.time, opacity: 0.5 });
  if (pinned.length > 8) pinned.shift();
  $("unpin").disabled = false;
  showGhosts();
});
$("unpin").addEventListener("click", () => { pinned.length = 0; $("unpin").disabled = true; showGhosts(); });
$("side").addEventListener("change", showGhosts);
variants.addEventListener("show", showGhosts);
variants.addEventListener("restore", ({ detail }) => send({ type: "restore", variant: detail }));
variants.addEventListener("drop", ({ detail }) => send({ type: "drop", variant: detail }));

$("sequence").addEventListener("submit", (event) => {
  event.preventDefault();
  page.playsNext = true;
  const words = $("names").value.split(/[\s,]+/).filter(Boolean);
  const script = words.find((word) => scripts_known(word)) ?? null;
  send({ type: "plan", nodes: words.filter((word) => word !== script), script, cycles: Number($("cycles").value) || null });
});

// --- the server ---

function takeWelcome(message) {
  page.welcomed = message;
  live.version = 0; // a restarted server counts from 0
  page.present = new Playback();
  others.clear();
  page.sentEdit = null;
  player.setPlayback(page.present);
  figure.setPlayback(page.present);
  $("project").textContent = `${message.project}, ${message.character}`;
  waiting({ accepted: true, welcomed: true, lost: "" });
  $("locked").hidden = true;
  document.documentElement.dataset.connected = "yes";
  if (/^There is no connection/.test($("message").textContent)) $("message").hidden = true;
  setSteeredNodes(message.steered);
  setPlayedNodes(message.play);
  if (isSteered() || isPlayed) showKeys();
  $("nodes").replaceChildren(...message.nodes.map((node) => make("option", { value: node.name })));
  $("scripts").replaceChildren(...message.scripts.map((path) => make("option", { value: path, textContent: path })));
  $("no-scripts").hidden = message.scripts.length > 0;
  $("engine").replaceChildren(...message.engines.map((name) => make("option", { value: name, textContent: name })));
  if (page.shownPath) {
    $("scripts").value = page.shownPath;
    send({ type: "open", path: page.shownPath });
  }
  markScripts();
  send({ type: "playhead", time: player.time });
}

const TAKE = {
  welcome: takeWelcome,
  state: takeState,
  branch: takeBranch,
  samples: takeSamples,
  script: takeScript,
  findings: takeFindings,
  constants: ({ path, files, items }) => {
    if (path !== page.shownPath) return;
    sliders.setItems(items, path);
    showFiles(files);
    showWrite();
    page.shownPlace = null;
    showPlace(player.time);
  },
  variants: ({ items }) => { variants.set(items); showGhosts(); },
  graph: ({ graph: data }) => {
    waiting({ graph: true });
    if (data.failed) { $("graph").replaceChildren(make("p", { className: "quiet", textContent: `${data.failed}.` })); return; }
    page.graph = new GraphView($("graph"), data, { whole: true });
    page.graph.addEventListener("pick", ({ detail: { node } }) => send({ type: "walk", time: player.time, goal: node }));
    page.shownPlace = null;
    showPlace(player.time);
  },
  logged: ({ run, seconds }) => tell(`${seconds.toFixed(0)} s are logged as run ${run}.`, { good: true }),
  written: ({ values }) => tell(`${Object.keys(values).length === 1 ? "One constant was" : `${Object.keys(values).length} constants were`} written.`, { good: true }),
  conflict: ({ path, message, text: theirs }) => {
    if (page.sentEdit?.path === path) page.sentEdit = null;
    const unsaved = isTyped() || scripts.get(path)?.saved === false;
    if (path === page.shownPath && unsaved) showConflict(`${message}.`, theirs);
    else tell(`${message}. The page now shows the content of the file.`);
  },
  compiling: ({ now }) => waiting({ accepted: true, compiling: now, lost: "" }),
  notice: ({ message }) => {
    [page.sentEdit, page.playsNext] = [null, false];
    tell(message);
  },
};

connection.addEventListener("message", ({ detail }) => TAKE[detail.type]?.(detail));
connection.addEventListener("lost", ({ detail: { reason, locked } }) => {
  waiting({ accepted: false, compiling: false, lost: reason });
  $("locked").hidden = !locked;
  for (const part of document.querySelectorAll("main, header form, #keys, #message")) part.classList.toggle("away", locked);
  document.documentElement.dataset.connected = "no";
  page.sentEdit = null;
});

player.addEventListener("time", drawTime);
places.addEventListener("place", ({ detail }) => showRunning(detail));
lanes.addEventListener("seek", ({ detail: { time } }) => { page.wanted = null; player.seek(time); });
lanes.addEventListener("pick", ({ detail: { lane, stretch } }) => { if (lane === "phase" && stretch.place.script) showPhase(stretch.place); });
player.bindKeys(document.body);
function showKeys() {
  if (isPlayed) {
    $("keys").querySelector("dl").replaceChildren(...playKeys().flatMap(([keys, action]) => [make("dt", { textContent: keys }), make("dd", { textContent: action })]));
    return;
  }
  const [, ...otherViewKeys] = VIEW_KEYS;
  const viewKeys = isSteered() ? [...STEERING_KEYS, ...otherViewKeys] : VIEW_KEYS;
  $("keys").querySelector("dl").replaceChildren(...[...KEYS, ...(views.length ? viewKeys : []), ["Ctrl S", "save the script"], ["Ctrl Z", "undo the last change"], ["Ctrl Shift Z", "redo"]].flatMap(([keys, action]) => [make("dt", { textContent: keys }), make("dd", { textContent: action })]));
}
showKeys();
let lastHead = 0;
setInterval(() => {
  if (!connection.open || Math.abs(player.time - lastHead) < 0.1) return;
  lastHead = player.time;
  connection.send({ type: "playhead", time: player.time });
}, 250);
beginWaiting();
connection.connect();
