/**
 * Pushes by dragging a link of the character with the mouse.
 *
 * @module pushing
 */
import { $, colour, figure, page, player, send } from "./parts.js";

const NEWTON_A_METRE = 600; // force per dragged distance
const MOST_NEWTON = 3000;

let push = null;

function pushOf() {
  const [x, y] = figure.worldAt(push.x, push.y);
  const pose = page.present.pose(player.time);
  const [dx, dy] = [x - pose.x[push.link], y - pose.y[push.link]];
  const size = Math.hypot(dx, dy) * NEWTON_A_METRE;
  const share = size > MOST_NEWTON ? MOST_NEWTON / size : 1;
  return { from: [pose.x[push.link], pose.y[push.link]], force: [dx * NEWTON_A_METRE * share, dy * NEWTON_A_METRE * share] };
}

/** Draw the arrow of the push in progress. */
export function drawArrow() {
  const canvas = $("arrow");
  const [width, height, ratio] = [canvas.clientWidth, canvas.clientHeight, devicePixelRatio || 1];
  if (!push && !canvas.dataset.drawn) return;
  [canvas.width, canvas.height] = [width * ratio, height * ratio];
  delete canvas.dataset.drawn;
  if (!push) return;
  canvas.dataset.drawn = "1";
  const c = canvas.getContext("2d");
  c.setTransform(ratio, 0, 0, ratio, 0, 0);
  const { from, force } = pushOf();
  const box = canvas.getBoundingClientRect();
  const [ox, oy] = figure.pageOf(...from);
  const [x0, y0, x1, y1] = [ox - box.left, oy - box.top, push.x - box.left, push.y - box.top];
  c.strokeStyle = c.fillStyle = colour("var(--cg-bad)");
  c.lineWidth = 3;
  c.lineCap = "round";
  c.beginPath();
  c.moveTo(x0, y0);
  c.lineTo(x1, y1);
  c.stroke();
  c.beginPath();
  c.arc(x1, y1, 5, 0, 2 * Math.PI);
  c.fill();
  c.font = "13px system-ui, sans-serif";
  c.fillText(`${Math.round(Math.hypot(...force))} N`, x1 + 9, y1 - 6);
}

$("picture").addEventListener("pointerdown", (event) => {
  if (event.button !== 0 || !page.present.samples) return;
  const link = figure.linkAt(event.clientX, event.clientY);
  if (link === null) return;
  event.preventDefault(); // do not pan the picture
  figure.canvas.focus({ preventScroll: true });
  push = { link, x: event.clientX, y: event.clientY };
  $("picture").setPointerCapture(event.pointerId);
  drawArrow();
}, true);
$("picture").addEventListener("pointermove", (event) => {
  if (push) {
    [push.x, push.y] = [event.clientX, event.clientY];
    drawArrow();
  } else figure.canvas.style.cursor = page.present.samples && figure.linkAt(event.clientX, event.clientY) !== null ? "crosshair" : "";
});
for (const name of ["pointerup", "pointercancel"]) {
  $("picture").addEventListener(name, () => {
    if (!push) return;
    const { force: [x, y] } = pushOf();
    const link = page.present.body.links[push.link].name;
    push = null;
    drawArrow();
    if (name === "pointerup" && Math.hypot(x, y) > 10) send({ type: "push", time: player.time, link, x, y, duration: 0.1 });
  });
}
