/**
 * Gates: pairs of posts on the ground, through which a player steers a character in space, one after another.
 *
 * @module gates
 */
import { $, figure, live, page } from "./parts.js";

const POST = 0.5; // height of a post, as a fraction of the width of its gate

let gates = []; // {x, y, angle, width}: middle, direction in which it is passed, distance of the posts
let seen = { version: -1, index: 0, passed: 0 };

/** Show gates; `found`: [x, y, angle, width] of each. */
export function setGates(found) {
  gates = found.map(([x, y, angle, width]) => ({ x, y, angle, width }));
  seen = { version: -1, index: 0, passed: 0 };
  showPosts();
}

function ends({ x, y, angle, width }) {
  const [dx, dy] = [(-Math.sin(angle) * width) / 2, (Math.cos(angle) * width) / 2];
  return [[x + dx, y + dy], [x - dx, y - dy]];
}

function showPosts() {
  figure.setPosts(gates.flatMap((gate, k) => ends(gate).map((at) => ({ at, height: POST * gate.width, colour: k < seen.passed ? "trail" : k === seen.passed ? "near" : "far" }))));
}

/** Return whether the way between two points leads through a gate, forward. */
function passes({ x, y, angle, width }, [ax, ay], [bx, by]) {
  const along = (px, py) => (px - x) * Math.cos(angle) + (py - y) * Math.sin(angle);
  const [a, b] = [along(ax, ay), along(bx, by)];
  if (!(a < 0 && b >= 0)) return false;
  const share = a / (a - b);
  const [px, py] = [ax + share * (bx - ax) - x, ay + share * (by - ay) - y];
  return Math.abs(-px * Math.sin(angle) + py * Math.cos(angle)) < width / 2;
}

/** Count the gates that were passed up to a time. */
export function showGates(time) {
  const { present } = page;
  if (!gates.length || !present.samples) return;
  const index = present.indexAt(time);
  if (seen.version !== live.version || index < seen.index) seen = { version: live.version, index: 0, passed: 0, shown: seen.shown };
  for (; seen.index < index; seen.index++) {
    if (seen.passed < gates.length && passes(gates[seen.passed], present.comOf(seen.index), present.comOf(seen.index + 1))) seen.passed += 1;
  }
  if (seen.shown === seen.passed) return;
  seen.shown = seen.passed;
  showPosts();
  $("gates-passed").textContent = `${seen.passed} of ${gates.length} gates`;
}
