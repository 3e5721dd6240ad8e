/**
 * A playback: a motion as samples, decoded from messages (format: docs/reference/playback.md).
 *
 * @module playback
 */

/** Supported version of the format. */
const PLAYBACK_FORMAT = 1;
/** Displacement between two samples above which the character was repositioned, m. */
const JUMP_M = 0.5;
/** Displacement within a smoothing window above which the character was repositioned, m. */
const FAR_M = 4;

const TYPES = {
  uint8: Uint8Array, uint16: Uint16Array, uint32: Uint32Array, int16: Int16Array, int32: Int32Array,
  float32: Float32Array, float64: Float64Array,
};

/**
 * Return a message's header and its arrays by name; scaled numbers are Float64Array with NaN for missing values.
 *
 * @param {ArrayBuffer|Uint8Array} data
 * @returns {{header: object, arrays: Object<string, {shape: number[], values: (Float64Array|Uint8Array|Uint32Array)}>}}
 * @throws {Error} if it is not a playback, or of another version
 */
export function readMessage(data) {
  const buffer = data instanceof ArrayBuffer ? data : data.slice().buffer;
  const bytes = new Uint8Array(buffer);
  if (String.fromCharCode(...bytes.subarray(0, 4)) !== "CGPB") throw new Error("not a playback");
  const begin = 8 + new DataView(buffer).getUint32(4, true);
  const header = JSON.parse(new TextDecoder().decode(bytes.subarray(8, begin)));
  if (header.format !== PLAYBACK_FORMAT) throw new Error(`this playback has format ${header.format}, not ${PLAYBACK_FORMAT}`);
  const arrays = {};
  for (const entry of header.arrays) {
    const count = entry.shape.reduce((a, b) => a * b, 1);
    const stored = new TYPES[entry.type](buffer, begin + entry.at, count); // all browsers run on little-endian machines
    if (entry.delta) sumUp(stored, entry.shape[entry.shape.length - 1]);
    arrays[entry.name] = { shape: entry.shape, values: entry.scale === undefined ? stored : scaled(stored, entry) };
  }
  return { header, arrays };
}

/** Undo the differences along the last axis, in place; whole numbers wrap. */
function sumUp(values, n) {
  for (let i = 0; i < values.length; i++) if (i % n) values[i] += values[i - 1];
}

function scaled(stored, entry) {
  const values = new Float64Array(stored.length);
  for (let i = 0; i < stored.length; i++) values[i] = stored[i] === entry.missing ? NaN : stored[i] * entry.scale;
  return values;
}

/**
 * Return the base64 content of an element, decompressed if its `data-packed` is "gzip".
 *
 * @param {Element} element
 * @returns {Promise<ArrayBuffer>}
 */
export async function embeddedBytes(element) {
  const text = atob(element.textContent.trim());
  const bytes = Uint8Array.from(text, (letter) => letter.charCodeAt(0));
  if (element.dataset.packed !== "gzip") return bytes.buffer;
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).arrayBuffer();
}

/**
 * A pose between two samples.
 *
 * @typedef {object} Pose
 * @property {number} time s
 * @property {number} index the sample at or before it
 * @property {Float64Array} x of the links' centres of mass, m
 * @property {Float64Array} y m
 * @property {Float64Array} [z] m, in space
 * @property {Float64Array} [rotation] rad, clockwise, in the plane
 * @property {Float64Array} [turn] unit quaternions (w, x, y, z) of the links, in space
 * @property {number[]} com x, y and in space z of the centre of mass, m
 */

/**
 * A stretch of samples with the same value.
 *
 * @typedef {object} Stretch
 * @property {number} first sample
 * @property {number} end the sample after its last
 * @property {number} from s
 * @property {number} to s: start of the next one, or end of the motion
 * @property {number} visit number of the controller run
 * @property {{node: string, phase: number, line: number, script: string}} place
 */

