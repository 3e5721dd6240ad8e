/**
 * The course of the motion in words: what ran before the moment of the clock, what runs, what comes.
 *
 * @module course
 */
import { $, page, player, text } from "./parts.js";
import { make } from "./player.js";

const BEFORE = 3; // so many nodes before the one that runs are named
const AFTER = 2;

let shown = -1;

/** Show the course at a time (s); `anew`: it has changed. */
export function showTold(time, anew = false) {
  const { state } = page;
  if (!state) return;
  const { segments, ended } = state;
  const now = Math.max(segments.findLastIndex((each) => each.from <= time + 1e-6), 0);
  if (now === shown && !anew) return;
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
  const going = state.walking ? "walking on, a few seconds before what you see; not logged" : last?.told ?? "";
  const when = segments.length > 1 && page.present.samples ? `ends at ${page.present.end.toFixed(1)} s: ` : "";
  const what = ended === null ? going : when + ended;
  $("told").replaceChildren(...parts, ...[what, ...state.notes].filter(Boolean).map((each) => `; ${each}`));
  $("told").classList.toggle("bad", /^(failed|fell|timeout|diverged)/.test(ended ?? ""));
}
