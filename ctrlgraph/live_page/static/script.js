/**
 * The script: its text on the page and on the server, its findings, saving.
 *
 * @module script
 */
import { $, editor, live, page, player, scripts, send, sliders, tell } from "./parts.js";
import { showPlace } from "./place.js";
import { make } from "./player.js";

const LONG_MS = 150; // delay after the last key before a long text is sent, ms; others are sent at once
const LONG_TEXT = 50_000;
const LONGEST_TEXT = 500_000;

let editTimer = null;
let pendingLine = 0;
let afterSent = null; // called once the server has the whole text

export function openScript(path, line = 0) {
  if (!path) return;
  if (path !== page.shownPath) {
    flushEdit();
    page.shownPath = path;
    $("scripts").value = path;
    showConflict(null);
    sliders.setItems([], path);
    showFiles(files.includes(path) ? files : [path]);
    const script = scripts.get(path);
    editor.setFindings([]);
    $("findings").replaceChildren();
    if (script) editor.text = script.text;
    send({ type: "open", path });
  }
  pendingLine = line;
  if (line) editor.reveal(line);
  page.shownPlace = null;
  showPlace(player.time);
}

export function takeScript(message) {
  const { path, by } = message;
  const before = scripts.get(path);
  const mine = path === page.shownPath ? editor.text : before?.text;
  const dirty = before && mine !== undefined && mine !== before.synced;
  const script = { ...before, ...message, synced: message.text, text: message.text };
  scripts.set(path, script);
  markScripts();
  if (by !== undefined && by === page.welcomed?.page && page.sentEdit?.path === path) page.sentEdit = null;
  const own = by !== undefined && by === page.welcomed?.page;
  if (dirty && mine !== message.text) {
    script.text = mine;
    if (own || message.text === before.synced) planEdit(0); // text typed meanwhile or without a connection
    else if (path === page.shownPath) showConflict("This script has been changed elsewhere.", message.text);
  } else if (path === page.shownPath) editor.text = message.text;
  if (path !== page.shownPath) return;
  if (pendingLine) { editor.reveal(pendingLine); pendingLine = 0; }
  $("save").disabled = script.saved && editor.text === script.text;
  page.shownPlace = null;
  showPlace(player.time);
  if (afterSent && !isTyped() && !page.sentEdit) {
    const act = afterSent;
    afterSent = null;
    act();
  }
}

/** Tell whether the shown script has unsent changes. */
export function isTyped() {
  const script = scripts.get(page.shownPath);
  return script !== undefined && editor.text !== script.synced;
}

/** Undo or redo, after unsent changes have been sent. */
export function takeBack(name) {
  const act = () => send({ type: name });
  if (!isTyped() && !page.sentEdit) { act(); return; }
  if (!$("conflict").hidden) { tell("First choose which text to keep."); return; }
  afterSent = act;
  flushEdit();
}

let files = [];

/** Show the files of the script's program as buttons. */
export function showFiles(paths) {
  files = paths;
  $("files").replaceChildren(...(paths.length > 1 ? paths : []).map((path) => {
    const button = make("button", { type: "button", className: "cg-button", textContent: path.split("/").pop(), title: path });
    button.dataset.path = path;
    button.setAttribute("aria-pressed", path === page.shownPath);
    button.addEventListener("click", () => { $("follow-script").checked = false; openScript(path); });
    return button;
  }));
  markRunning();
}

let running = null;

/** Store which script runs, and show it if the page follows. */
export function showRunning(place) {
  running = place.script;
  markRunning();
  const follows = $("follow-script").checked && running && running !== page.shownPath;
  if (follows && !$("editor").contains(document.activeElement)) openScript(running);
}

function markRunning() {
  for (const button of $("files").children) button.classList.toggle("runs", button.dataset.path === running);
}

export function showConflict(message, theirs = "") {
  $("conflict").hidden = message === null;
  if (message === null) return;
  $("conflict").querySelector("span").textContent = message;
  $("theirs").onclick = () => {
    const script = scripts.get(page.shownPath);
    if (theirs !== script.synced) send({ type: "reread", path: page.shownPath });
    script.text = script.synced = theirs;
    editor.text = theirs;
    showConflict(null);
  };
  $("mine").onclick = () => { showConflict(null); planEdit(0); };
}

