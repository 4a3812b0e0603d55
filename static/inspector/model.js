// The model: events reduced into groups, a turn and what became of it. No page here, so the same events give the
// same groups, live or loaded.

export const EVENTS_MAX = 500;
const LOADED_MAX = 2000;

export class Model {
  constructor() {
    this.clear();
  }

  clear() {
    this.groups = new Map(); // key -> {key, seq, at, events: [event, …]}
    this.groupOf = new Map(); // id of a turn or memory -> key
    this.seqs = new Set();
    this.gaps = []; // {first, last}: events that were not sent
    this.max = EVENTS_MAX;
  }

  get size() {
    return this.seqs.size;
  }

  get hasTurns() {
    return [...this.groups.values()].some((group) => group.events.some((event) => event.kind === "turn.recorded"));
  }

  // Groups and gaps, newest first.
  get items() {
    const items = [...this.groups.values(), ...this.gaps.map((gap) => ({ gap, seq: gap.last }))];
    return items.sort((one, other) => other.seq - one.seq);
  }

  // Events in order of their numbers; null where there is no such event here.
  find(seq) {
    for (const group of this.groups.values()) {
      const event = group.events.find((one) => one.seq === seq);
      if (event) return event;
    }
    return null;
  }

  add(events) {
    for (const event of events) {
      if (this.seqs.has(event.seq)) continue;
      this.seqs.add(event.seq);
      const key = this.#keyOf(event);
      const group = this.groups.get(key) ?? { key, seq: event.seq, at: event.at, events: [], version: 0 };
      group.events.push(event);
      group.events.sort((one, other) => one.seq - other.seq);
      group.seq = group.events[0].seq;
      group.at = group.events[0].at;
      this.groups.set(key, group);
    }
    this.#trim();
  }

  addGap(first, last) {
    if (first <= last) this.gaps.push({ first, last });
  }

  // What was loaded lies at the end of its gap, which shrinks.
  fill(events, after, until) {
    this.max = Math.min(this.max + events.length, LOADED_MAX);
    for (const gap of this.gaps) {
      if (gap.last === until) gap.last = after;
    }
    this.gaps = this.gaps.filter((gap) => gap.first <= gap.last);
    this.add(events);
  }

  // Numbers of the events that are held, newest first.
  get held() {
    return [...this.seqs].sort((one, other) => other - one);
  }

  // Events that are held get what the server now says of their objects; a version tells an element that it is old.
  renew(events) {
    for (const event of events) {
      const group = [...this.groups.values()].find((one) => one.events.some((held) => held.seq === event.seq));
      if (!group) continue;
      group.events = group.events.map((held) => (held.seq === event.seq ? event : held));
      group.version += 1;
    }
  }

  #keyOf(event) {
    // A question, or a list that somebody looked at, names many rows and ties none of them together.
    if (event.kind === "recall.answered" || event.kind.endsWith(".listed")) return `seq:${event.seq}`;
    // A memory's own turn comes first: what superseded another belongs to the turn that said so.
    const ids = event.object_ids.flatMap((id) => [event.objects[id]?.turn_id, id]).filter(Boolean);
    const known = ids.find((id) => this.groupOf.has(id));
    const key = known ? this.groupOf.get(known) : `seq:${event.seq}`;
    for (const id of ids) {
      if (!this.groupOf.has(id)) this.groupOf.set(id, key);
    }
    return key;
  }

  #trim() {
    if (this.size <= this.max) return;
    const oldest = [...this.groups.values()].sort((one, other) => one.seq - other.seq);
    for (const group of oldest) {
      if (this.size <= this.max) break;
      this.groups.delete(group.key);
      for (const event of group.events) this.seqs.delete(event.seq);
    }
    for (const [id, key] of this.groupOf) {
      if (!this.groups.has(key)) this.groupOf.delete(id);
    }
    const kept = Math.min(...this.seqs);
    this.gaps = this.gaps.filter((gap) => gap.last >= kept);
  }
}
