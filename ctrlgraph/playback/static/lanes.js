/**
 * Lanes: signals of a motion over a common time axis.
 *
 * @module lanes
 */
import { coloursOf } from "./figure.js";
import { make } from "./player.js";

const WHOLE_S = 20; // maximum length of a motion that is shown completely at first, s
const WINDOW_S = 12; // shown part of a longer motion, s
const LEAST_S = 0.1;
const HEIGHTS = { visit: 24, phase: 24, signal: 64 };
const ROW = 10; // height of a link in the contacts lane, px

/**
 * A lane: "visit" (which node), "phase", "contacts", or "signal" with the names of signals that share its axis.
 *
 * @typedef {object} Lane
 * @property {("visit"|"phase"|"contacts"|"signal")} kind
 * @property {string} [title]
 * @property {string[]} [names]
 */

/** Default lanes. */
export const USUAL_LANES = [{ kind: "visit" }, { kind: "phase" }, { kind: "contacts" }];

/**
 * Lanes in an element. Fires "seek" (detail: `time`) when the user drags, and "pick" (detail: `lane`, `time`, `stretch`) when the
 * user clicks a node or a phase.
 */
export class LanesView extends EventTarget {
  /**
   * @param {HTMLElement} element container
   * @param {{lanes?: Lane[], chooser?: boolean}} [options] chooser: whether signals can be added and removed
   */
  constructor(element, { lanes = USUAL_LANES, chooser = true } = {}) {
    super();
    this.element = element;
    this.playback = null;
    this.time = 0;
    /** Shown time range, s. */
    this.window = [0, 1];
    /** Whether the range follows the time. */
    this.follow = true;
    this._lanes = [];
    this._colours = null;
    element.classList.add("cg-lanes");
    this._rows = make("div", { className: "cg-lane-rows" });
    element.append(this._rows);
    if (chooser) element.append(this._bar());
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => { this._colours = null; this.draw(); });
    new ResizeObserver(() => this.draw()).observe(element);
    for (const lane of lanes) this.addLane(lane);
  }

  /** Show another motion, or the same one after it has changed. */
  setPlayback(playback) {
    const another = playback !== this.playback;
    this.playback = playback;
    if (another) this._fit();
    this._fillChooser();
    for (const lane of this._lanes) this._measure(lane);
    this.draw();
  }

  /** Add a lane at the end. */
  addLane(spec) {
    const canvas = make("canvas", { className: "cg-lane" });
    canvas.style.height = `${HEIGHTS[spec.kind] ?? ROW + 4}px`; // even while it is empty
    const label = make("div", { className: "cg-lane-label", textContent: spec.title ?? titleOf(spec) });
    const row = make("div", { className: "cg-lane-row" }, label, canvas);
    const lane = { ...spec, canvas, label, row, low: 0, high: 1, links: [] };
    canvas.setAttribute("role", "img");
    canvas.setAttribute("aria-label", `${label.textContent} over time`);
    if (spec.kind === "signal" && this._select) {
      const away = make("button", { type: "button", className: "cg-away", title: "Remove this lane", textContent: "×" });
      away.addEventListener("click", () => this.removeLane(lane));
      label.append(away);
    }
    this._lanes.push(lane);
    this._rows.append(row);
    this._listen(lane);
    if (this.playback) this._measure(lane);
    this.draw();
    return lane;
  }

  removeLane(lane) {
    this._lanes = this._lanes.filter((each) => each !== lane);
    lane.row.remove();
  }

  /** Show a time (s) in all lanes. */
  setTime(time) {
    this.time = time;
    const [from, to] = this.window;
    if (this.follow && (time < from || time > to - 0.1 * (to - from)) && to - from < this._length() - 1e-9) {
      this._show(time - 0.2 * (to - from), to - from);
    }
    this.draw();
  }

  /** Show the whole motion. */
  showAll() { this._show(this.playback.start, this._length()); this.draw(); }

  /** Zoom around the present time. */
  zoomBy(factor) {
    const [from, to] = this.window;
    const width = (to - from) / factor;
    const share = this.time >= from && this.time <= to ? (this.time - from) / (to - from) : 0.5;
    this._show(from + share * (to - from) - share * width, width);
    this.draw();
  }

  _length() { return Math.max((this.playback?.end ?? 1) - (this.playback?.start ?? 0), LEAST_S); }

  _fit() {
    const length = this._length();
    this._show(this.playback.start, length <= WHOLE_S ? length : WINDOW_S);
  }

  _show(from, width) {
    const seen = Math.min(Math.max(width, LEAST_S), this._length());
    const { start } = this.playback;
    const begin = Math.min(Math.max(from, start), start + this._length() - seen);
    this.window = [begin, begin + seen];
  }

  _bar() {
    const bar = make("div", { className: "cg-lane-bar" });
    const button = (text, title, act) => {
      const made = make("button", { type: "button", className: "cg-button", textContent: text, title });
      made.setAttribute("aria-label", title);
      made.addEventListener("click", act);
      return made;
    };
    this._select = make("select", {});
    this._select.setAttribute("aria-label", "Add a signal");
    this._select.addEventListener("change", () => {
      if (this._select.value) this.addLane({ kind: "signal", names: namesFor(this._select.value) });
      this._select.value = "";
    });
    bar.append(
      this._select, button("+", "Zoom in", () => this.zoomBy(1.5)),
      button("−", "Zoom out", () => this.zoomBy(1 / 1.5)), button("All", "Show the whole motion", () => this.showAll()),
    );
    return bar;
  }

  _fillChooser() {
    if (!this._select || !this.playback?.body || this._select.options.length > 1) return;
    const groups = new Map();
    for (const name of this.playback.signalNames()) {
      const [quantity, of] = name.split(".", 2);
      if (["target", "asked", "least", "greatest", "contact"].includes(quantity)) continue; // shown with another signal
      const key = of === undefined ? "whole body" : quantity;
      groups.set(key, [...(groups.get(key) ?? []), name]);
    }
    this._select.replaceChildren(make("option", { value: "", textContent: "Add a signal …" }));
    for (const [key, names] of groups) {
      const group = make("optgroup", { label: key });
      group.append(...names.map((name) => make("option", { value: name, textContent: name })));
      this._select.append(group);
    }
  }

  /** Set the range of a lane's axis from the whole motion. */
  _measure(lane) {
    const { playback } = this;
    if (!playback?.samples) return;
    if (lane.kind === "contacts") {
      lane.links = playback.body.links.map((_, k) => k).filter((k) => {
        for (let i = 0; i < playback.samples; i++) if (playback.touches(k, i)) return true;
        return false;
      });
      const names = lane.links.map((k) => make("span", { textContent: playback.body.links[k].name }));
      lane.label.replaceChildren(make("span", { className: "cg-rows" }, ...names));
    }
    if (lane.kind !== "signal") return;
    let [low, high] = [Infinity, -Infinity];
    lane.of = lane.names.map((name) => playback.signal(name));
    for (const of of lane.of) {
      for (let i = 0; i < playback.samples; i++) {
        const value = of(i);
        if (value < low) low = value;
        if (value > high) high = value;
      }
    }
    if (!(low < high)) [low, high] = Number.isFinite(low) ? [low - 0.5, low + 0.5] : [0, 1];
    [lane.low, lane.high] = [low, high];
  }

  _listen(lane) {
    const timeAt = (event) => {
      const box = lane.canvas.getBoundingClientRect();
      const [from, to] = this.window;
      return from + ((event.clientX - box.left) / box.width) * (to - from);
    };
    const seek = (event) => this.dispatchEvent(new CustomEvent("seek", { detail: { time: timeAt(event) } }));
    lane.canvas.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      event.preventDefault();
      lane.canvas.setPointerCapture(event.pointerId);
      lane.dragging = true;
      seek(event);
      if (lane.kind === "visit" || lane.kind === "phase") {
        const time = timeAt(event);
        const stretch = this.playback?.stretches(lane.kind).find((each) => each.from <= time && time < each.to);
        if (stretch) this.dispatchEvent(new CustomEvent("pick", { detail: { lane: lane.kind, time, stretch } }));
      }
    });
    lane.canvas.addEventListener("pointermove", (event) => { if (lane.dragging) seek(event); else this._hover(lane, timeAt(event)); });
    for (const name of ["pointerup", "pointercancel"]) lane.canvas.addEventListener(name, () => { lane.dragging = false; });
    lane.canvas.addEventListener("wheel", (event) => {
      if (!event.ctrlKey && !event.metaKey && !event.shiftKey) return;
      event.preventDefault();
      if (event.shiftKey) {
        const [from, to] = this.window;
        this._show(from + ((to - from) * (event.deltaY || event.deltaX)) / 800, to - from);
        this.draw();
      } else this.zoomBy(Math.exp(-event.deltaY / 400));
    }, { passive: false });
  }

  _hover(lane, time) {
    if (!this.playback?.samples) return;
    const i = this.playback.indexAt(time);
    lane.canvas.title = `${time.toFixed(3)} s: ${this._description(lane, i)}`;
  }

  _description(lane, i) {
    const { playback } = this;
    const place = playback.placeAt(i);
    if (lane.kind === "visit") return place.node;
    if (lane.kind === "phase") return phaseText(place);
    if (lane.kind === "contacts") return lane.links.filter((k) => playback.touches(k, i)).map((k) => playback.body.links[k].name).join(", ") || "in flight";
    return lane.names.map((name, k) => `${name} ${shown(lane.of[k](i))} ${playback.unitOf(name)}`).join(", ");
  }

  /** Redraw everything. */
  draw() {
    if (!this.playback?.samples) return;
    this._colours ??= coloursOf(this.element);
    for (const lane of this._lanes) this._drawLane(lane);
  }

  _drawLane(lane) {
    const { canvas } = lane;
    const height = lane.kind === "contacts" ? Math.max(lane.links.length, 1) * ROW + 4 : HEIGHTS[lane.kind];
    if (canvas.style.height !== `${height}px`) canvas.style.height = `${height}px`;
    const width = canvas.clientWidth;
    if (!width) return;
    const ratio = window.devicePixelRatio || 1;
    if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
      [canvas.width, canvas.height] = [Math.round(width * ratio), Math.round(height * ratio)];
    }
    const c = canvas.getContext("2d");
    c.setTransform(ratio, 0, 0, ratio, 0, 0);
    c.clearRect(0, 0, width, height);
    const [from, to] = this.window;
    const at = (time) => ((time - from) / (to - from)) * width;
    if (lane.kind === "contacts") this._drawContacts(c, lane, width, at);
    else if (lane.kind === "signal") this._drawSignal(c, lane, width, height, at);
    else this._drawStretches(c, lane, width, height, at);
    const x = Math.round(at(this.time));
    c.fillStyle = this._colours.ink;
    if (x >= -1 && x <= width) c.fillRect(Math.min(Math.max(x, 0), width - 1.5), 0, 1.5, height);
    this._showValue(lane);
  }

  _drawStretches(c, lane, width, height, at) {
    const colours = this._colours;
    const stretches = this.playback.stretches(lane.kind);
    const order = nodeOrder(this.playback);
    c.font = "12px system-ui, sans-serif";
    c.textBaseline = "middle";
    c.textAlign = "left";
    let phase = 0;
    for (const [k, stretch] of stretches.entries()) {
      phase = k && stretches[k - 1].visit === stretch.visit ? phase + 1 : 0;
      const [left, right] = [Math.max(at(stretch.from), -2), Math.min(at(stretch.to), width + 2)];
      if (right < 0 || left > width) continue;
      const colour = colours.nodes[order.get(stretch.place.node) % colours.nodes.length];
      c.globalAlpha = lane.kind === "visit" ? 1 : phase % 2 ? 0.3 : 0.5;
      c.fillStyle = colour;
      c.fillRect(left, 0, Math.max(right - left - 1, 0.5), height);
      c.globalAlpha = 1;
      const text = lane.kind === "visit" ? stretch.place.node.replaceAll("_", " ") : phaseText(stretch.place);
      const fits = [text, lane.kind === "phase" ? String(stretch.place.phase) : ""].find((each) => each && c.measureText(each).width < right - Math.max(left, 0) - 8);
      if (!fits) continue;
      c.fillStyle = lane.kind === "visit" ? colours.paper : colours.ink;
      c.fillText(fits, Math.max(left, 0) + 4, height / 2 + 1);
    }
  }

  _drawContacts(c, lane, width, at) {
    const { playback, _colours: colours } = this;
    const [from, to] = this.window;
    const [first, last] = [playback.indexAt(from), playback.indexAt(to)];
    const sides = sidesOf(playback.body);
    lane.links.forEach((k, row) => {
      c.fillStyle = colours.line;
      c.fillRect(0, 2 + row * ROW + ROW / 2 - 0.5, width, 1);
      c.fillStyle = [colours.far, colours.trunk, colours.near][sides[k] + 1];
      for (let i = first; i <= last; i++) {
        if (!playback.touches(k, i)) continue;
        let end = i;
        while (end < last && playback.touches(k, end + 1)) end += 1;
        const [left, right] = [at(playback.timeOf(i)), at(playback.timeOf(end + 1))];
        c.fillRect(left, 3 + row * ROW, Math.max(right - left, 1), ROW - 3);
        i = end;
      }
    });
  }

  _drawSignal(c, lane, width, height, at) {
    const { playback, _colours: colours } = this;
    const [from, to] = this.window;
    const [first, last] = [playback.indexAt(from), Math.min(playback.indexAt(to) + 1, playback.samples - 1)];
    const y = (value) => height - 5 - ((value - lane.low) / (lane.high - lane.low)) * (height - 10);
    if (lane.low < 0 && lane.high > 0) {
      c.fillStyle = colours.line;
      c.fillRect(0, y(0), width, 1);
    }
    lane.of.forEach((of, k) => {
      const quiet = /^(least|greatest)\./.test(lane.names[k]);
      c.strokeStyle = quiet ? colours.line : colours.nodes[[0, 2, 3, 5][k % 4]];
      c.lineWidth = k ? 1 : 1.6;
      c.setLineDash(k && !quiet ? [4, 3] : []);
      c.beginPath();
      // with more samples than pixels, draw the minimum and maximum per pixel
      const step = Math.max(1, Math.floor((last - first) / width));
      let broken = true;
      for (let i = first; i <= last; i += step) {
        let [low, high] = [Infinity, -Infinity];
        for (let j = i; j < Math.min(i + step, last + 1); j++) {
          const value = of(j);
          if (value < low) low = value;
          if (value > high) high = value;
        }
        if (low > high) { broken = true; continue; }
        const x = at(playback.timeOf(i));
        if (broken) c.moveTo(x, y(low));
        c.lineTo(x, y(low));
        if (high > low) c.lineTo(x, y(high));
        broken = false;
      }
      c.stroke();
    });
    c.setLineDash([]);
    c.font = "10px system-ui, sans-serif";
    c.fillStyle = colours.muted;
    c.textAlign = "right";
    c.textBaseline = "top";
    c.fillText(shown(lane.high), width - 3, 1);
    c.textBaseline = "bottom";
    c.fillText(shown(lane.low), width - 3, height - 1);
  }

  /** Show a signal's present value below its title. */
  _showValue(lane) {
    if (lane.kind !== "signal") return;
    lane.value ??= lane.label.appendChild(make("span", { className: "cg-value" }));
    const i = this.playback.indexAt(this.time);
    lane.value.textContent = lane.of.slice(0, 2).map((of) => shown(of(i))).join(" / ") + ` ${this.playback.unitOf(lane.names[0])}`;
  }
}

