/**
 * The socket to the server. It is reopened when it is lost.
 *
 * @module connection
 */

const FIRST_WAIT_MS = 150;
const LONGEST_WAIT_MS = 2000;
const WRONG_TOKEN = 4401;
const KEY = "ctrlgraph-token";

/** Return the token in the page's address. The tab remembers it. */
function tokenOfPage() {
  const given = location.hash.slice(1);
  if (given) sessionStorage.setItem(KEY, given);
  return given || sessionStorage.getItem(KEY) || "";
}

/**
 * Fires "message" (detail: the message, with `data` for samples), "open", and "lost" (detail: `reason`, and `locked`: whether
 * the server has rejected the token).
 */
export class Connection extends EventTarget {
  constructor() {
    super();
    this._token = tokenOfPage();
    this._wait = FIRST_WAIT_MS;
    this._head = null;
    this.open = false;
    addEventListener("online", () => this._again(0));
    document.addEventListener("visibilitychange", () => { if (!document.hidden && !this.open) this._again(0); });
  }

  connect() {
    clearTimeout(this._timer);
    const socket = this._socket = new WebSocket(`ws://${location.host}/live`);
    socket.binaryType = "arraybuffer";
    this._head = null;
    socket.addEventListener("open", () => socket.send(JSON.stringify({ type: "hello", token: this._token })));
    socket.addEventListener("message", (event) => this._take(event.data));
    socket.addEventListener("close", (event) => {
      if (socket !== this._socket) return;
      this.open = false;
      const stays = event.code === WRONG_TOKEN;
      this._tell("lost", { locked: stays, reason: stays ? "Access denied" : "Connection lost; trying again …" });
      if (!stays) this._again(this._wait);
      this._wait = Math.min(2 * this._wait, LONGEST_WAIT_MS);
    });
  }

  /** Send a message if there is a connection; return whether there is. */
  send(message) {
    if (!this.open || this._socket.readyState !== WebSocket.OPEN) return false;
    this._socket.send(JSON.stringify(message));
    return true;
  }

  _again(wait) {
    clearTimeout(this._timer);
    this._timer = setTimeout(() => { if (!this.open && this._socket.readyState >= WebSocket.CLOSING) this.connect(); }, wait);
  }

  _take(data) {
    if (data instanceof ArrayBuffer) {
      const head = this._head;
      this._head = null;
      if (head) this._tell("message", { ...head, data });
      return;
    }
    const message = JSON.parse(data);
    if (message.type === "samples") {
      this._head = message; // its samples follow
      return;
    }
    if (message.type === "welcome") {
      this.open = true;
      this._wait = FIRST_WAIT_MS;
      this._tell("open", message);
    }
    this._tell("message", message);
  }

  _tell(name, detail) { this.dispatchEvent(new CustomEvent(name, { detail })); }
}
