// The event stream: one websocket at a time, resumed by the last number seen, without gaps or doubles.

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 8000;
const SILENCE_MS = 15000; // the server gives a sign of life every five seconds
const FINAL = new Map([
  [4401, "You are signed out. Sign in again and reload this page."],
  [4403, "You may no longer watch this tenant."],
  [4400, "This page and the server do not understand each other. Reload it."],
]);

export class Stream {
  // on: {events(list, now), gap(first, last), loaded(list, after, until), reset(), state(name, detail)}
  constructor(tenant, on) {
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    this.url = `${scheme}//${location.host}/ws/events/?tenant=${encodeURIComponent(tenant)}`;
    this.on = on;
    this.lastSeq = null;
    this.pauseMs = FIRST_PAUSE_MS;
    this.lostAt = null;
  }

  open() {
    this.on.state("connecting");
    const socket = new WebSocket(this.url, "mneme.events.v1");
    this.socket = socket;
    socket.onopen = () => socket.send(JSON.stringify({ type: "start", last_seq: this.lastSeq }));
    socket.onmessage = (message) => socket === this.socket && this.#take(JSON.parse(message.data));
    socket.onclose = (closed) => socket === this.socket && this.#lose(closed.code);
    this.#watch();
  }

  load(after, until) {
    if (this.socket?.readyState === WebSocket.OPEN) {
      this.socket.send(JSON.stringify({ type: "load", after, until }));
      return true;
    }
    return false;
  }

  #take(message) {
    this.#watch();
    this.pauseMs = FIRST_PAUSE_MS;
    this.lostAt = null;
    this.on.state("live");
    if (message.type === "events") {
      const fresh = message.events.filter((event) => this.lastSeq === null || event.seq > this.lastSeq);
      if (fresh.length) {
        this.lastSeq = fresh[fresh.length - 1].seq;
        this.on.events(fresh, message.now);
      }
    } else if (message.type === "too_old") {
      this.lastSeq = message.last;
      this.on.gap(message.first, message.last);
    } else if (message.type === "loaded") {
      this.on.loaded(message.events, message.after, message.until);
    } else if (message.type === "reset") {
      this.lastSeq = null;
      this.on.reset();
    } else if (message.type === "alive") {
      this.lastSeq ??= message.seq;
    }
  }

  #lose(code) {
    clearTimeout(this.silence);
    if (FINAL.has(code)) {
      this.on.state("ended", FINAL.get(code));
      return;
    }
    this.lostAt ??= Date.now();
    this.on.state("lost");
    const pause = this.pauseMs * (0.75 + Math.random() / 2);
    this.pauseMs = Math.min(this.pauseMs * 2, LONGEST_PAUSE_MS);
    setTimeout(() => this.open(), pause);
  }

  #watch() {
    clearTimeout(this.silence);
    const socket = this.socket;
    this.silence = setTimeout(() => {
      if (socket === this.socket) {
        this.socket = null; // its close may take a minute; nothing of it is taken any more
        socket.close();
        this.#lose(0);
      }
    }, SILENCE_MS);
  }
}