/** A motion. Messages append samples and replace existing ones from their first sample on. */
export class Playback {
  constructor() {
    /** Samples so far. */
    this.samples = 0;
    /** @type {?object} links, limbs, joints, root and feet: see `body` of `planar_coding` and `spatial_coding` */
    this.body = null;
    /** @type {?object} see `ground` of `planar_coding` and `spatial_coding`; null for level ground */
    this.ground = null;
    /** Arrays of body and ground in space, by name: see `spatial_coding`. */
    this.surfaces = {};
    /** Signals of the `whole` body, of each `joint` and of each `link`, with their units. */
    this.units = { whole: {}, joint: {}, link: {} };
    /** @type {?number} of the controller, s */
    this.tick = null;
    /** @type {{node: string, phase: number, line: number, script: string}[]} */
    this.places = [];
    /** Number of changes, by which users detect that they are out of date. */
    this.version = 0;
    this._arrays = {};
    this._stretches = {};
  }

  /** Return the playback of one message. */
  static of(message) {
    const made = new Playback();
    made.append(message);
    return made;
  }

  /** Return an independent copy. */
  copy() {
    const made = Object.assign(new Playback(), this);
    made.places = this.places.slice();
    made._stretches = {};
    made._arrays = {};
    for (const [name, { data, rows }] of Object.entries(this._arrays)) {
      made._arrays[name] = { data: data.slice(0, this.samples * rows), rows };
    }
    return made;
  }

  /** Add the samples of a message and drop later ones. */
  append(message) {
    const { header, arrays } = readMessage(message);
    if (header.first > this.samples) throw new Error("samples are missing before these");
    if (header.body) {
      [this.body, this.ground, this.tick, this.units] = [header.body, header.ground, header.tick, header.signals];
      this.surfaces = {};
    }
    this.places.push(...header.places);
    for (const [name, { shape, values }] of Object.entries(arrays)) {
      if (name.includes(".")) this.surfaces[name] = { shape, values };
      else this._put(name, values, header.first, header.samples, shape.length > 1 ? shape[0] : 1);
    }
    this.samples = header.first + header.samples;
    this.version += 1;
    this._stretches = {};
  }

  /** Drop the samples from a number on. */
  cut(samples) {
    this.samples = Math.min(this.samples, samples);
    this.version += 1;
    this._stretches = {};
  }

  /** Copy numbers (rows, n) into the storage, where the rows of a sample are contiguous. */
  _put(name, values, first, n, rows) {
    const needed = (first + n) * rows;
    const old = this._arrays[name];
    let data = old?.data;
    if (!data || data.length < needed) {
      data = new values.constructor(Math.max(needed, 2 * (old?.data.length ?? 0)));
      if (old) data.set(old.data);
    }
    for (let r = 0; r < rows; r++) for (let i = 0; i < n; i++) data[(first + i) * rows + r] = values[r * n + i];
    this._arrays[name] = { data, rows };
  }

  /** Names of the axes. */
  get axes() { return this.body?.dimensions === 3 ? "xyz" : "xy"; }

  /** Start, s. */
  get start() { return this.samples ? this._arrays.time.data[0] : 0; }

  /** End, s. */
  get end() { return this.samples ? this._arrays.time.data[this.samples - 1] : 0; }

  /** Return the time of a sample, s. */
  timeOf(i) { return this._arrays.time.data[Math.min(Math.max(i, 0), this.samples - 1)]; }

