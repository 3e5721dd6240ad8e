/**
 * The constants of a script as sliders.
 *
 * @module sliders
 */
import { make } from "./player.js";

const EVERY_MS = 50; // interval of updates while a slider is dragged
const STEPS = 400;

/**
 * Fires "set" (detail: `values` by id, null for the script's own; `final`), "show" (detail: path and line).
 */
export class Sliders extends EventTarget {
  /** @param {HTMLElement} element container */
  constructor(element) {
    super();
    this.element = element;
    this._rows = new Map();
    this._values = {};
    this._filter = "";
    this._groups = new Map();
    this._waiting = {};
    this._timer = null;
  }

  /** Show the constants of scripts. Those of the script at `path` come first, without its name in their titles. */
  setItems(items, path) {
    const same = items.length === this._rows.size && items.every((item) => {
      const row = this._rows.get(item.id);
      return row && path === this._path && row.item.line === item.line && row.item.low === item.low && row.item.high === item.high;
    });
    if (same) {
      for (const item of items) this._rows.get(item.id).item = item;
      this._showAll();
      return;
    }
    const open = new Set([...this._groups].filter(([, group]) => group.open).map(([phase]) => phase));
    const first = path !== this._path;
    this._path = path;
    this._rows.clear();
    this._groups.clear();
    for (const item of items) {
      const key = groupOf(item.path, item.phase);
      if (!this._groups.has(key)) {
        const phase = item.phase === null ? "whole script" : `phase ${item.phase}`;
        const title = item.path === path ? phase.replace(/^./, (letter) => letter.toUpperCase()) : `${item.path.split("/").pop()}, ${phase}`;
        const group = make("details", { open: open.has(key) || (first && this._groups.size === 0) }, make("summary", { textContent: title }));
        this._groups.set(key, group);
      }
      this._groups.get(key).append(this._row(item));
    }
    this.element.replaceChildren(...this._groups.values());
    if (!items.length) this.element.append(make("p", { className: "quiet", textContent: "The motion uses no constants of this script." }));
    this._showAll();
    this.filter(this._filter);
  }

  /** Show values that differ from the script, by id. */
  setValues(values) {
    this._values = values;
    this._showAll();
  }

  /** Return the values that differ from their scripts, by path and id. */
  changed() {
    const files = {};
    for (const [id, value] of Object.entries(this._values)) {
      const item = this._rows.get(id)?.item;
      if (item) (files[item.path] ??= {})[id] = value;
    }
    return files;
  }

  /** Show only constants that contain these words. */
  filter(words) {
    this._filter = words;
    const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
    const seen = new Map();
    for (const { item, row } of this._rows.values()) {
      const text = `${item.role} ${item.quantity} ${item.line} ${item.path}`.toLowerCase();
      row.hidden = !wanted.every((word) => text.includes(word));
      if (!row.hidden) seen.set(groupOf(item.path, item.phase), true);
    }
    for (const [key, group] of this._groups) {
      group.hidden = !seen.has(key);
      if (wanted.length) group.open = true;
    }
  }

  /** Highlight the phase that runs. */
  lightPhase(path, phase) {
    const key = groupOf(path, phase);
    for (const [each, group] of this._groups) group.classList.toggle("lit", each === key);
  }

  _row(item) {
    const row = make("div", { className: "constant" });
    const name = make("button", { type: "button", className: "role", textContent: item.role, title: `Line ${item.line}` });
    name.addEventListener("click", () => this.dispatchEvent(new CustomEvent("show", { detail: { path: item.path, line: item.line } })));
    const slider = make("input", { type: "range", min: item.low, max: item.high, step: (item.high - item.low) / STEPS || "any" });
    slider.setAttribute("aria-label", `${item.role}, line ${item.line}`);
    slider.dataset.id = item.id;
    const number = make("input", { type: "number", step: "any", className: "number" });
    number.setAttribute("aria-label", `${item.role}, line ${item.line}, as a number`);
    const unit = make("span", { className: "unit", textContent: item.unit });
    const reset = make("button", { type: "button", className: "reset", textContent: "↺" });
    reset.setAttribute("aria-label", `${item.role}: as in the script`);
    const entry = { item, row, slider, number, reset };
    slider.addEventListener("input", () => {
      number.value = rounded(Number(slider.value));
      this._tell(entry, Number(number.value), false);
    });
    slider.addEventListener("change", () => this._tell(entry, Number(number.value), true));
    number.addEventListener("change", () => { if (number.value !== "" && Number.isFinite(Number(number.value))) this._tell(entry, Number(number.value), true); });
    reset.addEventListener("click", () => this._tell(entry, null, true));
    row.append(name, slider, number, unit, reset);
    this._rows.set(item.id, entry);
    return row;
  }

  _tell({ item }, value, final) {
    const id = item.id;
    this._waiting[id] = value === item.value ? null : value;
    if (value === null || value === item.value) delete this._values[id];
    else this._values[id] = value;
    this._show(this._rows.get(id));
    const send = () => {
      this._timer = null;
      const values = this._waiting;
      this._waiting = {};
      this.dispatchEvent(new CustomEvent("set", { detail: { values, final } }));
    };
    if (final) {
      clearTimeout(this._timer);
      send();
    } else this._timer ??= setTimeout(send, EVERY_MS);
  }

  _showAll() { for (const entry of this._rows.values()) this._show(entry); }

  _show({ item, row, slider, number, reset }) {
    if (item.id in this._waiting) return; // it is being dragged
    const value = this._values[item.id] ?? item.value;
    if (document.activeElement !== number) number.value = rounded(value);
    slider.value = value;
    const changed = item.id in this._values;
    row.classList.toggle("changed", changed);
    reset.hidden = !changed;
    reset.title = changed ? `As in the script: ${rounded(item.value)}` : "";
  }
}

function groupOf(path, phase) { return `${path} ${phase ?? ""}`; }

/** Return a number rounded for display. */
export function rounded(value) { return Number(value.toPrecision(4)); }
