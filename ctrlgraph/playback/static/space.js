/**
 * The figure in space: a character on its ground, seen from any side, drawn with three.js.
 *
 * @module space
 */
import { THREE } from "./three.min.js";
import { FIGURES, coloursOf } from "./figure.js";
import { make } from "./player.js";
import { Ground } from "./terrain.js";

/** Directions to the viewer of the views: angle from the x axis, anticlockwise, and above the horizon, degrees. */
export const DIRECTIONS = { "three-quarter": [-52, 24], side: [-90, 10], front: [0, 12], top: [-90, 90], behind: [165, 24] };

/** Lengths are relative to the size of the character, times in s, angles in degrees. */
const LOOK = {
  fieldOfView: 26, shown: 2.3, reach: 6, fade: [2.2, 5.4], follow: 0.6, turn: 0.8, trail: 1.2, arrow: 0.022, push: 0.7, leastPush: 0.25,
  pushHeld: 0.15, force: 0.8, print: 0.032, lift: 0.004, prints: 300, dots: 130, light: [0.34, -0.52, 1], lowest: -4,
};
const GRID_M = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10];
const SHADOW_PIXELS = 1024;
const LEAST_NEWTON = 0.5;

/** Draws the poses of a playback in space on a canvas whose size is set by its style. */
export class SpaceView {
  /** Optional layers with their titles; and those that are shown at first. */
  static LAYERS = [
    ["trail", "trail"], ["footprints", "footprints"], ["com", "centre of mass"], ["forces", "forces"], ["targets", "targets"],
    ["ghosts", "ghosts"],
  ];

  static USUAL = ["footprints"];

  /** Names of the views. */
  static VIEWS = Object.keys(DIRECTIONS);

