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
  const from = figure.gripped(push.grip, page.present.pose(player.time));
  const to = figure.worldAt(push.x, push.y, from);
  const dragged = to.map((along, c) => (along - from[c]) * NEWTON_A_METRE);
  const size = Math.hypot(...dragged);
  const share = size > MOST_NEWTON ? MOST_NEWTON / size : 1;
  return { from, force: dragged.map((along) => along * share) };
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
  const grip = figure.grip(event.clientX, event.clientY);
  if (!grip || event.target.closest("button")) return;
  event.preventDefault(); // do not pan the picture
  figure.canvas.focus({ preventScroll: true });
  push = { grip, x: event.clientX, y: event.clientY };
  $("picture").setPointerCapture(event.pointerId);
  drawArrow();
}, true);
$("picture").addEventListener("pointermove", (event) => {
  if (push) {
    [push.x, push.y] = [event.clientX, event.clientY];
    drawArrow();
  } else figure.canvas.style.cursor = page.present.samples && figure.grip(event.clientX, event.clientY) ? "crosshair" : "";
});
for (const name of ["pointerup", "pointercancel"]) {
  $("picture").addEventListener(name, () => {
    if (!push) return;
    const { force } = pushOf();
    const { link: index, point } = push.grip;
    const { name: link } = page.present.body.links[index];
    const [x, y, z] = force;
    push = null;
    drawArrow();
    if (name === "pointerup" && Math.hypot(...force) > 10) {
      send({ type: "push", time: player.time, link, x, y, ...(point ? { z, point } : {}), duration: 0.1 });
    }
  });
}