/** Return the index of each node in order of first appearance, which selects its colour. */
export function nodeOrder(playback) {
  const order = new Map();
  for (const { place } of playback.stretches("visit")) if (!order.has(place.node)) order.set(place.node, order.size);
  return order;
}

/** Return the text of a phase: number and line. */
export function phaseText(place) {
  if (place.phase < 0) return place.node;
  return place.line ? `phase ${place.phase}, line ${place.line}` : `phase ${place.phase}`;
}

function sidesOf(body) {
  const sides = [];
  for (const limb of body.limbs) for (const k of limb.links) sides[k] = limb.side;
  return sides;
}

function titleOf(lane) {
  return { visit: "node", phase: "phase", contacts: "contacts" }[lane.kind] ?? lane.names[0];
}

/** Return the signals of a lane: an angle with its target, a torque with its limits. */
function namesFor(name) {
  const [quantity, of] = name.split(".", 2);
  if (quantity === "angle") return [name, `target.${of}`];
  if (quantity === "torque") return [name, `asked.${of}`, `least.${of}`, `greatest.${of}`];
  return [name];
}

function shown(value) {
  if (!Number.isFinite(value)) return "–";
  const size = Math.abs(value);
  return value.toFixed(size >= 100 ? 0 : size >= 10 ? 1 : 2);
}
