/**
 * The script editor: a text area on top of the highlighted text, with line numbers and findings.
 *
 * @module editor
 */
import { make } from "./player.js";

const TOKENS = /(#.*)|([A-Z][A-Z0-9]{2,})|((?<![A-Za-z_])[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)|([A-Za-z_][A-Za-z0-9_]*)/g;
const KINDS = ["", "comment", "keyword", "number", "name"];
const MOST_LINES = 4000; // longer texts are not highlighted

/**
 * Fires "edit" when the user has changed the text, "line" (detail: line) when a line number is clicked, "save", "undo" and
 * "redo".
 */
export class Editor extends EventTarget {
  /** @param {HTMLElement} element container */
  constructor(element) {
    super();
    this.element = element;
    element.classList.add("editor");
    this._gutter = make("div", { className: "gutter" });
    this._gutter.setAttribute("aria-hidden", "true");
    this._code = make("div", { className: "code" });
    this._shown = make("div", { className: "shown" });
    this._shown.setAttribute("aria-hidden", "true");
    this._area = make("textarea", { spellcheck: false, wrap: "off", autocomplete: "off" });
    this._area.setAttribute("aria-label", "Script");
    for (const name of ["autocapitalize", "autocorrect"]) this._area.setAttribute(name, "off");
    this._code.append(this._shown, this._area);
    element.append(this._gutter, this._code);
    this._findings = [];
    this._lit = [0, 0];
    this._lines = [];
    this._given = this._shownAs = ""; // the given text, and the same text in the text area
    this._area.addEventListener("input", () => { this._show(); this.dispatchEvent(new Event("edit")); });
    this._area.addEventListener("beforeinput", (event) => {
      if (/^history(Undo|Redo)$/.test(event.inputType)) this._undo(event, event.inputType === "historyRedo");
    });
    this._area.addEventListener("keydown", (event) => this._key(event));
    this._gutter.addEventListener("click", (event) => {
      const line = Number(event.target.dataset?.line);
      if (line) this.dispatchEvent(new CustomEvent("line", { detail: { line } }));
    });
  }

  /** The text with the line ends of the given one. A text area normalises line ends. */
  get text() {
    const { value } = this._area;
    if (value === this._shownAs) return this._given;
    return this._given.includes("\r\n") ? value.replaceAll("\n", "\r\n") : value;
  }

  /** Show another text. While the user writes, the cursor moves to the difference. */
  set text(given) {
    const area = this._area;
    const text = given.replace(/\r\n?/g, "\n");
    [this._given, this._shownAs] = [given, text];
    if (area.value === text) return;
    const [before, start] = [area.value, area.selectionStart];
    area.value = text;
    const at = start === 0 || document.activeElement !== area ? Math.min(start, text.length) : endOfChange(before, text);
    area.setSelectionRange(at, at);
    this._show();
  }

  /** Show findings at their lines. */
  setFindings(findings) {
    this._findings = findings.filter((each) => each.line);
    this._show();
  }

  /** Highlight lines from first to last; 0 for none. */
  light(first, last) {
    if (this._lit[0] === first && this._lit[1] === last) return;
    for (let n = this._lit[0]; n && n <= this._lit[1]; n++) this._lines[n - 1]?.classList.remove("lit");
    this._lit = [first, last];
    for (let n = first; n && n <= last; n++) this._lines[n - 1]?.classList.add("lit");
  }

  /** Scroll to a line; focus: move the cursor there. */
  reveal(line, { focus = false } = {}) {
    const shown = this._lines[line - 1];
    if (!shown) return;
    const { element } = this;
    const [top, height] = [shown.offsetTop, element.clientHeight];
    if (top < element.scrollTop + 8 || top > element.scrollTop + height - 60) element.scrollTop = Math.max(top - height / 4, 0);
    if (!focus) return;
    const at = this._area.value.split("\n").slice(0, line - 1).join("\n").length + (line > 1 ? 1 : 0);
    this._area.focus({ preventScroll: true });
    this._area.setSelectionRange(at, at);
  }

  _key(event) {
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "s") {
      event.preventDefault();
      this.dispatchEvent(new Event("save"));
    }
    const key = event.key.toLowerCase();
    if ((event.ctrlKey || event.metaKey) && (key === "z" || key === "y")) this._undo(event, key === "y" || event.shiftKey);
    event.stopPropagation(); // no player shortcuts while typing
  }

  /** Undo concerns the whole page; a text area knows only its own changes. */
  _undo(event, again) {
    event.preventDefault();
    this.dispatchEvent(new Event(again ? "redo" : "undo"));
  }

  _show() {
    const lines = this._area.value.split("\n");
    const byLine = new Map();
    for (const each of this._findings) byLine.set(each.line, [...(byLine.get(each.line) ?? []), each]);
    const coloured = lines.length <= MOST_LINES;
    this._lines = lines.map((text, k) => {
      const line = make("div", { className: "line" });
      if (this._lit[0] && k + 1 >= this._lit[0] && k + 1 <= this._lit[1]) line.classList.add("lit");
      const found = byLine.get(k + 1) ?? [];
      line.append(...(coloured ? pieces(text, found) : [text]), text ? "" : "\u200b");
      if (found.length) {
        line.classList.add(found.some((each) => each.severity === "error") ? "error" : "warning");
        line.append(make("span", { className: "lens", textContent: found.map((each) => each.message).join("; ") }));
      }
      return line;
    });
    this._shown.replaceChildren(...this._lines);
    if (this._gutter.childElementCount !== lines.length) {
      this._gutter.replaceChildren(...lines.map((_, k) => {
        const number = make("div", { textContent: k + 1 });
        number.dataset.line = k + 1;
        return number;
      }));
    }
    lines.forEach((_, k) => {
      const found = byLine.get(k + 1) ?? [];
      this._gutter.children[k].className = found.length ? (found.some((each) => each.severity === "error") ? "error" : "warning") : "";
    });
  }
}

/** Return the end of the changed part of a text. */
function endOfChange(before, after) {
  let same = 0;
  const most = Math.min(before.length, after.length);
  while (same < most && before[before.length - 1 - same] === after[after.length - 1 - same]) same += 1;
  return after.length - same;
}

/** Return a line as highlighted pieces, with findings underlined. */
function pieces(text, found) {
  const marks = found.map((each) => [each.column - 1, each.end_line === each.line ? each.end_column - 1 : text.length]);
  const isMarked = (at) => marks.some(([from, to]) => at >= from && at < Math.max(to, from + 1));
  const parts = [];
  let done = 0;
  const put = (piece, kind, from) => {
    if (!piece) return;
    const name = [kind, isMarked(from) ? "marked" : ""].filter(Boolean).join(" ");
    parts.push(name ? make("span", { className: name, textContent: piece }) : piece);
  };
  for (const match of text.matchAll(TOKENS)) {
    put(text.slice(done, match.index), "", done);
    put(match[0], KINDS[match.findIndex((group, k) => k > 0 && group !== undefined)], match.index);
    done = match.index + match[0].length;
  }
  put(text.slice(done), "", done);
  return parts;
}
