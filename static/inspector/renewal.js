// When a person is erased, the texts of all events that are held are asked for anew: the person's do not come again.

const RANGE_EVENTS = 200; // what the server sends at once

export class Renewal {
  // shown(): called when all answers are there.
  constructor(model, stream, shown) {
    this.model = model;
    this.stream = stream;
    this.shown = shown;
    this.ends = new Set(); // last numbers of the ranges that are not answered
  }

  begin() {
    this.ends.clear();
    let from = Infinity;
    for (const seq of this.model.held) {
      if (seq > from) continue;
      from = Math.max(seq - RANGE_EVENTS, 0);
      this.ends.add(seq);
      this.stream.load(from, seq);
    }
  }

  // The answers were lost with the connection.
  resume() {
    if (this.ends.size) this.begin();
  }

  // Take an answer; say whether it was one of these. A gap never ends where a held event is.
  take(events, until) {
    if (!this.ends.delete(until)) return false;
    this.model.renew(events);
    if (!this.ends.size) this.shown();
    return true;
  }
}
