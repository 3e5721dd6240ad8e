/**
 * The ground in space: heights, and its surface around a place as triangles.
 *
 * @module terrain
 */

const MAX_CELLS = 200; // of a height field along each axis; of a larger part, fewer points are drawn
const PIECES = 24; // of an edge
const CREASE = Math.cos(Math.PI / 10); // cosine of the angle between two faces above which their edge is drawn

/** The ground of a spatial playback. */
export class Ground {
  /**
   * @param {?object} data see `ground` of `ctrlgraph.playback.spatial_coding`; null for level ground
   * @param {?{shape: number[], values: Float64Array}} grid heights of the height field, m
   */
  constructor(data, grid) {
    const flat = { x: [0, 1], y: [0, 0] };
    this._profile = data ?? flat;
    this._level = data?.level ?? flat;
    this._rise = data?.rise ?? 0;
    this._blocks = data?.blocks ?? [];
    this._cell = data?.cell ?? 1;
    this._grid = grid ?? null;
  }

  /** Return the height at a place, m. */
  height(x, y) {
    let height = this._base(x, y, this._profile);
    for (const [bx, by, length, width, cosine, sine, top] of this._blocks) {
      const [along, across] = [(x - bx) * cosine + (y - by) * sine, (y - by) * cosine - (x - bx) * sine];
      if (Math.abs(along) <= length && Math.abs(across) <= width) height = Math.max(height, top);
    }
    return height;
  }

  /** Return the height at a place without blocks, gaps and hurdles, m. */
  level(x, y) { return this._base(x, y, this._level); }

  _base(x, y, profile) { return profileHeight(profile, x) + this._rise * y + (this._grid ? this._relief(x, y) : 0); }

  /** Return the height of a point (i, j) of the height field, which repeats. */
  _point(i, j) {
    const { shape: [m, n], values } = this._grid;
    return values[(((i % m) + m) % m) * n + (((j % n) + n) % n)];
  }

  /** Return the height of the height field: each cell has two triangles. */
  _relief(x, y) {
    let [u, v] = [x / this._cell, y / this._cell];
    const [i, j] = [Math.floor(u), Math.floor(v)];
    [u, v] = [u - i, v - j];
    const [low, right, left, high] = [this._point(i, j), this._point(i + 1, j), this._point(i, j + 1), this._point(i + 1, j + 1)];
    return u >= v ? low + u * (right - low) + v * (high - right) : low + u * (high - left) + v * (left - low);
  }

  /**
   * Return the surface in a square around a place, as corners of triangles.
   *
   * @param {number} x m
   * @param {number} y m
   * @param {number} radius half the length of the square, m
   * @returns {{position: Float32Array, normal: Float32Array, edges: Float32Array}} three numbers per corner, three corners
   *   per triangle; and two ends of each sharp edge
   */
  surface(x, y, radius) {
    const made = new Triangles();
    if (this._grid) this._addRelief(made, x, y, radius);
    else this._addProfile(made, x, y, radius);
    for (const block of this._blocks) this._addBlock(made, block, x, y, radius);
    return made.arrays();
  }

  _addProfile(made, x, y, radius) {
    const [from, to, right, left] = [x - radius, x + radius, y - radius, y + radius];
    const { x: xs, y: ys } = this._profile;
    const points = [[from, profileHeight(this._profile, from)]];
    xs.forEach((each, k) => { if (each > from && each < to) points.push([each, ys[k]]); });
    points.push([to, profileHeight(this._profile, to)]);
    const at = (px, py, pz) => [px, py, pz + this._rise * py];
    let before = null;
    for (let k = 1; k < points.length; k++) {
      const [[x0, z0], [x1, z1]] = [points[k - 1], points[k]];
      if (x0 === x1 && z0 === z1) continue;
      const normal = unit([z0 - z1, -this._rise * (x1 - x0), x1 - x0]);
      if (before?.reduce((sum, part, c) => sum + part * normal[c], 0) < CREASE) made.edge(at(x0, right, z0), at(x0, left, z0));
      before = normal;
      made.quad([at(x0, right, z0), at(x1, right, z1), at(x1, left, z1), at(x0, left, z0)], [normal, normal, normal, normal]);
    }
  }

