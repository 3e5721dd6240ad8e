/**
 * The replay page: motions side by side on one clock, with lanes, logs and the graph.
 *
 * @module replay
 */
import { Playback, embeddedBytes } from "./playback.js";
import { FIGURES } from "./figure.js";
import { Controls, KEYS, Player, VIEW_KEYS, make, viewButtons } from "./player.js";
import { LanesView } from "./lanes.js";
import { GraphView } from "./graph.js";

const GHOSTS_S = [-0.6, -0.4, -0.2];

/** A motion with its figure, lanes and log. */
class Panel {
  constructor(motion, playback, player, scripts) {
    [this.playback, this.rows, this.player, this._scripts] = [playback, motion.rows, player, scripts];
    const canvas = make("canvas", { className: "cg-figure", tabIndex: 0 });
    canvas.setAttribute("role", "img");
    canvas.setAttribute("aria-label", `${motion.title}: the character in its world`);
    const lanes = make("div", {});
    this._log = make("tbody", {});
    const head = make("tr", {}, ...["s", "node", "over", "for", "outcome"].map((text) => make("th", { scope: "col", textContent: text })));
    const log = make("div", { className: "log", tabIndex: 0 }, make("table", {}, make("thead", {}, head), this._log));
    log.setAttribute("aria-label", "Log");
    log.setAttribute("role", "region");
    this._badge = make("span", { className: "badge" });
    const stage = make("div", { className: "stage" }, canvas, this._badge);
    this.element = make(
      "section", { className: "panel" },
      make("header", {}, make("h2", { textContent: motion.title }), make("p", { className: motion.warning ? "note" : "quiet", textContent: motion.note })),
      stage, lanes, this._scriptPart(), log,
    );
    this.figure = new FIGURES[playback.body.dimensions](canvas);
    stage.append(...viewButtons(this.figure));
    this.lanes = new LanesView(lanes);
    this.lanes.addEventListener("seek", (event) => player.seek(event.detail.time - this.shift));
    this._active = -1;
    this._fillLog();
  }

  /** Offset of this motion's clock from the page's, s. */
  get shift() { return this.playback.start - this.player.start; }

  begin() {
    this.figure.setPlayback(this.playback);
    this.lanes.setPlayback(this.playback);
  }

  show(time) {
    const own = Math.min(time + this.shift, this.playback.end);
    this.figure.draw(own);
    this.lanes.setTime(own);
    this._showScript(own);
    const active = this.rows.findLastIndex((row) => row.time <= own + 1e-9);
    if (active === this._active) return;
    this._log.children[this._active]?.removeAttribute("aria-current");
    this._active = active;
    const row = this._log.children[active];
    this._badge.textContent = this.rows[active]?.node.replaceAll("_", " ") ?? "";
    if (!row) return;
    row.setAttribute("aria-current", "true");
    const frame = row.closest(".log"); // do not scroll the page
    frame.scrollTop = row.offsetTop - (frame.clientHeight - row.offsetHeight) / 2;
  }

  _scriptPart() {
    this._title = make("h3", { textContent: "Script" });
    this._lines = make("pre", { tabIndex: 0 });
    this._lines.setAttribute("aria-label", "Lines of the phase that runs");
    this._place = null;
    this._script = make("section", { className: "script" }, this._title, this._lines);
    return this._script;
  }

  /** Show the lines of the phase that runs at a time (s). */
  _showScript(time) {
    const place = this.playback.placeAt(this.playback.indexAt(time));
    if (place === this._place) return;
    this._place = place;
    const script = this._scripts[place.script];
    const phase = script?.phases.find((each) => each.phase === place.phase);
    this._script.hidden = !place.script; // controllers without phases, such as gaits, have no place
    if (!place.script) return;
    this._title.textContent = `${place.script.split("/").pop()}, phase ${place.phase}`;
    if (!phase) {
      this._lines.replaceChildren(script ? script.text : "This page does not contain the text of this file.");
      return;
    }
    this._lines.replaceChildren(...script.text.split("\n").slice(phase.first - 1, phase.last).flatMap((line, k) => [
      make("span", { className: "number", textContent: String(phase.first + k).padStart(4) }), ` ${line}\n`,
    ]));
    this._lines.scrollTop = 0;
  }

  /** Return the present row of the log. */
  get row() { return this.rows[this._active]; }

  showLayers(chosen) {
    for (const [name] of this.figure.constructor.LAYERS) if (name !== "ghosts") this.figure.layers[name] = chosen.has(name);
    this.figure.ghosts = chosen.has("ghosts") ? GHOSTS_S.map((shift, k) => ({ playback: this.playback, shift, opacity: 0.3 + 0.15 * k })) : [];
    this.figure.draw();
  }

