/**
 * The drawing of a footstep plan: robot, footsteps, support, centre of pressure, unsafe places.
 *
 * @module planview
 */

/** Direction to the viewer, anticlockwise from the x axis, and its height above the horizon, degrees, by view. */
export const PLAN_VIEWS = { "three-quarter": [-52, 24], side: [-90, 10], above: [-90, 90] };

/** Colour and meaning of what is drawn. */
export const PLAN_LEGEND = [["ground", "support"], ["trail", "centre of mass"], ["ink", "centre of pressure"], ["near", "feet on the right"], ["far", "feet on the left"], ["bad", "unsafe place, or centre of pressure outside its support"]];

/** Return a colour of the theme. */
export function colour(name) { return getComputedStyle(document.documentElement).getPropertyValue(`--cg-${name}`).trim(); }

/** Return the convex hull of points. */
function hullOf(points) {
  const sorted = [...points].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const half = (list) => {
    const chain = [];
    for (const p of list) {
      while (chain.length > 1) {
        const [a, b] = chain.slice(-2);
        if ((b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]) > 0) break;
        chain.pop();
      }
      chain.push(p);
    }
    return chain.slice(0, -1);
  };
  return sorted.length < 3 ? sorted : [...half(sorted), ...half(sorted.reverse())];
}

/** Clear a canvas, and return its context, width and height. */
export function clear(element) {
  const ratio = devicePixelRatio || 1;
  const [width, height] = [element.clientWidth, element.clientHeight];
  if (element.width !== Math.round(width * ratio) || element.height !== Math.round(height * ratio)) [element.width, element.height] = [Math.round(width * ratio), Math.round(height * ratio)];
  const context = element.getContext("2d");
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, height);
  return [context, width, height];
}

/**
 * Draw a plan on a canvas; return the function that gives the place on the ground below a pixel.
 *
 * A scene has `hips` and `unsafe`; `legs`, each with hip, knee, ankle and contact points; the corners of the `trunk`; the
 * corners of all `standing` feet; `prints` with `foot`, `corners`, `planned`, `past` and `label`; the paths `mass` and
 * `pressure`, which end at the present; `heading`; `inside`: whether the pressure is inside its support; and perhaps `way`,
 * the path to follow, and `push`, the ends of an arrow.
 */
