/**
 * The graph: nodes and edges as SVG, with the active ones highlighted.
 *
 * @module graph
 */

import { make } from "./player.js";

const SVG = "http://www.w3.org/2000/svg";
const PADDING = 24;
const NEAR_SCALE = 0.85; // px per unit when a part is shown: letters of 12 px
const GLIDE_MS = 350;

/** Shows the data of `ctrlgraph.playback.graph_of`. Fires "pick" (detail: `node`) when a node is selected. */
export class GraphView extends EventTarget {
  /**
   * @param {HTMLElement} element container
   * @param {object} graph
   * @param {{whole?: boolean}} [options] whole: show the whole graph at first, otherwise the surroundings of the
   *     active node. The element has its own height.
   */
  constructor(element, graph, { whole = false } = {}) {
    super();
    this.element = element;
    /** Whether the view follows the active node. */
    this.follow = !whole;
    this._whole = whole;
    this._graph = graph;
    this._nodes = new Map();
    this._edges = new Map();
    this._lit = [];
    this._active = null;
    element.classList.add("cg-graph");
    const svg = svgElement("svg", { viewBox: [-PADDING, -PADDING, graph.width + 2 * PADDING, graph.height + 2 * PADDING].join(" "), role: "group", "aria-label": "The graph" });
    svg.append(markers());
    for (const edge of graph.edges) svg.append(this._edge(edge));
    for (const node of graph.nodes) svg.append(this._node(node));
    element.replaceChildren(svg, this._legend());
    this.svg = svg;
    this._middle = [graph.width / 2, graph.height / 2];
    this._scale = NEAR_SCALE;
    this._bar = this._buttons();
    element.append(this._bar);
    this._listen();
    new ResizeObserver(() => { if (this._whole) this.showAll(); else this._look(); }).observe(svg);
    if (!whole) this.centre(graph.nodes.find((node) => node.start)?.name ?? null, false);
  }

  /** Show the whole graph. */
  showAll() {
    const { width, height, nodes } = this._graph;
    const { clientWidth: across, clientHeight: down } = this.svg;
    const scale = (above) => Math.min(across / (width + 2 * PADDING), (down - above) / (height + 2 * PADDING));
    const whole = scale(0);
    const [barHeight, barLeft] = [this._bar.offsetTop + this._bar.offsetHeight, across - this._bar.offsetWidth - 2 * this._bar.offsetTop];
    const isHidden = ({ x, y, width: w, height: h }) => across / 2 + (x + w - width / 2) * whole > barLeft && down / 2 + (y - h - height / 2) * whole < barHeight;
    const above = nodes.some(isHidden) ? barHeight : 0; // keep nodes clear of the buttons
    [this.follow, this._whole] = [false, true];
    this._scale = scale(above);
    this._middle = [width / 2, height / 2 - above / 2 / this._scale];
    this._look();
  }

  /** Zoom by a factor. */
  zoomBy(factor) {
    this._whole = false;
    this._scale = Math.min(Math.max(this._scale * factor, 0.05), 4);
    this._look();
  }

  /** Centre a node. */
  centre(name, glide = true) {
    const node = this._graph.nodes.find((each) => each.name === name);
    if (!node) return;
    this._whole = false;
    const [from, to] = [this._middle.slice(), [node.x, node.y]];
    cancelAnimationFrame(this._gliding);
    if (!glide || matchMedia("(prefers-reduced-motion: reduce)").matches) {
      this._middle = to;
      this._look();
      return;
    }
    const began = performance.now();
    const step = (now) => {
      const share = Math.min(Math.max((now - began) / GLIDE_MS, 0), 1);
      const eased = share * share * (3 - 2 * share);
      this._middle = from.map((value, axis) => value + eased * (to[axis] - value));
      this._look();
      if (share < 1) this._gliding = requestAnimationFrame(step);
    };
    this._gliding = requestAnimationFrame(step);
  }

  _look() {
    const [width, height] = [this.svg.clientWidth / this._scale, this.svg.clientHeight / this._scale];
    this.svg.style.setProperty("--cg-unit", 1 / this._scale); // size of a px, to keep text legible
    this.svg.classList.toggle("cg-far", this._scale < 0.6);
    if (width && height) this.svg.setAttribute("viewBox", [this._middle[0] - width / 2, this._middle[1] - height / 2, width, height].join(" "));
  }

