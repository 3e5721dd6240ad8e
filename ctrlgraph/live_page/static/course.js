/**
 * The sequence of segments as text: previous, present and next ones.
 *
 * @module course
 */
import { $, isPlayed, page, player, text } from "./parts.js";
import { make } from "./player.js";

const BEFORE = 3; // previous nodes shown
const AFTER = 2;

let shown = -1;

/** Show the sequence at a time (s); `force`: update it even if the present segment is the same. */
export function showCourse(time, force = false) {
  const { state } = page;
  if (!state) return;
  const { segments, ended } = state;
  const now = Math.max(segments.findLastIndex((each) => each.from <= time + 1e-6), 0);
  if (now === shown && !force) return;
  shown = now;
  const parts = [];
  const [first, end] = [Math.max(now - BEFORE, 0), Math.min(now + AFTER + 1, segments.length)];
  if (first) parts.push("… → ");
  segments.slice(first, end).forEach((each, k) => {
    if (k) parts.push(" → ");
    const unfinished = ended === null ? " …" : " (cut off)";
    const mark = each.succeeded === false ? " ✗" : each.succeeded ? " ✓" : unfinished;
    parts.push(make("span", { className: first + k === now ? "now" : "", textContent: text(each.name) + mark }));
  });
  if (end < segments.length) parts.push(` → … (${segments.length - end} more)`);
  const last = segments.at(-1);
  const going = state.walking ? (isPlayed ? "" : "walk continues, simulated a few seconds ahead; not logged") : last?.outcome ?? "";
  const when = segments.length > 1 && page.present.samples ? `ends at ${page.present.end.toFixed(1)} s: ` : "";
  const what = ended === null ? going : when + ended;
  $("outcome").replaceChildren(...parts, ...[what, ...state.notes].filter(Boolean).map((each) => `; ${each}`));
  $("outcome").classList.toggle("bad", /^(failed|fell|timeout|diverged)/.test(ended ?? ""));
}
