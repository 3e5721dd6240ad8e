/**
 * The figure: a character, its ground and optional layers on a canvas.
 *
 * @module figure
 */
import { turned } from "./playback.js";

const LEAST_HEIGHT_M = 2.3;
const BELOW = 0.2; // share of the picture below the ground
const FOLLOW_S = 0.35; // half-width of the camera's smoothing window, s
const TRAIL_S = 1.2;
const NEWTON_M = 1 / 1500; // length of an arrow of one newton
const CLOSE_M = 0.03; // distance below which a corner supports the body, m

/**
 * A second figure drawn with the first.
 *
 * @typedef {object} Ghost
 * @property {import("./playback.js").Playback} playback
 * @property {number} [at] fixed time of its pose, s; otherwise it moves
 * @property {number} [shift] offset from the clock of the first figure, s
 * @property {string} [colour] a CSS colour
 * @property {number} [opacity]
 */

/** Draws the poses of a playback in the plane on a canvas whose size is set by its style. */
export class FigureView {
  /** Optional layers with their titles; and those that are shown at first. */
  static LAYERS = [
    ["trail", "trail"], ["com", "centre of mass"], ["support", "support"], ["forces", "forces"], ["targets", "targets"],
    ["ghosts", "ghosts"],
  ];

  static USUAL = ["trail"];

  /** Names of the views: there is only one. */
  static VIEWS = [];

