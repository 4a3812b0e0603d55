// The live page: the stream feeds the model, the model is shown; a reader who looks closer is never moved.

import { showDetail } from "./detail.js";
import { counted, make, number, seconds } from "./dom.js";
import { listenToKeys } from "./keys.js";
import { FAMILIES } from "./kinds.js";
import { Model } from "./model.js";
import { Renewal } from "./renewal.js";
import { gapItem, groupItem } from "./rows.js";
import { Stream } from "./stream.js";

const DRAW_MS = 250;
const LOAD_EVENTS = 200;
const LAG_SHOWN_MS = 10000;
const AMBER_MS = 5000;
const ANNOUNCE_MS = 5000;
const ERASURES = new Set(["subject.erasure_begun", "subject.erased"]);

const at = (id) => document.getElementById(id);
const model = new Model();
const place = new URL(location.href);
const page = {
  isPaused: place.searchParams.has("paused"),
  hidden: new Set((place.searchParams.get("hide") ?? "").split(",").filter(Boolean)),
  selected: Number(place.searchParams.get("sel")) || null,
  waiting: 0, // events that came while paused
  fresh: new Set(), // numbers of events not drawn before
  toAnnounce: 0,
  connection: "connecting",
  ended: "",
  lagMs: 0,
  lagAt: 0,
  drawing: null,
  drawn: new Map(), // key of a group or gap, with what it holds -> its element
  losses: 0,
};

const stream = new Stream(at("panes").dataset.tenant, {
  events(events, now) {
    const isFirst = model.size === 0;
    if (isFirst && events[0].seq > 1) model.addGap(1, events[0].seq - 1);
    model.add(events);
    if (!isFirst) {
      page.toAnnounce += events.length;
      for (const event of events) page.fresh.add(event.seq);
    }
    if (page.isPaused) page.waiting += isFirst ? 0 : events.length;
    if (events.some((event) => ERASURES.has(event.kind))) renewal.begin();
    if (isFirst) {
      drawNow();
      reopen();
    } else {
      page.lagMs = Math.max(new Date(now) - new Date(events[events.length - 1].at), 0);
      page.lagAt = Date.now();
      if (!page.isPaused) draw();
    }
    showState();
  },
  gap(first, last) {
    model.addGap(first, last);
    renewal.begin(); // an erasure may be among what was not sent
    draw();
  },
  loaded(events, after, until) {
    if (renewal.take(events, until)) return;
    model.fill(events, after, until);
    draw();
  },
  reset() {
    model.clear();
    draw();
  },
  state(name, detail = "") {
    if (name !== page.connection && (name === "live" || name === "lost")) {
      if (name === "lost") page.losses += 1;
      if (!page.isPaused) draw();
    }
    const isBack = name === "live" && page.connection !== "live";
    page.connection = name;
    if (isBack) renewal.resume();
    page.ended = detail;
    showState();
  },
});

const renewal = new Renewal(model, stream, showRenewed);

// A reader who looks closer is not moved: what came while paused stays out.
function showRenewed() {
  drawNow(page.isPaused ? new Set([...at("groups").children].map((item) => item.dataset.key)) : null);
  const event = page.selected === null ? null : model.find(page.selected);
  if (event) showDetail(at("detail-body"), event, close);
}

function draw() {
  page.drawing ??= setTimeout(() => {
    page.drawing = null;
    drawNow();
  }, DRAW_MS);
}

// What has not changed stays the element it was: a press, a selection and the focus on it outlive the drawing.
// only: keys of the groups to keep to; null = all.
function drawNow(only = null) {
  const focused = document.activeElement?.dataset?.seq;
  const drawn = new Map();
  let here = at("groups").firstElementChild;
  for (const item of model.items) {
    if (only && !item.gap && !only.has(item.key)) continue;
    const [key, build] = item.gap ? gapOf(item.gap) : groupOf(item);
    const element = page.drawn.get(key) ?? build();
    drawn.set(key, element);
    if (element === here) here = here.nextElementSibling;
    else at("groups").insertBefore(element, here);
  }
  const kept = new Set(drawn.values());
  for (const element of [...at("groups").children]) if (!kept.has(element)) element.remove();
  page.drawn = drawn;
  page.fresh.clear();
  at("empty").hidden = model.hasTurns || page.connection === "connecting";
  filter();
  mark();
  if (focused && document.activeElement === document.body) rowOf(focused)?.focus({ preventScroll: true });
}

function groupOf(group) {
  return [`${group.key} ${group.seq} ${group.events.length} ${group.version}`, () => groupItem(group, (event) => page.fresh.has(event.seq))];
}