export function drawPlan(canvas, scene, view) {
  const { hips, unsafe, prints, legs, trunk, heading, mass, pressure } = scene;
  const [c, width, height] = clear(canvas);
  const tall = Math.max(...trunk.map(([, , z]) => z));
  const shown = Math.max(3.2 * Math.max(...hips.map(([x, y]) => Math.hypot(x, y)), 0.4), 1.5 * tall); // metres of the height
  const scale = height / shown;
  const [ox, oy] = mass.at(-1);
  const [turn, rise] = PLAN_VIEWS[view].map((degrees) => (degrees * Math.PI) / 180);
  const middle = height * (0.5 + 0.2 * Math.cos(rise));
  const to = ([x, y, z = 0]) => {
    const [right, away] = [-Math.sin(turn) * (x - ox) + Math.cos(turn) * (y - oy), -Math.cos(turn) * (x - ox) - Math.sin(turn) * (y - oy)];
    return [width / 2 + right * scale, middle - (away * Math.sin(rise) + z * Math.cos(rise)) * scale];
  };
  const shape = (points, fill, line) => {
    c.beginPath();
    points.forEach((p, k) => c[k ? "lineTo" : "moveTo"](...to(p)));
    c.closePath();
    if (fill) { c.fillStyle = fill; c.fill(); }
    if (line) { c.strokeStyle = line; c.stroke(); }
  };
  const way = (points, line, thick) => {
    c.beginPath();
    points.forEach((p, k) => c[k ? "lineTo" : "moveTo"](...to(p)));
    [c.strokeStyle, c.lineWidth] = [line, thick];
    c.stroke();
    c.lineWidth = 1;
  };
  const spot = (p, radius, fill) => { c.beginPath(); c.arc(...to(p), radius, 0, 2 * Math.PI); c.fillStyle = fill; c.fill(); };
  c.lineWidth = 1;
  const far = 2 * Math.max(width, height) / scale;
  for (let x = Math.ceil(ox - far); x <= ox + far; x++) way([[x, oy - far], [x, oy + far]], colour("line"), 1);
  for (let y = Math.ceil(oy - far); y <= oy + far; y++) way([[ox - far, y], [ox + far, y]], colour("line"), 1);
  for (const [x, y, radius] of unsafe) { c.globalAlpha = 0.25; shape(Array.from({ length: 32 }, (_, k) => [x + radius * Math.cos((k * Math.PI) / 16), y + radius * Math.sin((k * Math.PI) / 16)]), colour("bad")); c.globalAlpha = 1; }
  if (scene.standing.length) shape(hullOf(scene.standing), colour("ground"), colour("ground-line"));
  c.font = "11px system-ui, sans-serif";
  for (const each of prints) {
    const own = colour(hips[each.foot][1] < 0 ? "near" : "far");
    c.globalAlpha = each.past ? 0.35 : 1;
    if (each.planned) { c.setLineDash([4, 3]); shape(each.corners, null, own); c.setLineDash([]); } else shape(each.corners, own, colour("near"));
    c.globalAlpha = 1;
    const [x, y] = to(each.corners[0]);
    c.fillStyle = colour("muted");
    if (each.label) c.fillText(each.label, x + 5, y - 5);
  }
  if (scene.way?.length) { c.setLineDash([8, 6]); way([mass.at(-1), ...scene.way], colour("accent"), 2); c.setLineDash([]); for (const place of scene.way.length < 30 ? scene.way : [scene.way.at(-1)]) spot(place, 4, colour("accent")); }
  way(mass, colour("trail"), 2);
  way(pressure, colour("ink"), 1);
  const ahead = 0.5 * hips[0][0] + 0.15;
  way([mass.at(-1), [ox + ahead * Math.cos(heading), oy + ahead * Math.sin(heading)]], colour("trail"), 3);
  spot(mass.at(-1), 6, colour("trail"));
  spot(pressure.at(-1), 5, colour(scene.inside ? "ink" : "bad"));
  drawBody(c, to, scale, scene, view === "above");
  if (scene.push) way(scene.push, colour("force"), 4);
  return (px, py) => {
    const [right, away] = [(px - width / 2) / scale, (middle - py) / scale / Math.max(Math.sin(rise), 0.05)];
    return [ox - Math.sin(turn) * right - Math.cos(turn) * away, oy + Math.cos(turn) * right - Math.sin(turn) * away];
  };
}

/** Draw the legs and the trunk, the far ones first. */
function drawBody(c, to, scale, { hips, legs, trunk, mass }, above) {
  const reach = Math.max(...hips.map(([x, y]) => Math.hypot(x, y)), 0.2);
  const depth = (foot) => to(legs[foot][2])[1];
  const order = hips.map((_, foot) => foot).sort((a, b) => depth(a) - depth(b));
  const box = hullOf(trunk.map(to));
  const limb = (foot) => {
    const [hip, knee, ankle, ...sole] = legs[foot];
    const own = colour(hips[foot][1] < 0 ? "near" : "far");
    [c.strokeStyle, c.fillStyle, c.lineJoin, c.lineCap] = [own, own, "round", "round"];
    const line = (points, thick) => { c.beginPath(); points.forEach((p, k) => c[k ? "lineTo" : "moveTo"](...p)); c.lineWidth = thick; c.stroke(); c.lineWidth = 1; };
    line([hip, knee, ankle].map(to), Math.max(3, 0.07 * reach * scale));
    const foot2 = hullOf([ankle, ...sole].map(to));
    line([...foot2, foot2[0]], Math.max(2, 0.04 * reach * scale));
    c.fill();
  };
  const solid = () => {
    c.beginPath();
    box.forEach((p, k) => c[k ? "lineTo" : "moveTo"](...p));
    c.closePath();
    c.globalAlpha = above ? 0.25 : 0.9;
    c.fillStyle = colour("trunk");
    c.fill();
    c.globalAlpha = 1;
  };
  c.globalAlpha = above ? 0.5 : 1;
  const behind = order.filter((foot) => depth(foot) < to(mass.at(-1))[1]);
  behind.forEach(limb);
  solid();
  c.globalAlpha = above ? 0.5 : 1;
  order.filter((foot) => !behind.includes(foot)).forEach(limb);
  c.globalAlpha = 1;
}

