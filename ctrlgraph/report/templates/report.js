/**
 * The interactive parts of the report: motions, sorting, filtering, tooltips. The page is complete without them.
 *
 * @module report
 */
import { Playback, embeddedBytes } from "./playback.js";
import { FigureView } from "./figure.js";
import { Controls, Player, make } from "./player.js";
import { GraphView } from "./graph.js";

const MIN_ROWS_TO_FILTER = 8;

/** Show the motion of a node, decoded when it becomes visible. */
async function showMotion(frame) {
  const playback = Playback.of(await embeddedBytes(document.getElementById(frame.dataset.motion)));
  const canvas = make("canvas", { className: "cg-figure", tabIndex: 0 });
  canvas.setAttribute("role", "img");
  canvas.setAttribute("aria-label", "The motion");
  const controls = make("div", {});
  frame.replaceChildren(canvas, controls);
  const [figure, player] = [new FigureView(canvas), new Player()];
  figure.setPlayback(playback);
  new Controls(controls, player, { small: true });
  player.addEventListener("time", () => figure.draw(player.time));
  player.bindKeys(frame);
  player.setPlayback(playback);
  frame.dataset.ready = "true";
}

function showMotions() {
  const seen = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) {
      if (!isIntersecting) continue;
      seen.unobserve(target);
      showMotion(target).catch((error) => { target.textContent = `This motion cannot be played: ${error.message}`; });
    }
  }, { rootMargin: "400px" });
  for (const frame of document.querySelectorAll(".motion")) {
    frame.hidden = false;
    seen.observe(frame);
  }
}

/** Return the sort key of a cell: its value, the first number in it, or its text. */
function sortKey(row, column) {
  const cell = row.cells[column];
  const text = cell?.textContent.trim() ?? "";
  const number = Number.parseFloat((cell?.dataset.value ?? text).replace("−", "-"));
  return { number, text };
}

function sortBy(table, column) {
  const head = table.tHead.rows[0].cells[column];
  const down = head.getAttribute("aria-sort") === "ascending";
  for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
  head.setAttribute("aria-sort", down ? "descending" : "ascending");
  const rows = Array.from(table.tBodies[0].rows, (row) => ({ row, ...sortKey(row, column) }));
  const numbers = rows.filter(({ number }) => !Number.isNaN(number)).length > rows.length / 2;
  rows.sort((a, b) => {
    const order = numbers
      ? (Number.isNaN(a.number) ? Infinity : a.number) - (Number.isNaN(b.number) ? Infinity : b.number)
      : a.text.localeCompare(b.text, undefined, { numeric: true });
    return down ? -order : order;
  });
  table.tBodies[0].append(...rows.map(({ row }) => row));
}

function sortTables() {
  for (const table of document.querySelectorAll("table.sorted")) {
    if (table.tBodies[0].rows.length < 2) continue;
    Array.from(table.tHead.rows[0].cells).forEach((head, column) => {
      if (head.classList.contains("scale")) return;
      const button = make("button", { type: "button", textContent: head.textContent, title: "Sort" });
      button.addEventListener("click", () => sortBy(table, column));
      head.replaceChildren(button);
    });
    if (table.tBodies[0].rows.length >= MIN_ROWS_TO_FILTER) addFilter(table);
  }
}

function addFilter(table) {
  const field = make("input", { type: "search", className: "filter", placeholder: "Filter …" });
  field.setAttribute("aria-label", "Show only rows with this text");
  field.addEventListener("input", () => {
    const wanted = field.value.trim().toLowerCase();
    for (const row of table.tBodies[0].rows) row.hidden = !row.textContent.toLowerCase().includes(wanted);
  });
  (table.closest(".scroll, .long") ?? table).before(field);
}

/** Highlight the present section in the contents: the last one that starts in the upper third of the window. */
function lightPlace() {
  const links = new Map(Array.from(document.querySelectorAll("nav a"), (link) => [link.hash.slice(1), link]));
  const parts = Array.from(links.keys(), (id) => document.getElementById(id)).filter(Boolean);
  let lit = null;
  const follow = () => {
    const line = window.innerHeight / 3;
    const ends = window.innerHeight + window.scrollY >= document.documentElement.scrollHeight - 2;
    const begun = parts.map((part) => ({ part, top: part.getBoundingClientRect().top })).filter(({ top }) => top <= line || ends);
    // of sections that start at the same place the innermost; at the end of the page the last visible one
    const here = begun.reduce((best, each) => (best === null || each.top >= best.top ? each : best), null)?.part ?? parts[0];
    const link = links.get(here?.id);
    if (link === lit || !link) return;
    lit?.removeAttribute("aria-current");
    lit = link;
    lit.setAttribute("aria-current", "location");
    const side = lit.closest("nav");
    if (getComputedStyle(side).position !== "sticky" || side.matches(":hover")) return; // do not scroll while the pointer is on the list
    const [box, frame] = [lit.getBoundingClientRect(), side.getBoundingClientRect()];
    if (box.top < frame.top || box.bottom > frame.bottom) side.scrollTop += box.top - frame.top - frame.height / 3;
  };
  document.addEventListener("scroll", follow, { passive: true });
  window.addEventListener("resize", follow);
  follow();
}