  _buttons() {
    const button = (text, title, act) => {
      const made = make("button", { type: "button", className: "cg-button", textContent: text, title });
      made.setAttribute("aria-label", title);
      made.addEventListener("click", act);
      return made;
    };
    const bar = make("div", { className: "cg-graph-bar" });
    bar.append(
      button("+", "Larger", () => this.zoomBy(1.3)), button("−", "Smaller", () => this.zoomBy(1 / 1.3)),
      button("All", "The whole graph", () => this.showAll()),
      button("◎", "Follow the active node", () => { [this.follow, this._scale] = [true, NEAR_SCALE]; this.centre(this._active); this._look(); }),
    );
    return bar;
  }

  /** Add the legend. */
  _legend() {
    const legend = make("ul", { className: "cg-legend" });
    legend.setAttribute("aria-label", "Legend");
    const put = (text, draw) => {
      const icon = svgElement("svg", { viewBox: "0 0 26 14", "aria-hidden": "true" });
      icon.append(...draw);
      legend.append(make("li", {}, icon, text));
    };
    const rect = (name) => svgElement("rect", { class: name, x: 4, y: 2, width: 18, height: 10, rx: 2 });
    const line = (kind) => svgElement("path", { class: `cg-edge cg-${kind}`, d: "M1 7L24 7", "marker-end": `url(#cg-arrow-${kind})` });
    put("static pose", [rect("cg-shape")]);
    put("dynamic motion", [svgElement("path", { class: "cg-shape", d: "M3 7L13 1L23 7L13 13Z" })]);
    put("start", [svgElement("rect", { class: "cg-ring", x: 1, y: 1, width: 24, height: 12, rx: 3 }), rect("cg-shape")]);
    put("runs now", [rect("cg-shape cg-now")]);
    for (const [kind, text] of [["naive", "naive"], ["learned", "learned"], ["corrective", "after a failure"]]) {
      if (this._graph.edges.some((edge) => edge.kind === kind)) put(text, [line(kind)]);
    }
    put("never tried", [rect("cg-shape")]);
    if (this._graph.scale && [...this._graph.nodes, ...this._graph.edges].some((each) => each.success)) {
      const bar = make("span", { className: "cg-scale" });
      bar.style.background = `linear-gradient(to right, ${this._graph.scale.join(", ")})`;
      legend.append(make("li", {}, "succeeded: 0 %", bar, "100 %"));
    }
    return legend;
  }

  _listen() {
    const { svg } = this;
    svg.addEventListener("wheel", (event) => {
      if (!event.ctrlKey && !event.metaKey) return; // let the page scroll
      event.preventDefault();
      this.zoomBy(Math.exp(-event.deltaY / 400));
    }, { passive: false });
    let pointer = null;
    svg.addEventListener("pointerdown", (event) => { if (event.button === 0) pointer = [event.clientX, event.clientY]; });
    svg.addEventListener("pointermove", (event) => {
      if (!pointer || !(event.buttons & 1)) return;
      const moved = [event.clientX - pointer[0], event.clientY - pointer[1]];
      if (!this._dragged && Math.hypot(...moved) < 4) return;
      [this._dragged, this.follow, this._whole] = [true, false, false];
      this._middle = this._middle.map((value, axis) => value - moved[axis] / this._scale);
      pointer = [event.clientX, event.clientY];
      this._look();
    });
    // a click that ends a drag selects nothing
    svg.addEventListener("click", (event) => { if (this._dragged) event.stopPropagation(); this._dragged = false; pointer = null; }, true);
  }

  /**
   * Highlight the active node and the edge that led to it.
   *
   * @param {?string} node
   * @param {?{source: string, kind?: string}} [edge] may connect a node with itself
   */
  light(node, edge = null) {
    const lit = [];
    const found = this._nodes.get(node);
    if (found) lit.push(found);
    const led = edge && (this._edges.get(key(edge.source, node, edge.kind)) ?? this._edges.get(key(edge.source, node)));
    if (led) lit.push(led);
    if (lit.length === this._lit.length && lit.every((each, k) => each === this._lit[k])) return;
    for (const each of this._lit) each.classList.remove("cg-lit");
    if (node !== this._active) {
      for (const near of this.svg.querySelectorAll(".cg-near")) near.classList.remove("cg-near");
      for (const each of this._graph.edges) {
        if (each.source === node || each.target === node) this._edges.get(key(each.source, each.target, each.kind)).classList.add("cg-near");
      }
      this._active = node;
      if (this.follow) this.centre(node);
    }
    for (const each of lit) each.classList.add("cg-lit");
    if (found && !found.contains(document.activeElement)) this.svg.append(found); // above its neighbours
    if (led) this.svg.insertBefore(led, this.svg.querySelector(".cg-node")); // above the other edges
    this._lit = lit;
  }

