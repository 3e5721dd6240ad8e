/**
 * The panels next to the motion: tabs, variants, and the progress of a search.
 *
 * @module panels
 */
import { coloursOf } from "./figure.js";
import { make } from "./player.js";

/**
 * Make tabs of panels; arrow keys move between them.
 *
 * @param {HTMLElement} list
 * @param {HTMLElement[]} panels
 */
export function tabs(list, panels) {
  const buttons = panels.map((panel) => {
    const button = make("button", { type: "button", className: "cg-button", textContent: panel.getAttribute("aria-label") });
    button.setAttribute("role", "tab");
    button.setAttribute("aria-controls", panel.id);
    button.addEventListener("click", () => choose(panel));
    return button;
  });
  const choose = (chosen) => panels.forEach((panel, k) => {
    panel.hidden = panel !== chosen;
    buttons[k].setAttribute("aria-selected", panel === chosen);
    buttons[k].setAttribute("aria-pressed", panel === chosen);
    buttons[k].tabIndex = panel === chosen ? 0 : -1;
    if (panel === chosen) panel.dispatchEvent(new Event("shown"));
  });
  list.addEventListener("keydown", (event) => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!by) return;
    event.preventDefault();
    event.stopPropagation();
    const next = (buttons.indexOf(document.activeElement) + by + buttons.length) % buttons.length;
    buttons[next].focus();
    choose(panels[next]);
  });
  list.append(...buttons);
  choose(panels[0]);
}

/** The list of variants. Fires "show" when the selection changes, "restore" and "drop" (detail: number). */
export class Variants extends EventTarget {
  /** @param {HTMLElement} element list */
  constructor(element) {
    super();
    this.element = element;
    this.items = [];
    this.seen = new Set();
  }

  set(items) {
    for (const item of items) if (!this.items.some((each) => each.number === item.number)) this.seen.add(item.number);
    this.items = items;
    const rows = items.map((item, k) => {
      const seen = make("input", { type: "checkbox", checked: this.seen.has(item.number) });
      seen.addEventListener("change", () => {
        if (seen.checked) this.seen.add(item.number);
        else this.seen.delete(item.number);
        this.dispatchEvent(new Event("show"));
      });
      const dot = make("span", { className: `dot dot-${k % 4}` });
      const row = make("li", {}, make("label", {}, seen, dot, ` ${item.label}`));
      for (const [act, text] of [["restore", "Restore"], ["drop", "Drop"]]) {
        const button = make("button", { type: "button", className: "cg-button", textContent: text });
        button.setAttribute("aria-label", `${text}: ${item.label}`);
        button.addEventListener("click", () => this.dispatchEvent(new CustomEvent(act, { detail: item.number })));
        row.append(button);
      }
      return row;
    });
    if (!rows.length) rows.push(make("li", { className: "quiet", textContent: "Keep a motion, change it, and see both." }));
    this.element.replaceChildren(...rows);
  }

  /** Return the numbers of the selected variants with their indices in the list. */
  shown() { return this.items.map((item, k) => [item.number, k]).filter(([number]) => this.seen.has(number)); }
}

/** Progress of a search: best cost so far, best cost per generation, and the selected term of the cost. */
export class SearchChart {
  constructor(canvas, status, terms) {
    [this.canvas, this.status, this.terms] = [canvas, status, terms];
    this.progress = null;
    this.term = null;
    new ResizeObserver(() => this.draw()).observe(canvas);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.draw());
  }

  set(path, progress) {
    this.progress = progress;
    const { generations: g, cost, first, succeeded, cases } = progress;
    this.status.textContent = `${path}: ${g.length} generations, cost ${short(first)} → ${short(cost)}, ${succeeded} of ${cases} cases succeed.`;
    const names = [...new Set(g.flatMap((each) => Object.keys(each.terms)))].sort();
    if (this.term && !names.includes(this.term)) this.term = null;
    const button = (name, text) => {
      const made = make("button", { type: "button", className: "cg-button", textContent: text });
      made.setAttribute("aria-pressed", this.term === name);
      made.addEventListener("click", () => { this.term = name; this.set(path, progress); });
      return make("li", {}, made);
    };
    this.terms.replaceChildren(button(null, "cost"), ...names.map((name) => button(name, name)));
    this.draw();
  }

  draw() {
    const { canvas, progress } = this;
    const [width, height, ratio] = [canvas.clientWidth, canvas.clientHeight, devicePixelRatio || 1];
    if (!progress || !width) return;
    [canvas.width, canvas.height] = [width * ratio, height * ratio];
    const c = canvas.getContext("2d");
    const colours = coloursOf(canvas);
    c.setTransform(ratio, 0, 0, ratio, 0, 0);
    c.clearRect(0, 0, width, height);
    const g = progress.generations;
    const lines = this.term ? [[g.map((each) => each.terms[this.term] ?? null), colours.nodes[0], 2]]
      : [[g.map((each) => each.cost), colours.muted, 1], [g.map((each) => each.best), colours.accent, 2]];
    const known = lines.flatMap(([values]) => values).filter((value) => value !== null);
    if (!known.length) return;
    const [low, high] = [Math.min(...known), Math.max(...known)];
    const y = (value) => height - 16 - ((value - low) / (high - low || 1)) * (height - 30);
    const x = (k) => 44 + (k / Math.max(g.length - 1, 1)) * (width - 52);
    c.font = "11px system-ui, sans-serif";
    c.fillStyle = colours.muted;
    c.textAlign = "right";
    c.fillText(short(high), 40, 16);
    c.fillText(short(low), 40, height - 14);
    c.fillText(`${g.length} generations`, width - 8, height - 3);
    for (const [values, colour, line] of lines) {
      [c.strokeStyle, c.lineWidth] = [colour, line];
      c.beginPath();
      values.forEach((value, k) => { if (value !== null) c.lineTo(x(k), y(value)); });
      c.stroke();
    }
  }
}

function short(value) { return value === null ? "–" : Number(value.toPrecision(3)).toString(); }