/** Unfold the target of a link. */
function unfoldTargets() {
  const unfold = (id) => {
    const target = document.getElementById(decodeURIComponent(id));
    (target?.matches("details") ? target : target?.querySelector(":scope > details"))?.setAttribute("open", "");
  };
  document.addEventListener("click", (event) => {
    const link = event.target.closest?.('a[href^="#"]');
    if (link) unfold(link.hash.slice(1)); // before the browser scrolls
  });
  window.addEventListener("hashchange", () => unfold(location.hash.slice(1)));
  if (location.hash) {
    unfold(location.hash.slice(1));
    document.getElementById(decodeURIComponent(location.hash.slice(1)))?.scrollIntoView({ behavior: "instant" });
  }
  const all = document.querySelector(".unfold");
  if (!all) return;
  all.hidden = false;
  all.addEventListener("click", () => {
    for (const section of document.querySelectorAll(".node-page > details, details.node-page")) section.open = true;
    all.hidden = true;
  });
}

/** Highlight the row and column of the cell under the pointer. */
function crossMatrix() {
  const table = document.querySelector(".matrix");
  if (!table) return;
  let here = [];
  table.addEventListener("pointerover", (event) => {
    const cell = event.target.closest("td");
    for (const each of here) each.classList.remove("here");
    here = cell && cell.parentNode.parentNode === table.tBodies[0] ? [cell.parentNode.cells[0], table.tHead.rows[0].cells[cell.cellIndex]] : [];
    for (const each of here) each.classList.add("here");
  });
}

/** Show the tooltips of the graph and of cells under the mouse or after a tap. */
function tellValues() {
  const tip = make("div", { className: "tip", hidden: true });
  tip.setAttribute("role", "status");
  document.body.append(tip);
  const show = (event) => {
    const found = event.target.closest?.(".cell, .cg-node, .cg-graph g");
    const title = found?.querySelector(":scope > title"); // avoid a second tooltip by the browser
    if (title) [found.dataset.tooltip] = [title.textContent, title.remove()];
    const text = found?.dataset.tooltip ?? "";
    tip.hidden = !text;
    if (!text) return;
    tip.textContent = text;
    const left = Math.min(event.clientX + 12, window.innerWidth - tip.offsetWidth - 8);
    const above = event.clientY + 18 + tip.offsetHeight > window.innerHeight;
    tip.style.left = `${Math.max(left, 8)}px`;
    tip.style.top = `${event.clientY + (above ? -tip.offsetHeight - 10 : 18)}px`;
  };
  for (const cell of document.querySelectorAll(".cell[title]")) {
    cell.dataset.tooltip = cell.title;
    cell.setAttribute("aria-label", cell.title);
    cell.removeAttribute("title");
  }
  for (const name of ["pointermove", "pointerdown"]) document.addEventListener(name, show);
  document.addEventListener("scroll", () => { tip.hidden = true; }, { passive: true });
}

function showGraph() {
  const frame = document.querySelector(".live-graph");
  const picked = document.querySelector(".picked");
  const graph = JSON.parse(document.getElementById("graph-data").textContent);
  frame.hidden = false;
  const view = new GraphView(frame, graph);
  const sections = new Map(Array.from(document.querySelectorAll(".node-page"), (section) => [section.dataset.node, section.id]));
  view.addEventListener("pick", ({ detail: { node } }) => {
    view.follow = true;
    view.light(node);
    const { success } = graph.nodes.find((each) => each.name === node);
    const summary = success ? `${success.successes} of ${success.attempts} attempts succeeded. ` : "never tried. ";
    picked.replaceChildren(make("b", { textContent: node.replaceAll("_", " ") }), `: ${summary}`);
    if (sections.has(node)) picked.append(make("a", { href: `#${sections.get(node)}`, textContent: "Details" }));
    picked.hidden = false;
  });
}

showMotions();
sortTables();
crossMatrix();
tellValues();
showGraph();
lightPlace();
unfoldTargets();
document.documentElement.dataset.ready = "true";
