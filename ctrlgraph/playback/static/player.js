/**
 * The player: clock, controls and keys of a page.
 *
 * @module player
 */

const SPEEDS = [0.1, 0.25, 0.5, 1, 2, 4];

/**
 * The clock of a motion. Fires "time" when its time changes, "state" when playing, looping, speed or end change.
 */
export class Player extends EventTarget {
  constructor() {
    super();
    /** @type {?import("./playback.js").Playback} motion for stepping */
    this.playback = null;
    this.time = 0;
    this.playing = false;
    this.loop = true;
    this.speed = 1;
    /** Whether it waits at the end for further samples. */
    this.live = false;
    this._extent = null;
  }

  get start() { return this._extent?.[0] ?? this.playback?.start ?? 0; }

  get end() { return this._extent?.[1] ?? this.playback?.end ?? 0; }

  /**
   * Set the motion.
   *
   * @param {import("./playback.js").Playback} playback
   * @param {?number[]} [extent] start and end of the clock, s; by default those of the motion
   */
  setPlayback(playback, extent = null) {
    [this.playback, this._extent] = [playback, extent];
    this._tell("state");
    this.seek(this.time);
  }

  /** Update after the motion has grown or shrunk. */
  changed() {
    this._tell("state");
    if (this.time > this.end) this.seek(this.end);
    else this._tell("time");
  }

  play() {
    if (this.playing) return;
    if (this.time >= this.end - 1e-9 && !this.live) this.seek(this.start);
    this.playing = true;
    this._tell("state");
    let before = performance.now();
    const tick = (now) => {
      if (!this.playing) return;
      const elapsed = Math.min(now - before, 250) / 1000; // a suspended page resumes at its time
      before = now;
      this._advance(elapsed * this.speed);
      requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
  }

  _advance(seconds) {
    const next = this.time + seconds;
    if (next < this.end || this.live) this.seek(Math.min(next, this.end));
    else if (this.loop && this.end > this.start) this.seek(this.start);
    else {
      this.seek(this.end);
      this.pause();
    }
  }

  pause() {
    if (!this.playing) return;
    this.playing = false;
    this._tell("state");
  }

  toggle() { if (this.playing) this.pause(); else this.play(); }

  /** Go to a time, s. */
  seek(time) {
    this.time = Math.min(Math.max(time, this.start), this.end);
    this._tell("time");
  }

  setSpeed(speed) { this.speed = speed; this._tell("state"); }

  setLoop(loop) { this.loop = loop; this._tell("state"); }

  /** Step forward (or back) by samples. */
  stepSample(by) {
    this.pause();
    if (!this.playback?.samples) return;
    const i = this.playback.indexAt(this.time);
    // between two samples, the previous one is a step back
    const whole = this.time - this.playback.timeOf(i) < 1e-6;
    this.seek(this.playback.timeOf(i + by + (by < 0 && !whole ? 1 : 0)));
  }

  /** Step forward (or back) by controller ticks. */
  stepTick(by) {
    this.pause();
    this.seek(this.time + by * (this.playback?.tick ?? 0.002));
  }

  /** Go to the start of the next (or previous) phase, or controller run with "visit". */
  stepPhase(by, kind = "phase") {
    this.pause();
    const begins = (this.playback?.stretches(kind) ?? []).map((stretch) => stretch.from);
    const next = by > 0 ? begins.find((at) => at > this.time + 1e-6) : begins.findLast((at) => at < this.time - 1e-6);
    this.seek(next ?? (by > 0 ? this.end : this.start));
  }

  /**
   * Handle keys pressed in an element, except in text fields.
   *
   * @param {HTMLElement} element
   */
  bindKeys(element) {
    element.addEventListener("keydown", (event) => {
      const target = event.target;
      const typed = target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName);
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || (typed && target.type !== "range")) return;
      if (event.key === " " && target.closest("button, summary, a, [role=button]")) return; // the key activates the element
      const act = this._actOf(event);
      if (!act) return;
      event.preventDefault();
      act();
    });
  }

  _actOf(event) {
    const back = event.shiftKey ? () => this.stepPhase(-1) : () => this.stepSample(-1);
    const on = event.shiftKey ? () => this.stepPhase(1) : () => this.stepSample(1);
    const faster = (by) => () => this.setSpeed(SPEEDS[Math.min(Math.max(nearestSpeed(this.speed) + by, 0), SPEEDS.length - 1)]);
    return {
      " ": () => this.toggle(), ArrowLeft: back, ArrowRight: on, ",": () => this.stepTick(-1), ".": () => this.stepTick(1),
      PageUp: () => this.stepPhase(-1, "visit"), PageDown: () => this.stepPhase(1, "visit"),
      Home: () => this.seek(this.start), End: () => this.seek(this.end), l: () => this.setLoop(!this.loop),
      "[": faster(-1), "]": faster(1),
    }[event.key];
  }

  _tell(name) { this.dispatchEvent(new Event(name)); }
}