function planEdit(wait = editor.text.length > LONG_TEXT ? LONG_MS : 0) {
  clearTimeout(editTimer);
  editTimer = setTimeout(sendEdit, wait);
}

function sendEdit() {
  editTimer = null;
  const script = scripts.get(page.shownPath);
  if (!script || page.sentEdit || !$("conflict").hidden) return;
  if (editor.text === script.synced) return;
  if (editor.text.length > LONGEST_TEXT) {
    tell(`A script can have at most ${LONGEST_TEXT.toLocaleString("en")} bytes; this longer text is not sent.`);
    return;
  }
  const message = { type: "edit", path: page.shownPath, text: editor.text, base: script.revision };
  if (send(message)) page.sentEdit = message;
}

function flushEdit() { if (editTimer !== null) { clearTimeout(editTimer); sendEdit(); } }

export function takeFindings({ path, findings, ms, revision }) {
  live.findingsAt[`${path} ${revision}`] ??= { at: performance.timeOrigin + performance.now(), ms };
  if (path !== page.shownPath) return;
  editor.setFindings(findings.filter((each) => each.path === path || each.path.endsWith(`/${path}`)));
  $("findings").replaceChildren(...findings.map((each) => {
    const where = each.line ? `${each.path.split("/").pop()}:${each.line}:${each.column}` : each.path;
    const button = make("button", { type: "button", className: each.severity, textContent: `${where}: ${each.message}${each.hint ? ` (${each.hint})` : ""}` });
    button.addEventListener("click", () => {
      if (each.path !== page.shownPath && scripts_known(each.path)) openScript(each.path, each.line ?? 0);
      else if (each.line) editor.reveal(each.line, { focus: true });
    });
    return make("li", {}, button);
  }));
}

export function scripts_known(path) { return page.welcomed?.scripts.includes(path); }

export function markScripts() {
  for (const option of $("scripts").options) {
    const script = scripts.get(option.value);
    const unsaved = script ? !script.saved : page.welcomed?.drafts.includes(option.value);
    option.textContent = option.value.replace(/^controllers\//, "") + (unsaved ? " *" : "");
  }
  showWrite();
}

export function showWrite() {
  const changed = Object.values(sliders.changed()).reduce((sum, values) => sum + Object.keys(values).length, 0);
  $("write").disabled = !changed;
  $("write").textContent = changed ? `Write back (${changed})` : "Write back";
}

/** Return the changed constants by file, for writing back. */
export function valuesToWrite() {
  return Object.fromEntries(Object.entries(sliders.changed()).map(([path, values]) => [path, { values, digest: scripts.get(path)?.digest ?? "" }]));
}

export function save() {
  flushEdit();
  const script = scripts.get(page.shownPath);
  if (script) send({ type: "save", path: page.shownPath, digest: script.digest });
}

editor.addEventListener("edit", () => { $("save").disabled = false; planEdit(); });
editor.addEventListener("save", save);
$("save").addEventListener("click", save);
$("scripts").addEventListener("change", () => { $("follow-script").checked = false; openScript($("scripts").value); });
$("follow-script").addEventListener("change", () => { page.shownPlace = null; showPlace(player.time); });
$("now").addEventListener("click", () => {
  const { place } = page.shownPlace ?? {};
  if (place?.script) showPhase(place);
});
editor.addEventListener("line", ({ detail: { line } }) => {
  const phase = scripts.get(page.shownPath)?.phases.find((each) => each.first <= line && line <= each.last);
  if (!phase) return;
  const runs = page.present.stretches("phase").filter(({ place }) => place.script === page.shownPath && place.phase === phase.phase);
  const next = runs.find((each) => each.from > player.time + 1e-6) ?? runs[0];
  if (next) { player.pause(); player.seek(next.from); } else tell(`Phase ${phase.phase} does not run in this motion.`);
});

/** Scroll to the lines of a phase. */
export function showPhase(place) {
  openScript(place.script, 0);
  const phase = scripts.get(place.script)?.phases.find((each) => each.phase === place.phase);
  if (phase) editor.reveal(phase.first);
  else pendingLine = place.line;
}