function gapOf(gap) {
  // Built anew after a loss of the connection, which may have taken an answer along.
  return [`gap ${gap.first} ${gap.last} ${page.losses}`, () => gapItem(gap, load)];
}

function reopen() {
  if (page.selected === null) return;
  const seq = page.selected;
  page.selected = null;
  select(seq);
  keepPlace();
}

function load(gap, button) {
  const after = Math.max(gap.first - 1, gap.last - LOAD_EVENTS);
  if (stream.load(after, gap.last)) {
    button.disabled = true;
    button.textContent = "Loading …";
  }
}

function pause() {
  if (page.isPaused) return;
  page.isPaused = true;
  keepPlace();
  showState();
}

function goOn() {
  page.isPaused = false;
  page.waiting = 0;
  drawNow();
  keepPlace();
  showState();
}

function jump() {
  close();
  goOn();
  scrollTo({ top: 0, behavior: "instant" });
}

function select(seq) {
  const event = model.find(seq);
  if (!event) return;
  page.selected = seq;
  pause();
  showDetail(at("detail-body"), event, close);
  at("detail-body").hidden = false;
  at("detail-hint").hidden = true;
  mark();
  keepPlace();
  if (matchMedia("(max-width: 899px)").matches) at("detail").scrollIntoView({ block: "start" });
}

function close() {
  if (page.selected === null) return;
  const row = rowOf(page.selected);
  page.selected = null;
  at("detail-body").hidden = true;
  at("detail-hint").hidden = false;
  mark();
  keepPlace();
  row?.focus();
}

function mark() {
  for (const row of document.querySelectorAll(".row")) {
    row.setAttribute("aria-pressed", String(Number(row.dataset.seq) === page.selected));
  }
}

function rowOf(seq) {
  return document.querySelector(`.row[data-seq="${Number(seq)}"]`);
}

function filter() {
  for (const group of document.querySelectorAll(".group")) {
    const rows = [...group.querySelectorAll(".event")];
    for (const row of rows) row.hidden = page.hidden.has(row.dataset.family);
    group.hidden = rows.every((row) => row.hidden);
  }
}

function showFilters() {
  for (const { name, label } of FAMILIES) {
    const box = make("input", { type: "checkbox", checked: !page.hidden.has(name) });
    box.addEventListener("change", () => {
      if (box.checked) page.hidden.delete(name);
      else page.hidden.add(name);
      filter();
      keepPlace();
    });
    at("filters").append(make("label", {}, box, label));
  }
}

function showState() {
  const [level, words] = stateNow();
  const state = at("state");
  if (state.textContent !== words) state.textContent = words;
  state.dataset.level = level;
  at("pause").textContent = page.isPaused ? "Go on" : "Pause";
  at("pause").setAttribute("aria-pressed", String(page.isPaused));
  at("jump").textContent = page.waiting ? `Jump to live, ${number(page.waiting)} new` : "Jump to live";
}

function stateNow() {
  if (page.connection === "ended") return ["lost", page.ended];
  if (page.connection !== "live") {
    if (stream.lostAt === null) return ["wait", "Connecting …"];
    return ["lost", `Disconnected ${Math.round((Date.now() - stream.lostAt) / 1000)} s, retrying`];
  }
  if (page.isPaused) return ["paused", page.waiting ? `Paused, ${number(page.waiting)} new` : "Paused"];
  if (page.lagMs < 60000 && Date.now() - page.lagAt < LAG_SHOWN_MS) {
    return [page.lagMs >= AMBER_MS ? "late" : "live", `Live, ${seconds(page.lagMs)} behind`];
  }
  return ["live", "Live"];
}

function announce() {
  if (page.toAnnounce) {
    at("announce").textContent = counted(page.toAnnounce, "new event", "new events");
    page.toAnnounce = 0;
  }
}

function keepPlace() {
  const set = (name, value) => (value ? place.searchParams.set(name, value) : place.searchParams.delete(name));
  set("paused", page.isPaused ? "1" : "");
  set("hide", [...page.hidden].join(","));
  set("sel", page.selected ? String(page.selected) : "");
  history.replaceState(null, "", place);
}

at("groups").addEventListener("click", (click) => {
  const row = click.target.closest(".row");
  if (row) select(Number(row.dataset.seq));
});
at("pause").addEventListener("click", () => (page.isPaused ? goOn() : pause()));
at("jump").addEventListener("click", jump);
at("help-open").addEventListener("click", () => at("help").showModal());
addEventListener("scroll", () => scrollY > 80 && pause(), { passive: true });
listenToKeys({ toggle: () => at("pause").click(), jump, close, help: () => at("help").showModal() });
setInterval(showState, 1000);
setInterval(announce, ANNOUNCE_MS);
showFilters();
stream.open();