  /**
   * @param {HTMLCanvasElement} canvas
   */
  constructor(canvas) {
    this.canvas = canvas;
    this._context = canvas.getContext("2d");
    /** @type {?import("./playback.js").Playback} */
    this.playback = null;
    /** Optional layers. */
    this.layers = { forces: false, com: false, trail: true, support: false, targets: false };
    /** @type {Ghost[]} */
    this.ghosts = [];
    /** Whether the camera follows the character. */
    this.follow = true;
    /** Zoom factor. */
    this.zoom = 1;
    this._centre = [0, 0];
    this._moved = [0, 0];
    this._seen = { version: -1, samples: 0, height: LEAST_HEIGHT_M };
    this._colours = null;
    this._time = 0;
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => { this._colours = null; this.draw(); });
    new ResizeObserver(() => this.draw()).observe(canvas);
    this._listen();
  }

  /** Show another motion. */
  setPlayback(playback) {
    this.playback = playback;
    this._seen = { version: -1, samples: 0, height: LEAST_HEIGHT_M };
    this.draw();
  }

  /** Reset the camera: follow the character at the largest scale that fits. */
  reset() {
    [this.follow, this.zoom, this._moved] = [true, 1, [0, 0]];
    this.draw();
  }

  /** Zoom by a factor. */
  zoomBy(factor) {
    this.zoom = Math.min(Math.max(this.zoom * factor, 0.2), 12);
    this.draw();
  }

  /** Return the point of the world (x, y in m) under a point of the page (clientX, clientY). */
  worldAt(clientX, clientY) {
    const box = this.canvas.getBoundingClientRect();
    return this._back((clientX - box.left), (clientY - box.top));
  }

  /** Return the point of the page (clientX, clientY) over a point of the world (x, y in m). */
  pageOf(x, y) {
    const box = this.canvas.getBoundingClientRect();
    const [left, top] = this._at(x, y);
    return [box.left + left, box.top + top];
  }

  /** Return the link that a drag from a point of the page pushes, at its centre of mass; null where there is none. */
  grip(clientX, clientY) {
    const link = this._linkAt(clientX, clientY);
    return link === null ? null : { link };
  }

  /** Return the point of the world (x, y in m) at which a grip is in a pose. */
  gripped({ link }, { x, y }) { return [x[link], y[link]]; }

  /** Return the index of the nearest link under a point of the page, or null where none is within 0.1 m. */
  _linkAt(clientX, clientY) {
    if (!this.playback?.samples) return null;
    const [x, y] = this.worldAt(clientX, clientY);
    const pose = this.playback.pose(this._time);
    let [best, nearest] = [null, 0.1];
    this.playback.body.links.forEach((link, k) => {
      for (const [cx, cy] of [[0, 0], ...link.outline]) {
        const [dx, dy] = turned(cx, cy, pose.rotation[k]);
        const distance = Math.hypot(pose.x[k] + dx - x, pose.y[k] + dy - y);
        if (distance < nearest) [best, nearest] = [k, distance];
      }
    });
    return best;
  }

  /** Draw a moment (s), or the last one again. */
  draw(time = this._time) {
    this._time = time;
    const { canvas, _context: c, playback } = this;
    const [width, height] = [canvas.clientWidth, canvas.clientHeight];
    if (!width || !height) return;
    const ratio = window.devicePixelRatio || 1;
    if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
      [canvas.width, canvas.height] = [Math.round(width * ratio), Math.round(height * ratio)];
    }
    c.setTransform(ratio, 0, 0, ratio, 0, 0);
    c.clearRect(0, 0, width, height);
    if (!playback?.samples) return;
    this._colours ??= coloursOf(canvas);
    const pose = playback.pose(time);
    this._aim(time, width, height);
    this._drawGround(width, height);
    if (this.layers.support) this._drawSupport(pose);
    if (this.layers.trail) this._drawTrail(time);
    for (const ghost of this.ghosts) this._drawGhost(ghost, time);
    this._drawBody(playback.body, pose);
    const targets = this.layers.targets ? playback.targetPose(pose) : null;
    if (targets) this._drawOutline(playback.body, targets, this._colours.accent, 1, 1.2);
    if (this.layers.com) this._drawCentre(pose);
    if (this.layers.forces) this._drawForces(pose);
  }

  _listen() {
    const { canvas } = this;
    canvas.addEventListener("wheel", (event) => {
      if (!event.ctrlKey && !event.metaKey && document.activeElement !== canvas) return; // the page scrolls
      event.preventDefault();
      this.zoomBy(Math.exp(-event.deltaY / 400));
    }, { passive: false });
    canvas.addEventListener("keydown", (event) => {
      const factor = { "+": 1.2, "=": 1.2, "-": 1 / 1.2 }[event.key];
      if (factor) this.zoomBy(factor);
      if (event.key === "0") this.reset();
    });
    canvas.addEventListener("pointerdown", (event) => {
      if (event.button !== 0 || event.defaultPrevented) return;
      let [x, y] = [event.clientX, event.clientY];
      canvas.setPointerCapture(event.pointerId);
      const move = (next) => {
        this._moved[0] -= (next.clientX - x) / this._scale;
        this._moved[1] += (next.clientY - y) / this._scale;
        [x, y] = [next.clientX, next.clientY];
        this.draw();
      };
      canvas.addEventListener("pointermove", move);
      const end = () => {
        canvas.removeEventListener("pointermove", move);
        for (const name of ["pointerup", "pointercancel"]) canvas.removeEventListener(name, end);
      };
      for (const name of ["pointerup", "pointercancel"]) canvas.addEventListener(name, end);
    });
  }

  /** Centre the character at the scale that its tallest pose needs. */
  _aim(time, width, height) {
    const seen = this._seen;
    const { playback } = this;
    if (seen.version !== playback.version) {
      seen.samples = Math.min(seen.samples, playback.samples);
      const heights = playback.body.links.map((link) => playback.signal(`y.${link.name}`));
      for (; seen.samples < playback.samples; seen.samples += 4) {
        const ground = this.groundAt(playback.comOf(seen.samples)[0]);
        for (const of of heights) {
          const above = of(seen.samples) - ground;
          if (above < 20) seen.height = Math.max(seen.height, (above + 0.3) / (1 - BELOW));
        }
      }
      seen.version = playback.version;
    }
    if (this.follow) {
      this._centre = playback.smoothed(time, FOLLOW_S, ([x]) => [x, this.groundAt(x)]);
    }
    const shown = Math.max(seen.height, LEAST_HEIGHT_M, (2.2 * height) / width);
    this._scale = (height / shown) * this.zoom;
    const pivot = 0.4 * shown; // height above the ground that zooming keeps in place
    this._origin = [
      width / 2 - (this._centre[0] + this._moved[0]) * this._scale,
      (1 - BELOW) * height - (pivot * height) / shown + (this._centre[1] + pivot + this._moved[1]) * this._scale,
    ];
  }

  _at(x, y) { return [this._origin[0] + x * this._scale, this._origin[1] - y * this._scale]; }

  _back(left, top) { return [(left - this._origin[0]) / this._scale, (this._origin[1] - top) / this._scale]; }

  /** Return the height of the ground at x, m. */
  groundAt(x) {
    const ground = this.playback?.ground;
    if (!ground) return 0;
    const { x: xs, y: ys } = ground;
    let [low, high] = [1, xs.length - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (xs[middle] > x) high = middle;
      else low = middle + 1;
    }
    const run = xs[low] - xs[low - 1];
    return run === 0 ? Math.max(ys[low], ys[low - 1]) : ys[low - 1] + ((ys[low] - ys[low - 1]) * (x - xs[low - 1])) / run;
  }

  _drawGround(width, height) {
    const { _context: c, _colours: colours } = this;
    const [left, right] = [this._back(-5, 0)[0], this._back(width + 5, 0)[0]];
    const ground = this.playback.ground;
    const points = [[left, this.groundAt(left)]];
    if (ground) ground.x.forEach((x, k) => { if (x > left && x < right) points.push([x, ground.y[k]]); });
    points.push([right, this.groundAt(right)]);
    c.beginPath();
    for (const [x, y] of points) c.lineTo(...this._at(x, y));
    c.lineTo(width + 5, height + 5);
    c.lineTo(-5, height + 5);
    c.fillStyle = colours.ground;
    c.fill();
    c.beginPath();
    for (const [x, y] of points) c.lineTo(...this._at(x, y));
    c.strokeStyle = colours.groundLine;
    c.lineWidth = 1.5;
    c.stroke();
    c.fillStyle = colours.muted;
    c.font = "11px system-ui, sans-serif";
    c.textAlign = "center";
    c.textBaseline = "top";
    const every = this._scale > 45 ? 1 : this._scale > 9 ? 5 : 20;
    for (let metre = Math.ceil(left / every) * every; metre <= right; metre += every) {
      const [x, y] = this._at(metre, this.groundAt(metre));
      c.fillRect(x - 0.5, y, 1, 5);
      c.fillText(`${metre} m`, x, y + 8);
    }
  }

  _trace(body, pose, k) {
    this._context.beginPath();
    this._corners(body, pose, k);
  }

  _corners(body, pose, k) {
    const c = this._context;
    body.links[k].outline.forEach(([cx, cy], corner) => {
      const [dx, dy] = turned(cx, cy, pose.rotation[k]);
      const at = this._at(pose.x[k] + dx, pose.y[k] + dy);
      if (corner) c.lineTo(...at);
      else c.moveTo(...at);
    });
    c.closePath();
  }

  _drawBody(body, pose) {
    const { _context: c, _colours: colours } = this;
    c.lineJoin = "round";
    for (const limb of body.limbs) {
      for (const k of limb.links) { // halo, which separates it from what it covers
        this._trace(body, pose, k);
        c.strokeStyle = colours.paper;
        c.lineWidth = 3;
        c.stroke();
      }
      c.fillStyle = c.strokeStyle = [colours.far, colours.trunk, colours.near][limb.side + 1];
      c.lineWidth = 0.6;
      for (const k of limb.links) {
        this._trace(body, pose, k);
        c.fill();
        c.stroke();
      }
    }
  }

  _drawOutline(body, pose, colour, opacity, line) {
    const c = this._context;
    c.save();
    [c.globalAlpha, c.strokeStyle, c.lineWidth] = [opacity, colour, line];
    body.links.forEach((_, k) => { this._trace(body, pose, k); c.stroke(); });
    c.restore();
  }

  _drawGhost(ghost, time) {
    const { playback } = ghost;
    if (!playback.samples) return;
    const pose = playback.pose(ghost.at ?? time + (ghost.shift ?? 0));
    const c = this._context;
    const colour = ghost.colour ?? this._colours.muted;
    c.save();
    c.globalAlpha = (ghost.opacity ?? 0.5) / 2;
    c.fillStyle = colour;
    c.beginPath(); // one shape for all links, so that overlaps are not darker
    playback.body.links.forEach((_, k) => this._corners(playback.body, pose, k));
    c.fill();
    c.restore();
    this._drawOutline(playback.body, pose, colour, (ghost.opacity ?? 0.5) / 2, 1);
  }

  _drawTrail(time) {
    const { _context: c } = this;
    c.beginPath();
    for (const [x, y] of this.playback.trail(time, TRAIL_S)) c.lineTo(...this._at(x, y));
    c.strokeStyle = this._colours.trail;
    c.lineWidth = 2;
    c.lineJoin = "round";
    c.stroke();
  }

  _drawCentre(pose) {
    const { _context: c } = this;
    const [x, y] = this._at(...pose.com);
    const [, ground] = this._at(pose.com[0], this.groundAt(pose.com[0]));
    c.strokeStyle = c.fillStyle = this._colours.trail;
    c.lineWidth = 1;
    c.setLineDash([3, 3]);
    c.beginPath();
    c.moveTo(x, y);
    c.lineTo(x, ground);
    c.stroke();
    c.setLineDash([]);
    c.beginPath();
    c.arc(x, y, 5, 0, 2 * Math.PI);
    c.fill();
    c.strokeStyle = this._colours.paper;
    c.lineWidth = 1.5;
    c.stroke();
  }

  /** Draw the ground between the outermost supporting corners. */
  _drawSupport(pose) {
    const { playback, _context: c } = this;
    let [least, greatest] = [Infinity, -Infinity];
    playback.body.links.forEach((link, k) => {
      if (!playback.touches(k, pose.index)) return;
      for (const [cx, cy] of link.outline) {
        const [dx, dy] = turned(cx, cy, pose.rotation[k]);
        const [x, y] = [pose.x[k] + dx, pose.y[k] + dy];
        if (y - this.groundAt(x) < CLOSE_M) [least, greatest] = [Math.min(least, x), Math.max(greatest, x)];
      }
    });
    if (least > greatest) return;
    c.beginPath();
    c.moveTo(...this._at(least, this.groundAt(least)));
    c.lineTo(...this._at(greatest, this.groundAt(greatest)));
    c.strokeStyle = this._colours.good;
    c.lineWidth = 6;
    c.lineCap = "round";
    c.stroke();
    c.lineCap = "butt";
    const pressure = "pressure_x" in playback.units.whole ? playback.signal("pressure_x")(pose.index) : NaN;
    if (Number.isNaN(pressure)) return;
    const [x, y] = this._at(pressure, this.groundAt(pressure));
    c.beginPath();
    c.moveTo(x, y);
    c.lineTo(x - 5, y + 9);
    c.lineTo(x + 5, y + 9);
    c.fillStyle = this._colours.ink;
    c.fill();
  }

  _drawForces(pose) {
    const { playback, _context: c } = this;
    c.fillStyle = this._colours.force;
    c.strokeStyle = this._colours.paper;
    playback.body.links.forEach((_, k) => {
      const [fx, fy] = playback.forceOn(k, pose.index);
      const length = Math.hypot(fx, fy) * NEWTON_M;
      if (length < 0.01) return;
      const [x, y] = this._at(pose.x[k], this.groundAt(pose.x[k]));
      const angle = Math.atan2(-fy, fx);
      const reach = length * this._scale;
      c.save();
      c.translate(x, y);
      c.rotate(angle);
      c.beginPath();
      const neck = Math.max(reach - 11, 0);
      for (const at of [[0, -1.6], [neck, -1.6], [neck, -6], [reach, 0], [neck, 6], [neck, 1.6], [0, 1.6]]) c.lineTo(...at);
      c.closePath();
      [c.lineWidth, c.lineJoin] = [3, "round"];
      c.stroke();
      c.fill();
      c.restore();
    });
  }
}

/** Classes that draw a playback, by its number of dimensions. */
export const FIGURES = { 2: FigureView };

/** Return the present theme colours of an element. */
export function coloursOf(element) {
  const style = getComputedStyle(element);
  const of = (name) => style.getPropertyValue(`--cg-${name}`).trim() || "gray";
  const nodes = Array.from({ length: 12 }, (_, k) => of(`node-${k}`));
  return {
    ink: of("ink"), paper: of("paper"), muted: of("muted"), line: of("line"), accent: of("accent"), good: of("good"),
    bad: of("bad"), trunk: of("trunk"), near: of("near"), far: of("far"), ground: of("ground"),
    groundLine: of("ground-line"), force: of("force"), trail: of("trail"), panel: of("panel"), nodes,
  };
}
