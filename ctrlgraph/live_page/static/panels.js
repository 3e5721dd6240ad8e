/**
 * The panels next to the motion: tabs and variants.
 *
 * @module panels
 */
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