  _fillLog() {
    for (const row of this.rows) {
      const go = make("button", { type: "button", className: "go", textContent: row.time.toFixed(2) });
      const good = row.status === "completed";
      const over = row.source ? `${row.source.replaceAll("_", " ")}${row.kind === "naive" ? "" : `, ${row.kind}`}` : "start pose";
      const made = make(
        "tr", {}, make("td", {}, go), make("td", { textContent: row.node.replaceAll("_", " ") + (row.cycles > 1 ? ` ×${row.cycles}` : "") }),
        make("td", { className: "quiet", textContent: over }), make("td", { className: "n", textContent: `${row.seconds.toFixed(2)} s` }),
        make("td", { className: good ? "good" : "bad", textContent: good ? "succeeded" : row.reason ? `${row.status}: ${row.reason}` : row.status }),
      );
      made.addEventListener("click", () => this.player.seek(row.time - this.shift));
      this._log.append(made);
    }
  }
}

function creditsOf(views) {
  return views.length ? [make("p", { className: "quiet", textContent: "Drawn with three.js (MIT License, © three.js authors; the license is in this file)." })] : [];
}

async function begin() {
  const data = JSON.parse(document.getElementById("data").textContent);
  const page = document.getElementById("page");
  const player = new Player();
  const playbacks = await Promise.all(data.motions.map(async (_, k) => Playback.of(await embeddedBytes(document.getElementById(`motion-${k}`)))));
  const longest = playbacks.reduce((a, b) => (b.end - b.start > a.end - a.start ? b : a));
  const scripts = JSON.parse(new TextDecoder().decode(await embeddedBytes(document.getElementById("scripts"))));
  const panels = data.motions.map((motion, k) => new Panel(motion, playbacks[k], player, scripts));
  const controls = make("div", {});
  const layers = make("fieldset", { className: "layers" }, make("legend", { textContent: "Show" }));
  const { LAYERS: shown, USUAL: usual, VIEWS: views } = panels[0].figure.constructor;
  const chosen = new Set(usual);
  for (const [name, text] of shown) {
    const box = make("input", { type: "checkbox", checked: chosen.has(name) });
    box.addEventListener("change", () => {
      if (box.checked) chosen.add(name);
      else chosen.delete(name);
      for (const panel of panels) panel.showLayers(chosen);
    });
    layers.append(make("label", {}, box, text));
  }
  const graph = make("div", { className: "graph" });
  const keys = make("dl", {});
  for (const [key, action] of [...KEYS, ...(views.length ? VIEW_KEYS : [])]) keys.append(make("div", {}, make("dt", { textContent: key }), make("dd", { textContent: action })));
  const stages = make("div", { className: `panels${panels.length > 1 ? " several" : ""}` }, ...panels.map((panel) => panel.element));
  page.append(
    stages, make("section", { className: "graph-panel" }, make("h2", { textContent: "The graph" }), make("p", { className: "quiet", textContent: "Coloured by the success of all logged attempts, whatever the scripts were then." }), graph),
    make("div", { className: "bar" }, controls, layers, make("details", { className: "keys" }, make("summary", { textContent: "Keys" }), keys, ...creditsOf(views))),
  );
  new Controls(controls, player);
  const view = new GraphView(graph, data.graph);
  let selected = panels[0];
  const show = () => {
    for (const panel of panels) panel.show(player.time);
    const { row } = selected;
    view.light(row?.node ?? null, row?.source ? { source: row.source, kind: row.kind } : null);
  };
  for (const panel of panels) {
    if (panels.length > 1) panel.element.classList.toggle("selected", panel === selected);
    panel.element.addEventListener("pointerdown", () => {
      if (panels.length === 1) return;
      selected = panel;
      for (const each of panels) each.element.classList.toggle("selected", each === selected);
      show();
    });
    panel.begin();
    panel.showLayers(chosen);
  }
  view.addEventListener("pick", (event) => { // its next visit
    const times = selected.rows.filter((row) => row.node === event.detail.node).map((row) => row.time - selected.shift);
    const next = times.find((time) => time > player.time + 1e-6) ?? times[0];
    if (next !== undefined) player.seek(next);
  });
  player.addEventListener("time", show);
  player.bindKeys(document.body);
  document.body.addEventListener("keydown", (event) => {
    const name = views[Number(event.key) - 1];
    if (!name || event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|SELECT)$/.test(event.target.tagName)) return;
    for (const panel of panels) panel.figure.setView(name);
  });
  player.setPlayback(longest);
  document.documentElement.dataset.ready = "true";
  Object.assign(window, { player, panels }); // for debugging
}

begin().catch((error) => {
  document.getElementById("page").append(make("p", { className: "note", textContent: `This page cannot play: ${error.message}` }));
});