  _addRelief(made, x, y, radius) {
    const step = Math.max(1, Math.ceil((2 * radius) / this._cell / MAX_CELLS));
    const size = step * this._cell;
    const range = (middle) => [Math.floor((middle - radius) / size), Math.ceil((middle + radius) / size)];
    const [[i0, i1], [j0, j1]] = [range(x), range(y)];
    const columns = j1 - j0 + 3; // a margin of one point for the normals
    const heights = new Float64Array((i1 - i0 + 3) * columns);
    for (let i = i0 - 1; i <= i1 + 1; i++) {
      for (let j = j0 - 1; j <= j1 + 1; j++) {
        const base = profileHeight(this._profile, i * size) + this._rise * j * size;
        heights[(i - i0 + 1) * columns + j - j0 + 1] = base + this._point(i * step, j * step);
      }
    }
    const height = (i, j) => heights[(i - i0 + 1) * columns + j - j0 + 1];
    const at = ([i, j]) => [i * size, j * size, height(i, j)];
    const normalAt = ([i, j]) => unit([height(i - 1, j) - height(i + 1, j), height(i, j - 1) - height(i, j + 1), 2 * size]);
    for (let i = i0; i < i1; i++) {
      for (let j = j0; j < j1; j++) {
        const corners = [[i, j], [i + 1, j], [i + 1, j + 1], [i, j + 1]];
        made.quad(corners.map(at), corners.map(normalAt));
      }
    }
  }

  /** Add a block, which reaches down to the lowest ground at its corners. */
  _addBlock(made, [bx, by, length, width, cosine, sine, top], x, y, radius) {
    const reach = radius + Math.hypot(length, width);
    if (Math.abs(bx - x) > reach || Math.abs(by - y) > reach) return;
    const corners = [[-1, -1], [1, -1], [1, 1], [-1, 1]].map(([s, t]) => [
      bx + s * length * cosine - t * width * sine, by + s * length * sine + t * width * cosine,
    ]);
    const bottom = Math.min(top, ...corners.map(([cx, cy]) => this._base(cx, cy, this._profile)));
    const up = [0, 0, 1];
    made.quad(corners.map(([cx, cy]) => [cx, cy, top]), [up, up, up, up]);
    corners.forEach(([ax, ay], k) => {
      const [cx, cy] = corners[(k + 1) % 4];
      const normal = unit([cy - ay, ax - cx, 0]);
      made.quad([[ax, ay, bottom], [cx, cy, bottom], [cx, cy, top], [ax, ay, top]], [normal, normal, normal, normal]);
      made.edge([ax, ay, top], [cx, cy, top]);
      made.edge([ax, ay, bottom], [ax, ay, top]);
    });
  }
}

/** Triangles and edges that are collected. */
class Triangles {
  constructor() { [this._position, this._normal, this._edges] = [[], [], []]; }

  /** Add a sharp edge between two points, in pieces, so that none reaches far behind the viewer. */
  edge(from, to) {
    const at = (share) => from.map((along, c) => along + share * (to[c] - along));
    for (let k = 0; k < PIECES; k++) this._edges.push(...at(k / PIECES), ...at((k + 1) / PIECES));
  }

  /** Add a quadrilateral (four corners anticlockwise) with the normals at its corners. */
  quad(corners, normals) {
    for (const k of [0, 1, 2, 0, 2, 3]) {
      this._position.push(...corners[k]);
      this._normal.push(...normals[k]);
    }
  }

  arrays() {
    const [position, normal, edges] = [this._position, this._normal, this._edges].map((numbers) => Float32Array.from(numbers));
    return { position, normal, edges };
  }
}

/** Return the height of a polyline (x ascending) at x; at a vertical wall, that of its end. */
function profileHeight({ x: xs, y: ys }, x) {
  let [low, high] = [1, xs.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (xs[middle] > x) high = middle;
    else low = middle + 1;
  }
  const run = xs[low] - xs[low - 1];
  return ys[low - 1] + ((ys[low] - ys[low - 1]) * (x - xs[low - 1])) / (run > 0 ? run : 1);
}

function unit([x, y, z]) {
  const length = Math.hypot(x, y, z) || 1;
  return [x / length, y / length, z / length];
}