  /**
   * Update the measured success of nodes and edges.
   *
   * @param {{nodes: object[], edges: object[]}} graph the same graph with new `success`
   */
  setSuccess(graph) {
    for (const node of graph.nodes) paint(this._nodes.get(node.name), node, "node");
    for (const edge of graph.edges) paint(this._edges.get(key(edge.source, edge.target, edge.kind)), edge, "edge");
  }

  _node(node) {
    const group = svgElement("g", { class: `cg-node ${node.static ? "cg-static" : "cg-dynamic"}${node.start ? " cg-start" : ""}`, tabindex: 0, role: "button", "aria-label": node.name });
    const { x, y, width: w, height: h } = node;
    const shape = (grow, name) => node.static
      ? svgElement("rect", { class: name, x: x - w - grow, y: y - h - grow, width: 2 * (w + grow), height: 2 * (h + grow), rx: 6 })
      : svgElement("path", { class: name, d: `M${x - w - grow} ${y}L${x} ${y - h - grow}L${x + w + grow} ${y}L${x} ${y + h + grow}Z` });
    if (node.start) group.append(shape(7, "cg-ring"));
    group.append(shape(0, "cg-shape"));
    const lines = node.success ? [...node.lines, percent(node.success.rate)] : node.lines;
    const text = svgElement("text", { x, y });
    lines.forEach((line, k) => {
      const part = svgElement("tspan", { x, dy: `${k ? 1.2 : -0.6 * (lines.length - 1)}em` });
      part.textContent = line;
      if (node.success && k === lines.length - 1) part.setAttribute("class", "cg-rate");
      text.append(part);
    });
    group.append(text, svgElement("title", {}));
    this._nodes.set(node.name, group);
    paint(group, node, "node");
    const pick = () => this.dispatchEvent(new CustomEvent("pick", { detail: { node: node.name } }));
    group.addEventListener("click", pick);
    group.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      pick();
    });
    return group;
  }

  _edge(edge) {
    const path = svgElement("path", { class: `cg-edge cg-${edge.kind}`, d: edge.path, "marker-end": `url(#cg-arrow-${edge.kind})` });
    const group = svgElement("g", {});
    group.append(path, svgElement("title", {}));
    this._edges.set(key(edge.source, edge.target, edge.kind), group);
    if (edge.kind !== "corrective" || !this._edges.has(key(edge.source, edge.target))) this._edges.set(key(edge.source, edge.target), group);
    paint(group, edge, "edge");
    return group;
  }
}

function key(source, target, kind = "") { return JSON.stringify([source, target, kind ?? ""]); }

function percent(rate) { return `${Math.round(100 * rate)} %`; }

/** Show a success, or that there is none. */
function paint(group, each, kind) {
  if (!group) return;
  const { success } = each;
  const name = kind === "node" ? each.name : `${each.source} → ${each.target} (${each.kind})`;
  const counts = success?.attempts === undefined ? "" : `: ${success.successes} of ${success.attempts} succeeded`;
  group.querySelector("title").textContent = name.replaceAll("_", " ") + (success ? counts || `: ${percent(success.rate)}` : "");
  const shape = group.querySelector(kind === "node" ? ".cg-shape" : ".cg-edge");
  group.classList.toggle("cg-measured", Boolean(success));
  shape.style.setProperty("--cg-success", success ? success.colour : "");
}

/** Arrow heads: filled, open for learned edges. */
function markers() {
  const defs = svgElement("defs", {});
  for (const kind of ["naive", "learned", "corrective"]) {
    const marker = svgElement("marker", { id: `cg-arrow-${kind}`, viewBox: "0 0 12 10", refX: 11, refY: 5, markerWidth: 12, markerHeight: 10, markerUnits: "userSpaceOnUse", orient: "auto" });
    marker.append(svgElement("path", { class: `cg-head cg-${kind}`, d: "M1 1L11 5L1 9Z" }));
    defs.append(marker);
  }
  return defs;
}

function svgElement(tag, attributes) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  return element;
}