  /**
   * @param {HTMLCanvasElement} canvas
   */
  constructor(canvas) {
    this.canvas = canvas;
    /** @type {?import("./playback.js").Playback} */
    this.playback = null;
    /** Optional layers. */
    this.layers = { trail: false, footprints: true, com: false, forces: false, targets: false };
    /** @type {import("./figure.js").Ghost[]} */
    this.ghosts = [];
    /** Whether the camera follows the character. */
    this.follow = true;
    /** Whether the camera turns with the character. */
    this.turns = false;
    /** Zoom factor. */
    this.zoom = 1;
    /** @type {?THREE.Scene} with the links by name, and arrows named "force" and "push" */
    this.scene = null;
    /** @type {?THREE.PerspectiveCamera} */
    this.camera = null;
    this._time = 0;
    this._centre = [0, 0, 0];
    this._moved = new THREE.Vector3();
    this._colours = null;
    this._shown = {};
    this._open();
    this.setView(SpaceView.VIEWS[0]);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => { this._colours = null; this.draw(); });
    new ResizeObserver(() => this.draw()).observe(canvas);
    this._listen();
  }

  /** Create the scene. Without WebGL, a sentence replaces the picture. */
  _open() {
    const { canvas } = this;
    const context = canvas.getContext("webgl2", { antialias: true });
    if (!context) {
      canvas.after(make("p", { className: "note", textContent: "This browser cannot draw in three dimensions: it offers no WebGL 2." }));
      canvas.hidden = true;
      return;
    }
    this._spacing = make("span", { className: "cg-grid" });
    canvas.after(this._spacing);
    this._renderer = new THREE.WebGLRenderer({ canvas, context });
    this._renderer.shadowMap.enabled = true;
    this.scene = new THREE.Scene();
    this.camera = new THREE.PerspectiveCamera(LOOK.fieldOfView, 1, 0.01, 1000);
    this.camera.up.set(0, 0, 1);
    this._sky = new THREE.HemisphereLight(0xffffff, 0xb0a898, 1.27);
    this._sky.position.set(0, 0, 1);
    this._sun = new THREE.DirectionalLight(0xffffff, 2.2);
    this._sun.castShadow = true;
    this._sun.shadow.mapSize.set(SHADOW_PIXELS, SHADOW_PIXELS);
    this._sun.shadow.radius = 3;
    this._fade = {
      centre: { value: new THREE.Vector2() }, fade: { value: new THREE.Vector2(1, 2) }, grid: { value: 1 },
      paper: { value: new THREE.Color() }, line: { value: new THREE.Color() },
    };
    this._surface = new THREE.Mesh(new THREE.BufferGeometry(), groundMaterial(this._fade));
    this._surface.castShadow = this._surface.receiveShadow = true;
    this._edges = new THREE.LineSegments(new THREE.BufferGeometry(), fading(new THREE.LineBasicMaterial(), this._fade));
    this._edges.frustumCulled = false;
    this.scene.add(this._sky, this._sun, this._sun.target, this._surface, this._edges);
    this._forces = new Arrows(this.scene, "force");
    this._pushes = new Arrows(this.scene, "push");
    this._prints = new Spots(this.scene, new THREE.CircleGeometry(1, 20), LOOK.prints, true);
    this._dots = new Spots(this.scene, new THREE.SphereGeometry(1, 8, 6), LOOK.dots, false);
    this._middle = new THREE.Mesh(new THREE.SphereGeometry(1, 20, 14), inFront(new THREE.MeshBasicMaterial()));
    this._plumb = new THREE.Mesh(new THREE.CylinderGeometry(1, 1, 1, 8), inFront(new THREE.MeshBasicMaterial()));
    this.scene.add(this._middle, this._plumb);
    this._posts = [];
  }

  /** Show posts on the ground; each has a place `at` (x, y), a height (m) and a colour of the theme. */
  setPosts(posts) {
    for (const mesh of this._posts) { this.scene.remove(mesh); mesh.geometry.dispose(); mesh.material.dispose(); }
    this._posts = posts.map(({ at: [x, y], height, colour: name }) => {
      const mesh = new THREE.Mesh(new THREE.CylinderGeometry(0.05 * height, 0.05 * height, height, 12), new THREE.MeshLambertMaterial({ color: coloursOf(this.canvas)[name] }));
      mesh.rotation.x = Math.PI / 2;
      mesh.position.set(x, y, (this.ground?.height(x, y) ?? 0) + height / 2);
      this.scene.add(mesh);
      return mesh;
    });
  }

  /** Show another motion. */
  setPlayback(playback) {
    this.playback = playback;
    this._shown = {};
    this.draw();
  }

  /** Reset the camera: follow the character at the usual distance. */
  reset() {
    [this.follow, this.zoom] = [true, 1];
    this._moved.set(0, 0, 0);
    this.draw();
  }

  /** Zoom by a factor. */
  zoomBy(factor) {
    this.zoom = Math.min(Math.max(this.zoom * factor, 0.1), 20);
    this.draw();
  }

  /** Look from the direction of a view: one of `VIEWS`. */
  setView(name) {
    this._direction = DIRECTIONS[name].slice();
    this._moved.set(0, 0, 0);
    this.draw();
  }

  /** Numbers of draw calls and triangles of the last picture. */
  get drawn() {
    const { calls, triangles } = this._renderer.info.render;
    return { calls, triangles };
  }

  /** Unit vector towards the viewer. */
  get viewer() { return this.camera.getWorldDirection(new THREE.Vector3()).negate().toArray(); }

  /**
   * Return the link under a point of the page, and the point of its surface in its frame (m); null where there is none.
   *
   * @returns {?{link: number, point: number[]}}
   */
  grip(clientX, clientY) {
    if (!this.playback?.samples || !this._body) return null;
    const [hit] = this._ray(clientX, clientY).intersectObjects(this._body.meshes, false);
    return hit ? { link: this._body.meshes.indexOf(hit.object), point: hit.object.worldToLocal(hit.point).toArray() } : null;
  }

  /** Return the point of the world (x, y, z in m) at which a grip is in a pose. */
  gripped({ link, point }, pose) {
    const [at, turn] = frameOf(pose, link);
    return at.add(new THREE.Vector3(...point).applyQuaternion(turn)).toArray();
  }

  /** Return the point under a point of the page in the plane that faces the viewer and contains a point (x, y, z in m). */
  worldAt(clientX, clientY, through) {
    const ray = this._ray(clientX, clientY).ray;
    const normal = this.camera.getWorldDirection(new THREE.Vector3());
    const share = new THREE.Vector3(...through).sub(ray.origin).dot(normal) / ray.direction.dot(normal);
    return ray.at(share, new THREE.Vector3()).toArray();
  }

  /** Return the point of the page (clientX, clientY) over a point of the world (x, y, z in m). */
  pageOf(x, y, z) {
    const box = this.canvas.getBoundingClientRect();
    const at = new THREE.Vector3(x, y, z).project(this.camera);
    return [box.left + ((at.x + 1) / 2) * box.width, box.top + ((1 - at.y) / 2) * box.height];
  }

  /** Draw a moment (s), or the last one again. */
  draw(time = this._time) {
    this._time = time;
    const { canvas, playback, _renderer: renderer } = this;
    const [width, height] = [canvas.clientWidth, canvas.clientHeight];
    if (!renderer || !width || !height) return;
    this._fit(width, height);
    if (!this._colours) this._paint();
    if (!playback?.samples) {
      renderer.clear();
      return;
    }
    this._prepare();
    const pose = playback.pose(time);
    this._aim(time, width, height);
    this._body.place(pose);
    this._drawGhosts(time, pose);
    this._drawPrints(time);
    this._drawTrail(time);
    this._drawCentre(pose);
    this._drawForces(pose);
    this._drawPush(pose);
    renderer.render(this.scene, this.camera);
  }

  /** Return the heading of the root, averaged over the last `LOOK.turn` seconds, rad. */
  _headingAt(time) {
    const { playback } = this;
    let [x, y] = [0, 0];
    for (let back = 0; back <= 1; back += 0.2) {
      const [w, i, j, k] = playback.pose(Math.max(time - back * LOOK.turn, playback.start)).turn.subarray(4 * playback.body.root);
      [x, y] = [x + 1 - 2 * (j * j + k * k), y + 2 * (i * j + w * k)];
    }
    return Math.atan2(y, x);
  }

  _fit(width, height) {
    const { canvas, _renderer: renderer } = this;
    const ratio = window.devicePixelRatio || 1;
    if (canvas.width === Math.floor(width * ratio) && canvas.height === Math.floor(height * ratio)) return;
    renderer.setPixelRatio(ratio);
    renderer.setSize(width, height, false);
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
  }

  /** Take the colours of the theme. */
  _paint() {
    this._colours = coloursOf(this.canvas);
    const colour = (name) => new THREE.Color(this._colours[name]);
    this._renderer.setClearColor(colour("paper"));
    this._fade.paper.value.copy(colour("paper")).convertLinearToSRGB();
    this._fade.line.value.copy(colour("groundLine"));
    this._edges.material.color.copy(colour("groundLine")).multiplyScalar(0.5);
    this._surface.material.color.copy(colour("ground"));
    this._forces.material.color.copy(colour("force"));
    this._pushes.material.color.copy(colour("bad"));
    for (const each of [this._dots, this._middle, this._plumb]) each.material.color.copy(colour("trail"));
    this._shown = {};
  }

  /** Make what depends on the body and the ground, if they have changed. */
  _prepare() {
    const { playback, _shown: shown } = this;
    if (shown.body !== playback.body) {
      const { size } = playback.body;
      shown.body = playback.body;
      this._body?.remove();
      this._body = new Body(this.scene, playback, bodyMaterials(this._colours));
      this._outline?.remove();
      this._outline = new Body(this.scene, playback, ghostMaterials(this._colours.accent, 0.35));
      this._outline.show(false);
      for (const each of this._ghostBodies ?? []) each.remove();
      this._ghostBodies = [];
      const grid = GRID_M.reduce((best, each) => (Math.abs(Math.log(each / (0.7 * size))) < Math.abs(Math.log(best / (0.7 * size))) ? each : best));
      this._fade.grid.value = grid;
      this._spacing.textContent = `grid ${grid} m`;
      const sun = this._sun.shadow;
      const reach = 1.6 * size;
      Object.assign(sun.camera, { left: -reach, right: reach, top: reach, bottom: -reach, near: 0.1 * size, far: 9 * size });
      sun.camera.updateProjectionMatrix();
      sun.normalBias = 0.01 * size;
      sun.bias = -0.0005;
    }
    if (shown.ground !== playback.ground || shown.version === undefined) {
      shown.ground = playback.ground;
      this.ground = new Ground(playback.ground, playback.surfaces["ground.grid"]);
      const [x, y, z] = playback.comOf(0);
      this._pivot = Math.max(z - this.ground.level(x, y), 0.1 * playback.body.size);
      this._radius = this._body.radius(playback.pose(playback.start));
      shown.place = null;
      shown.prints = null;
    }
    if (shown.version !== playback.version) {
      shown.version = playback.version;
      shown.prints = null;
      shown.strongest = null;
    }
  }

  /** Place camera, light and ground. */
  _aim(time, width, height) {
    const { playback, ground, camera } = this;
    const { size } = playback.body;
    if (this.follow) this._centre = playback.smoothed(time, LOOK.follow, ([x, y]) => [x, y, ground.level(x, y)]);
    const [x, y, z] = this._centre;
    const target = new THREE.Vector3(x, y, z + this._pivot).add(this._moved);
    const [yaw, rise] = this._direction.map((angle) => THREE.MathUtils.degToRad(angle));
    const turn = yaw + (this.turns ? this._headingAt(time) - this._headingAt(playback.start) : 0);
    const towards = new THREE.Vector3(Math.cos(rise) * Math.cos(turn), Math.cos(rise) * Math.sin(turn), Math.sin(rise));
    const shown = (LOOK.shown * this._radius * Math.max(1, height / width)) / this.zoom;
    const distance = shown / 2 / Math.tan(THREE.MathUtils.degToRad(LOOK.fieldOfView / 2));
    camera.up.set(-Math.sin(rise) * Math.cos(turn), -Math.sin(rise) * Math.sin(turn), Math.cos(rise)); // also from above
    camera.position.copy(target).addScaledVector(towards, distance);
    camera.lookAt(target);
    const range = distance + 10 * size;
    [camera.near, camera.far] = [Math.max(0.02 * distance, distance - 10 * size), 3 * range];
    camera.updateProjectionMatrix();
    camera.updateMatrixWorld();
    const [fromX, fromY, fromZ] = LOOK.light;
    this._sun.target.position.set(x, y, z + this._pivot);
    this._sun.position.copy(this._sun.target.position).addScaledVector(new THREE.Vector3(fromX, fromY, fromZ).normalize(), 5 * size);
    this._layGround(x, y, size * Math.max(1, 1 / this.zoom));
  }

  /** Make the surface of the ground around a place, if the present one does not reach far enough. */
  _layGround(x, y, size) {
    this._fade.centre.value.set(x, y);
    this._fade.fade.value.set(LOOK.fade[0] * size, LOOK.fade[1] * size);
    this._edges.position.z = LOOK.lift * size;
    const { place } = this._shown;
    if (place && place.size >= size && place.size < 4 * size && Math.max(Math.abs(place.x - x), Math.abs(place.y - y)) < 2 * place.size) return;
    this._shown.place = { x, y, size: 1.2 * size };
    const { position, normal, edges } = this.ground.surface(x, y, (LOOK.reach + 2.4) * 1.2 * size);
    for (const [drawn, arrays] of [[this._surface, { position, normal }], [this._edges, { position: edges }]]) {
      drawn.geometry.dispose();
      drawn.geometry = new THREE.BufferGeometry();
      for (const [name, numbers] of Object.entries(arrays)) drawn.geometry.setAttribute(name, new THREE.BufferAttribute(numbers, 3));
    }
  }

  _drawGhosts(time, pose) {
    const { ghosts, _ghostBodies: bodies } = this;
    while (bodies.length > ghosts.length) bodies.pop().remove();
    ghosts.forEach((ghost, k) => {
      if (bodies[k]?.playback !== ghost.playback || bodies[k].shape !== ghost.playback.body) {
        bodies[k]?.remove();
        bodies[k] = new Body(this.scene, ghost.playback, ghostMaterials(this._colours.muted, 0.3));
      }
      const body = bodies[k];
      body.show(ghost.playback.samples > 0);
      body.tint(ghost.colour ?? this._colours.muted, 0.7 * (ghost.opacity ?? 0.5));
      if (ghost.playback.samples) body.place(ghost.playback.pose(ghost.at ?? time + (ghost.shift ?? 0)));
    });
    const targets = this.layers.targets ? targetPose(this.playback, pose) : null;
    this._outline.show(targets !== null);
    if (targets) this._outline.place(targets);
  }

  /** Draw where feet began to touch the ground. */
  _drawPrints(time) {
    const { playback, _shown: shown, _prints: spots } = this;
    if (!this.layers.footprints) { spots.count = 0; shown.printed = -1; return; }
    if (!shown.prints) { shown.prints = this._footprints(); shown.printed = -1; }
    let count = shown.prints.length;
    while (count && shown.prints[count - 1].time > time + 1e-9) count -= 1;
    if (shown.printed === count) return;
    shown.printed = count;
    const radius = LOOK.print * playback.body.size;
    const kept = shown.prints.slice(Math.max(count - LOOK.prints, 0), count);
    kept.forEach(({ at, normal, side }, k) => spots.set(k, at, radius, normal, this._colours[["far", "trunk", "near"][side + 1]]));
    spots.count = kept.length;
  }

  _footprints() {
    const { playback, ground, _body: body } = this;
    const { feet, links, limbs, size } = playback.body;
    const found = [];
    for (const link of feet.length ? feet : links.keys()) {
      const { side } = limbs.find((limb) => limb.links.includes(link));
      let last = null;
      for (let i = 0; i < playback.samples; i++) {
        if (!playback.touches(link, i) || (i > 0 && playback.touches(link, i - 1))) continue;
        const time = playback.timeOf(i);
        const { x, y } = body.lowest(link, playback.pose(time));
        if (last && Math.hypot(x - last.x, y - last.y) < LOOK.print * size) continue; // a foot that trembles
        last = { x, y };
        const step = 0.02 * size;
        const slope = [ground.height(x - step, y) - ground.height(x + step, y), ground.height(x, y - step) - ground.height(x, y + step)];
        const normal = new THREE.Vector3(...slope, 2 * step).normalize();
        const at = new THREE.Vector3(x, y, ground.height(x, y)).addScaledVector(normal, LOOK.lift * size);
        found.push({ time, at, normal, side });
      }
    }
    return found.sort((a, b) => a.time - b.time);
  }

  _drawTrail(time) {
    const { playback, _dots: spots } = this;
    if (!this.layers.trail) { spots.count = 0; return; }
    const points = playback.trail(time, LOOK.trail).slice(0, LOOK.dots);
    points.forEach((point, k) => spots.set(k, new THREE.Vector3(...point), 0.012 * playback.body.size * (1 - (0.6 * k) / points.length)));
    spots.count = points.length;
  }

  _drawCentre({ com: [x, y, z] }) {
    const { layers: { com }, playback: { body: { size } }, _middle: middle, _plumb: plumb } = this;
    middle.visible = plumb.visible = com;
    if (!com) return;
    const height = this.ground.height(x, y);
    middle.position.set(x, y, z);
    middle.scale.setScalar(0.03 * size);
    plumb.position.set(x, y, (z + height) / 2);
    plumb.rotation.x = Math.PI / 2;
    plumb.scale.set(0.005 * size, Math.max(z - height, 1e-6), 0.005 * size);
  }

  /** Draw the ground's force on each link, from where the link touches the ground. */
  _drawForces(pose) {
    const { playback, _forces: arrows, _body: body } = this;
    arrows.clear();
    if (!this.layers.forces) return;
    const { links, size } = playback.body;
    const length = (LOOK.force * size) / (9.81 * links.reduce((sum, link) => sum + link.mass, 0));
    links.forEach((_, k) => {
      const force = new THREE.Vector3(...playback.forceOn(k, pose.index));
      if (force.length() < LEAST_NEWTON) return;
      const from = body.lowest(k, pose);
      arrows.add(from, from.clone().addScaledVector(force, length), LOOK.arrow * size);
    });
  }

  /** Draw the strongest push of a moment, or one that has just ended. Its arrow ends where it acts. */
  _drawPush(pose) {
    const { playback, _pushes: arrows, _shown: shown } = this;
    arrows.clear();
    if (!("push_x" in playback.units.whole)) return;
    const of = [..."xyz"].map((axis) => playback.signal(`push_${axis}`));
    const at = [..."xyz"].map((axis) => playback.signal(`push_at_${axis}`));
    const force = (i) => new THREE.Vector3(...of.map((signal) => signal(i)));
    if (!shown.strongest) {
      shown.strongest = 0;
      for (let i = 0; i < playback.samples; i++) shown.strongest = Math.max(shown.strongest, force(i).length());
    }
    let i = pose.index;
    while (i > 0 && force(i).length() === 0 && playback.timeOf(i - 1) > pose.time - LOOK.pushHeld) i -= 1;
    const push = force(i);
    const strength = push.length();
    if (strength === 0) return;
    const { size } = playback.body;
    const tip = new THREE.Vector3(...at.map((signal) => signal(i)));
    const length = LOOK.push * size * Math.max(LOOK.leastPush, strength / shown.strongest);
    arrows.add(tip.clone().addScaledVector(push, -length / strength), tip, LOOK.arrow * size);
  }

  _ray(clientX, clientY) {
    const box = this.canvas.getBoundingClientRect();
    const at = new THREE.Vector2(((clientX - box.left) / box.width) * 2 - 1, 1 - ((clientY - box.top) / box.height) * 2);
    const ray = new THREE.Raycaster();
    ray.setFromCamera(at, this.camera);
    return ray;
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
    canvas.addEventListener("contextmenu", (event) => event.preventDefault());
    canvas.addEventListener("pointerdown", (event) => {
      if (event.button > 2 || event.defaultPrevented) return;
      let [x, y] = [event.clientX, event.clientY];
      const act = event.button || event.shiftKey ? this._pan : this._orbit;
      canvas.setPointerCapture(event.pointerId);
      const move = (next) => {
        act.call(this, next.clientX - x, next.clientY - y);
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

  /** Turn the camera around the character by a drag, px. */
  _orbit(right, down) {
    const [turn, rise] = this._direction;
    this._direction = [turn - 0.4 * right, Math.min(Math.max(rise + 0.4 * down, LOOK.lowest), 90)];
  }

  /** Move the camera by a drag, px. */
  _pan(right, down) {
    const distance = this.camera.position.distanceTo(this._sun.target.position);
    const pixel = (2 * distance * Math.tan(THREE.MathUtils.degToRad(LOOK.fieldOfView / 2))) / this.canvas.clientHeight;
    const [across, up] = [0, 1].map((column) => new THREE.Vector3().setFromMatrixColumn(this.camera.matrixWorld, column));
    this._moved.addScaledVector(across, -right * pixel).addScaledVector(up, down * pixel);
  }
}

FIGURES[3] = SpaceView;

/** The links of a playback as surfaces in a scene. */
class Body {
  /**
   * @param {THREE.Scene} scene
   * @param {import("./playback.js").Playback} playback
   * @param {function(number): THREE.Material[]} materialsOf materials of a side (-1, 0, 1), drawn one after another
   */
  constructor(scene, playback, materialsOf) {
    [this.playback, this.shape] = [playback, playback.body];
    this._group = new THREE.Group();
    this.meshes = [];
    this._frames = playback.body.links.map(() => new THREE.Matrix4());
    this._materials = new Map();
    const sides = [];
    for (const limb of playback.body.limbs) for (const link of limb.links) sides[link] = limb.side;
    geometriesOf(playback).forEach((geometry, link) => {
      if (!this._materials.has(sides[link])) this._materials.set(sides[link], materialsOf(sides[link]));
      this._materials.get(sides[link]).forEach((material, layer) => {
        const mesh = new THREE.Mesh(geometry, material);
        mesh.matrixAutoUpdate = mesh.matrixWorldAutoUpdate = false;
        mesh.matrix = mesh.matrixWorld = this._frames[link];
        mesh.frustumCulled = false;
        mesh.castShadow = mesh.receiveShadow = !material.transparent;
        mesh.renderOrder = layer;
        mesh.name = playback.body.links[link].name;
        if (!layer) this.meshes.push(mesh);
        this._group.add(mesh);
      });
    });
    scene.add(this._group);
  }

  /** Place the links. */
  place(pose) { this._frames.forEach((frame, link) => frame.compose(...frameOf(pose, link), ONE)); }

  show(shown) { this._group.visible = shown; }

  /** Set colour and opacity. */
  tint(colour, opacity) {
    for (const materials of this._materials.values()) {
      for (const material of materials) {
        material.color.set(colour);
        material.opacity = opacity;
      }
    }
  }

  /** Return the largest distance of a point from the centre of mass in a pose, m. */
  radius(pose) {
    const centre = new THREE.Vector3(...pose.com);
    return Math.max(...this.meshes.map(({ geometry }, link) => {
      const [at, turn] = frameOf(pose, link);
      geometry.computeBoundingSphere();
      const sphere = geometry.boundingSphere;
      return sphere.radius < 0 ? 0 : sphere.center.clone().applyQuaternion(turn).add(at).distanceTo(centre) + sphere.radius;
    }));
  }

  /** Return the lowest point of a link in a pose. */
  lowest(link, pose) {
    const points = this.meshes[link].geometry.getAttribute("position");
    const frame = new THREE.Matrix4().compose(...frameOf(pose, link), ONE);
    const [a, b, c] = [frame.elements[2], frame.elements[6], frame.elements[10]];
    let [best, lowest] = [0, Infinity];
    for (let k = 0; k < points.count; k++) {
      const height = a * points.getX(k) + b * points.getY(k) + c * points.getZ(k);
      if (height < lowest) [best, lowest] = [k, height];
    }
    return points.count ? new THREE.Vector3().fromBufferAttribute(points, best).applyMatrix4(frame) : frameOf(pose, link)[0];
  }

  /** Remove it from the scene. Geometries stay, since other bodies share them. */
  remove() {
    this._group.removeFromParent();
    for (const materials of this._materials.values()) for (const material of materials) material.dispose();
  }
}

const ONE = new THREE.Vector3(1, 1, 1);

/** Return position and orientation of a link in a pose. */
function frameOf({ x, y, z, turn }, link) {
  const [w, i, j, k] = turn.subarray(4 * link, 4 * link + 4);
  return [new THREE.Vector3(x[link], y[link], z[link]), new THREE.Quaternion(i, j, k, w)];
}

const GEOMETRIES = new WeakMap(); // by body

/** Return the surface of each link of a playback. */
function geometriesOf({ body, surfaces }) {
  if (GEOMETRIES.has(body)) return GEOMETRIES.get(body);
  const [points, normals, corners, counts] = ["point", "normal", "corner", "count"].map((name) => surfaces[`body.${name}`].values);
  const [total, n] = [points.length / 3, body.links.length];
  let [point, corner] = [0, 0];
  const made = body.links.map((_, link) => {
    const [nPoints, nCorners] = [counts[link], 3 * counts[n + link]];
    const columns = (values) => new THREE.BufferAttribute(Float32Array.from({ length: 3 * nPoints }, (__, k) => values[(k % 3) * total + point + Math.floor(k / 3)]), 3);
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute("position", columns(points));
    geometry.setAttribute("normal", columns(normals));
    geometry.setIndex(new THREE.BufferAttribute(corners.slice(corner, corner + nCorners).map((index) => index - point), 1));
    [point, corner] = [point + nPoints, corner + nCorners];
    return geometry;
  });
  GEOMETRIES.set(body, made);
  return made;
}

function bodyMaterials(colours) {
  return (side) => [new THREE.MeshPhongMaterial({ color: colours[["far", "trunk", "near"][side + 1]], specular: 0x333333, shininess: 24 })];
}

/** Return translucent materials: the first one writes only the depth, so that overlapping links are not darker. */
function ghostMaterials(colour, opacity) {
  return () => [
    new THREE.MeshLambertMaterial({ color: colour, transparent: true, opacity, colorWrite: false }),
    new THREE.MeshLambertMaterial({ color: colour, transparent: true, opacity, depthFunc: THREE.EqualDepth, depthWrite: false }),
  ];
}

/** Return a material that is drawn in front of everything before it. */
function inFront(material) { return Object.assign(material, { depthTest: false, depthWrite: false, transparent: true }); }

/** Return the material of the ground, with a grid, which fades out around the character. */
function groundMaterial(uniforms) {
  const material = new THREE.MeshLambertMaterial({ side: THREE.DoubleSide, polygonOffset: true, polygonOffsetFactor: 2, polygonOffsetUnits: 2 });
  return fading(material, uniforms, `
    vec2 square = place.xy / grid;
    vec2 width = fwidth(square) + 1e-6;
    vec2 near = 1.0 - min(abs(fract(square - 0.5) - 0.5) / (0.9 * width), 1.0);
    near *= 1.0 - smoothstep(0.15, 0.5, width);
    float level = step(0.5, abs(normalize(cross(dFdx(place), dFdy(place))).z));
    diffuseColor.rgb = mix(diffuseColor.rgb, line, 0.55 * level * max(near.x, near.y));`);
}

/**
 * Let a material fade to the colour of the paper around a centre.
 *
 * @param {THREE.Material} material
 * @param {object} uniforms centre, fade (radii at which it begins to fade and is invisible, m), grid, paper and line
 * @param {string} [pattern] GLSL that changes `diffuseColor` at `place`, a point of the world
 */
function fading(material, uniforms, pattern = "") {
  material.onBeforeCompile = (shader) => {
    Object.assign(shader.uniforms, uniforms);
    shader.vertexShader = shader.vertexShader
      .replace("#include <common>", "#include <common>\nvarying vec3 place;")
      .replace("#include <begin_vertex>", "#include <begin_vertex>\nplace = position;");
    const end = shader.fragmentShader.includes("#include <dithering_fragment>") ? "dithering_fragment" : "premultiplied_alpha_fragment";
    shader.fragmentShader = shader.fragmentShader
      .replace("#include <common>", "#include <common>\nvarying vec3 place;\nuniform vec2 centre, fade;\nuniform float grid;\nuniform vec3 paper, line;")
      .replace("#include <color_fragment>", `#include <color_fragment>${pattern}`)
      .replace(`#include <${end}>`, `#include <${end}>
        gl_FragColor.rgb = mix(gl_FragColor.rgb, paper, smoothstep(fade.x, fade.y, distance(place.xy, centre)));`);
  };
  return material;
}

/** Arrows that are drawn in front of everything else. */
class Arrows {
  constructor(scene, name) {
    [this._scene, this._name] = [scene, name];
    this.material = inFront(new THREE.MeshBasicMaterial());
    this._shaft = new THREE.CylinderGeometry(1, 1, 1, 12).translate(0, 0.5, 0);
    this._head = new THREE.ConeGeometry(1, 1, 16).translate(0, 0.5, 0);
    this._arrows = [];
    this._count = 0;
  }

  clear() {
    this._count = 0;
    for (const arrow of this._arrows) arrow.visible = false;
  }

  /** Add an arrow between two points with a shaft of a radius, m. */
  add(from, to, radius) {
    this._arrows[this._count] ??= this._made();
    const arrow = this._arrows[this._count];
    this._count += 1;
    const along = to.clone().sub(from);
    const length = along.length();
    const head = Math.min(4 * radius, 0.6 * length);
    const [shaft, tip] = arrow.children;
    shaft.scale.set(0.5 * radius, length - head, 0.5 * radius);
    tip.position.y = length - head;
    tip.scale.set(0.4 * head, head, 0.4 * head);
    arrow.position.copy(from);
    arrow.quaternion.setFromUnitVectors(new THREE.Vector3(0, 1, 0), along.divideScalar(length || 1));
    arrow.visible = true;
  }

  _made() {
    const arrow = new THREE.Group();
    arrow.name = this._name;
    for (const geometry of [this._shaft, this._head]) {
      const mesh = new THREE.Mesh(geometry, this.material);
      mesh.renderOrder = 10;
      arrow.add(mesh);
    }
    this._scene.add(arrow);
    return arrow;
  }
}

/** Many copies of a shape. */
class Spots {
  constructor(scene, geometry, most, coloured) {
    this.material = coloured ? new THREE.MeshLambertMaterial({ polygonOffset: true, polygonOffsetFactor: -1 }) : new THREE.MeshBasicMaterial();
    this._mesh = new THREE.InstancedMesh(geometry, this.material, most);
    this._mesh.frustumCulled = false;
    this._mesh.receiveShadow = coloured;
    this._mesh.count = 0;
    scene.add(this._mesh);
  }

  set count(count) { this._mesh.count = count; }

  /** Place a copy at a point with a size; its z axis turns to the normal. */
  set(k, at, size, normal = null, colour = null) {
    const turn = new THREE.Quaternion();
    if (normal) turn.setFromUnitVectors(new THREE.Vector3(0, 0, 1), normal);
    this._mesh.setMatrixAt(k, new THREE.Matrix4().compose(at, turn, new THREE.Vector3(size, size, size)));
    this._mesh.instanceMatrix.needsUpdate = true;
    if (!colour) return;
    this._mesh.setColorAt(k, new THREE.Color(colour).multiplyScalar(0.65));
    this._mesh.instanceColor.needsUpdate = true;
  }
}

/**
 * Return the pose of the joint targets with the present root; null where there are no targets.
 *
 * @param {import("./playback.js").Playback} playback
 * @param {import("./playback.js").Pose} pose
 * @returns {?import("./playback.js").Pose}
 */
export function targetPose(playback, pose) {
  const { links, joints, root } = playback.body;
  if (!("target" in playback.units.joint)) return null; // a lean playback
  const of = (quantity) => joints.map(({ name }) => playback.signal(`${quantity}.${name}`)(pose.index));
  const [targets, angles] = [of("target"), of("angle")];
  if (targets.every(Number.isNaN)) return null;
  const made = { ...pose, x: pose.x.slice(), y: pose.y.slice(), z: pose.z.slice(), turn: pose.turn.slice() };
  const parents = new Map(joints.map(({ parent, child }) => [child, parent]));
  const done = new Set([root]);
  const hang = (link) => {
    if (done.has(link)) return;
    done.add(link);
    const parent = parents.get(link);
    hang(parent);
    const [at, turn] = frameOf(made, parent);
    const { position, orientation: [w, x, y, z] } = links[link];
    at.add(new THREE.Vector3(...position).applyQuaternion(turn));
    turn.multiply(new THREE.Quaternion(x, y, z, w));
    joints.forEach(({ child, axis, anchor }, j) => {
      if (child !== link) return;
      const arm = new THREE.Vector3(...anchor);
      const place = at.clone().add(arm.clone().applyQuaternion(turn));
      const angle = Number.isNaN(targets[j]) ? angles[j] : targets[j];
      turn.multiply(new THREE.Quaternion().setFromAxisAngle(new THREE.Vector3(...axis), angle));
      at.copy(place).sub(arm.applyQuaternion(turn));
    });
    [made.x[link], made.y[link], made.z[link]] = at.toArray();
    made.turn.set([turn.w, turn.x, turn.y, turn.z], 4 * link);
  };
  for (const link of links.keys()) hang(link);
  return made;
}