function nearestSpeed(speed) {
  let best = 0;
  SPEEDS.forEach((each, k) => { if (Math.abs(each - speed) < Math.abs(SPEEDS[best] - speed)) best = k; });
  return best;
}

/** Descriptions of the keys. */
export const KEYS = [
  ["Space", "play, pause"], ["← →", "one sample"], [", .", "one tick of the controller"], ["Shift ← →", "one phase"],
  ["Page ↑ ↓", "one node"], ["Home End", "beginning, end"], ["[ ]", "slower, faster"], ["L", "loop"],
  ["+ − 0", "zoom, in the picture"],
];

/** Descriptions of the keys and movements of the mouse for pictures in space. */
export const VIEW_KEYS = [["1 to 5", "views"], ["drag", "turn the picture"], ["Shift drag", "move the picture"]];

/** Return the buttons of a figure's views, if it has several. */
export function viewButtons(figure) {
  const { VIEWS: views } = figure.constructor;
  if (!views.length) return [];
  const bar = make("div", { className: "cg-views" });
  for (const name of views) {
    const button = make("button", { type: "button", className: "cg-button", textContent: name });
    button.addEventListener("click", () => figure.setView(name));
    bar.append(button);
  }
  return [bar];
}

const ICONS = {
  play: "M4 2.5v11l9-5.5z", pause: "M4 3h3v10H4zM9 3h3v10H9z", back: "M11 3L5 8l6 5zM3.5 3v10", on: "M5 3l6 5-6 5zM12.5 3v10",
  phaseBack: "M13 3L8 8l5 5zM8 3L3 8l5 5z", phaseOn: "M3 3l5 5-5 5zM8 3l5 5-5 5z",
  loop: "M3 8a4 4 0 0 1 4-4h5M10 2l2.5 2L10 6M13 8a4 4 0 0 1-4 4H4M6 10l-2.5 2L6 14",
};

/** Buttons, a slider, the time and the speed of a player. */
export class Controls {
  /**
   * @param {HTMLElement} element container
   * @param {Player} player
   * @param {{small?: boolean}} [options] small: play button and slider only
   */
  constructor(element, player, { small = false } = {}) {
    this.player = player;
    element.classList.add("cg-controls");
    const row = (children) => element.append(...children);
    this._play = iconButton("play", "Play", () => player.toggle());
    const phases = small ? [] : [
      iconButton("phaseBack", "Previous phase", () => player.stepPhase(-1)),
      iconButton("back", "Previous sample", () => player.stepSample(-1)),
    ];
    const on = small ? [] : [
      iconButton("on", "Next sample", () => player.stepSample(1)),
      iconButton("phaseOn", "Next phase", () => player.stepPhase(1)),
    ];
    this._slider = make("input", { type: "range", className: "cg-slider", min: 0, max: 1, step: "any" });
    this._slider.setAttribute("aria-label", "Time");
    this._slider.addEventListener("input", () => player.seek(Number(this._slider.value)));
    this._clock = make("output", { className: "cg-clock" });
    row([...phases, this._play, ...on, this._slider, this._clock]);
    if (!small) {
      this._loop = iconButton("loop", "Loop", () => player.setLoop(!player.loop));
      this._speed = make("select", { className: "cg-speed" });
      this._speed.setAttribute("aria-label", "Speed");
      for (const speed of SPEEDS) this._speed.append(make("option", { value: speed, textContent: `${speed}×` }));
      this._speed.addEventListener("change", () => player.setSpeed(Number(this._speed.value)));
      row([this._loop, this._speed]);
    }
    player.addEventListener("time", () => this._showTime());
    player.addEventListener("state", () => this._showState());
    this._showState();
    this._showTime();
  }

  _showTime() {
    const { player } = this;
    this._slider.value = player.time;
    this._clock.textContent = `${player.time.toFixed(2)} / ${player.end.toFixed(2)} s`;
    this._slider.setAttribute("aria-valuetext", `${player.time.toFixed(2)} s`);
  }

  _showState() {
    const { player } = this;
    [this._slider.min, this._slider.max] = [player.start, player.end];
    setIcon(this._play, player.playing ? "pause" : "play", player.playing ? "Pause" : "Play");
    this._loop?.setAttribute("aria-pressed", player.loop);
    if (this._speed) this._speed.value = SPEEDS[nearestSpeed(player.speed)];
    this._showTime();
  }
}

/** Return a button with an icon. */
export function iconButton(icon, label, act) {
  const button = make("button", { type: "button", className: "cg-button" });
  setIcon(button, icon, label);
  button.addEventListener("click", act);
  return button;
}

function setIcon(button, icon, label) {
  if (button.dataset.icon === icon) return;
  button.dataset.icon = icon;
  button.title = label;
  button.setAttribute("aria-label", label);
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 16 16");
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  path.setAttribute("d", ICONS[icon]);
  if (icon === "loop") path.setAttribute("fill", "none");
  svg.append(path);
  button.replaceChildren(svg);
}

/** Return an element with these properties and children; strings become text nodes. */
export function make(tag, properties = {}, ...children) {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
}