  /** Return the last sample not after a time; the first sample before the start. */
  indexAt(time) {
    const times = this._arrays.time?.data;
    let low = 0;
    let high = this.samples - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (times[middle] <= time + 1e-9) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** Return the place that ran in a sample. */
  placeAt(i) { return this.places[this._arrays.place.data[i]]; }

  /** Return the number of controller runs before that of a sample. */
  visitAt(i) { return this._arrays.visit.data[i]; }

  /** Tell whether a link touches the ground in a sample. */
  touches(link, i) {
    const { data, rows } = this._arrays.contact;
    return (data[i * rows + (link >> 3)] >> (link & 7)) % 2 === 1;
  }

  /**
   * Return the pose at a time, linearly interpolated.
   *
   * @param {number} time s
   * @returns {Pose}
   */
  pose(time) {
    const { i, next, share } = this._between(time);
    const of = (name) => this._mixed(name, i, next, share);
    const made = { time, index: i, com: Array.from(of("com")) };
    [...this.axes].forEach((axis, k) => { made[axis] = of(axis).map((along) => along + made.com[k]); });
    if (this.axes === "xy") made.rotation = of("rotation");
    else made.turn = this._turns(i, next, share);
    return made;
  }

  /** Return the samples around a time, and the share of the second one. */
  _between(time) {
    const i = this.indexAt(time);
    const { data: times } = this._arrays.time;
    let next = Math.min(i + 1, this.samples - 1);
    if (this._jumps(i, next)) next = i;
    const span = times[next] - times[i];
    return { i, next, share: span > 0 ? Math.min(Math.max((time - times[i]) / span, 0), 1) : 0 };
  }

  /** Return an array between two samples. */
  _mixed(name, i, next, share) {
    const { data, rows } = this._arrays[name];
    return Float64Array.from({ length: rows }, (_, r) => {
      const a = data[i * rows + r];
      return share ? a + share * (data[next * rows + r] - a) : a;
    });
  }

  /** Return the position of the centre of mass at a time (s), m. */
  comAt(time) {
    const { i, next, share } = this._between(time);
    return Array.from(this._mixed("com", i, next, share));
  }

  /** Return the orientations between two samples: normalized linear interpolation, the shorter way round. */
  _turns(i, next, share) {
    const parts = ["qw", "qx", "qy", "qz"].map((name) => this._arrays[name]);
    const { rows } = parts[0];
    const turns = new Float64Array(4 * rows);
    for (let k = 0; k < rows; k++) {
      const [from, to] = [i, next].map((sample) => parts.map(({ data }) => data[sample * rows + k]));
      const sign = from.reduce((sum, part, c) => sum + part * to[c], 0) < 0 ? -1 : 1;
      const mixed = from.map((part, c) => part + share * (sign * to[c] - part));
      const length = Math.hypot(...mixed);
      mixed.forEach((part, c) => { turns[4 * k + c] = part / length; });
    }
    return turns;
  }

  /** Tell whether the character was repositioned between two samples. */
  _jumps(i, next) {
    const [from, to] = [this.comOf(i), this.comOf(next)];
    return to.some((along, k) => Math.abs(along - from[k]) > JUMP_M);
  }

  /** Return the position of the centre of mass in a sample, m. */
  comOf(i) {
    const { data, rows } = this._arrays.com;
    return Array.from(data.subarray(rows * i, rows * (i + 1)));
  }

  /**
   * Return the mean of a quantity around a time, weighted with a smooth window.
   *
   * @param {number} time s
   * @param {number} reach half-width of the window, s
   * @param {function(number[]): number[]} of quantity of a position of the centre of mass
   * @returns {number[]}
   */
  smoothed(time, reach, of) {
    const com = this.comAt(time);
    const sums = of(com).map(() => 0);
    let weight = 0;
    for (let k = -4; k <= 4; k++) {
      const share = 1 + Math.cos((Math.PI * k) / 5);
      const at = this.comAt(Math.min(Math.max(time + (k / 4) * reach, this.start), this.end));
      if (at.some((along, c) => Math.abs(along - com[c]) > FAR_M)) continue; // repositioned
      of(at).forEach((value, c) => { sums[c] += share * value; });
      weight += share;
    }
    return sums.map((sum) => sum / weight);
  }

  /**
   * Return the centres of mass in the seconds before a time, up to the last repositioning.
   *
   * @returns {number[][]} the latest first
   */
  trail(time, seconds) {
    const points = [this.comAt(time)];
    for (let i = this.indexAt(time); i >= 0 && this.timeOf(i) > time - seconds; i--) {
      points.push(this.comOf(i));
      if (i > 0 && this._jumps(i - 1, i)) break;
    }
    return points;
  }

  /**
   * Return the pose of the joint targets with the present root; null where there are no targets.
   *
   * @param {Pose} pose
   * @returns {?Pose}
   */
  targetPose(pose) {
    if (!this._arrays.target) return null; // a lean playback
    const { links, joints, root } = this.body;
    const { data: targets, rows } = this._arrays.target;
    const [x, y, rotation] = [pose.x.slice(), pose.y.slice(), pose.rotation.slice()];
    const known = joints.map((_, j) => targets[pose.index * rows + j]);
    if (known.every(Number.isNaN)) return null;
    const done = new Set([root]);
    for (let found = true; found;) {
      found = false;
      joints.forEach((joint, j) => {
        for (const [near, far, sign] of [[joint.parent, joint.child, 1], [joint.child, joint.parent, -1]]) {
          if (!done.has(near) || done.has(far)) continue;
          const own = pose.rotation[joint.child] - pose.rotation[joint.parent];
          const angle = Number.isNaN(known[j]) ? own : known[j];
          rotation[far] = rotation[near] + sign * angle;
          const [ax, ay] = turned(joint.at[0] - links[near].at[0], joint.at[1] - links[near].at[1], rotation[near]);
          const [bx, by] = turned(joint.at[0] - links[far].at[0], joint.at[1] - links[far].at[1], rotation[far]);
          x[far] = x[near] + ax - bx;
          y[far] = y[near] + ay - by;
          done.add(far);
          found = true;
        }
      });
    }
    return { ...pose, x, y, rotation };
  }

  /** Return the ground's force on a link in a sample, N; zero after the last step. */
  forceOn(link, i) {
    const of = (array) => array?.data[i * array.rows + link] || 0;
    return [...this.axes].map((axis) => of(this._arrays[`force_${axis}`]));
  }

  /**
   * Return the names of all signals, the same as in `ctrlgraph trace`: `com_y`, `angle.rKnee`, `force_y.rFoot`.
   *
   * @returns {string[]}
   */
  signalNames() {
    if (!this.body) return [];
    const [joints, links] = [this.body.joints, this.body.links].map((all) => all.map((each) => each.name));
    const of = (kind, names) => Object.keys(this.units[kind]).flatMap((quantity) => names.map((name) => `${quantity}.${name}`));
    return [...Object.keys(this.units.whole), ...of("joint", joints), ...of("link", links)];
  }

  /** Return a signal's unit. */
  unitOf(name) {
    const [quantity, of] = name.split(".", 2);
    const { whole, joint, link } = this.units;
    return (of === undefined ? whole : { ...joint, ...link })[quantity] ?? "";
  }

  /**
   * Return a function from sample to signal value (NaN where it is missing).
   *
   * @param {string} name
   * @returns {function(number): number}
   * @throws {Error} if there is no such signal
   */
  signal(name) {
    const cut = name.indexOf(".");
    const [quantity, of] = cut < 0 ? [name, null] : [name.slice(0, cut), name.slice(cut + 1)];
    const { axes } = this;
    const place = /^com_[xyz]$/.test(quantity) ? axes.indexOf(quantity[4]) : -1;
    if (place >= 0) return (i) => this._arrays.com.data[axes.length * i + place];
    const all = quantity in this.units.joint ? this.body.joints : this.body.links;
    const row = of === null ? 0 : all.findIndex((each) => each.name === of);
    if (row < 0 || (quantity !== "contact" && !this._arrays[quantity])) throw new Error(`there is no signal ${name}`);
    if (quantity === "contact") return (i) => (this.touches(row, i) ? 1 : 0);
    const offset = quantity.length === 1 ? axes.indexOf(quantity) : -1;
    return (i) => {
      const { data, rows } = this._arrays[quantity];
      return data[i * rows + row] + (offset < 0 ? 0 : this._arrays.com.data[axes.length * i + offset]);
    };
  }

  /**
   * Return the stretches of a kind: "visit" per controller run, "phase" per phase.
   *
   * @param {("visit"|"phase")} kind
   * @returns {Stretch[]}
   */
  stretches(kind) {
    this._stretches[kind] ??= this._stretchesOf(kind);
    return this._stretches[kind];
  }

  _stretchesOf(kind) {
    const found = [];
    for (let i = 0; i < this.samples; i++) {
      const [visit, place] = [this.visitAt(i), this.placeAt(i)];
      const last = found[found.length - 1];
      if (last && last.visit === visit && (kind === "visit" || last.place === place)) {
        last.end = i + 1;
        continue;
      }
      if (last) last.to = this.timeOf(i);
      found.push({ first: i, end: i + 1, from: this.timeOf(i), to: this.end, visit, place });
    }
    return found;
  }
}

/** Return a vector turned clockwise by an angle (rad). */
export function turned(x, y, angle) {
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  return [x * c + y * s, y * c - x * s];
}
