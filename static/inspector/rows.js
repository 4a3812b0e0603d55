// One event as a row, and a group of rows as an item of the list.

import { counted, make, number, seconds, time } from "./dom.js";
import { kindOf } from "./kinds.js";

const TEXTS_MAX = 3;
const COPIES = new Set(["memory.restored", "memory.revived", "memory.invalidated"]); // of a row that says the same

export function groupItem(group, isNew) {
  const first = group.events[0];
  const item = make("li", { class: "group", "data-key": group.key });
  const who = Object.values(first.objects).find((one) => one.session_id);
  if (who && first.kind !== "recall.answered") {
    const names = [who.user_id ?? "shared by all", who.session_id];
    item.append(make("p", { class: `who ${kindOf(first).tone}`, dir: "auto" }, names.join(" · ")));
  }
  const rows = make("ol", { class: "rows" });
  for (const event of group.events) rows.append(rowItem(event, group, isNew(event)));
  item.append(rows);
  return item;
}

export function gapItem(gap, load) {
  const button = make("button", { type: "button" }, "Load");
  button.addEventListener("click", () => load(gap, button));
  const range = gap.first === gap.last ? `Event ${number(gap.first)}` : `Events ${number(gap.first)}–${number(gap.last)}`;
  return make("li", { class: "gap" }, make("span", {}, `${range} not shown`), button);
}

function rowItem(event, group, isNew) {
  const kind = kindOf(event);
  const when = event === group.events[0] ? time(event.at) : make("span", { class: "after" }, `+${seconds(new Date(event.at) - new Date(group.at))}`);
  const button = make(
    "button",
    { type: "button", class: "row", "data-seq": event.seq, "aria-pressed": "false" },
    make("span", { class: "when" }, when),
    make("span", { class: "kind" }, make("span", { class: `glyph ${kind.tone}`, "aria-hidden": "true" }, kind.glyph), kind.word),
    make("span", { class: "texts" }, ...texts(event)),
  );
  return make("li", { class: `event ${kind.tone}${isNew ? " new" : ""}`, "data-family": kind.family }, button);
}

function texts(event) {
  if (event.kind === "turn.recorded") return turnTexts(event);
  if (event.kind === "recall.answered") return recallTexts(event);
  if (event.kind === "memory.superseded" || event.kind === "memory.corrected") return changeTexts(event);
  if (COPIES.has(event.kind)) return someTexts({ ...event, object_ids: event.object_ids.slice(0, 1), more: 0 });
  return someTexts(event);
}

function turnTexts(event) {
  const turns = event.object_ids.map((id) => event.objects[id]).filter((one) => one?.type === "turn");
  const count = event.data.turns ?? turns.length;
  const shown = turns.slice(0, TEXTS_MAX).map((turn) => line(`${turn.speaker || turn.role}: `, turn));
  return [...(shown.length ? shown : [gone()]), ...others(count - Math.max(shown.length, 1), "turn", "turns")];
}

function recallTexts(event) {
  const count = event.data.results ?? event.object_ids.length;
  const words = count ? counted(count, "memory", "memories") : `nothing: ${(event.data.reason ?? "no reason given").replaceAll("_", " ")}`;
  const away = event.data.degraded?.length ? ` · without ${event.data.degraded.join(", ")}` : "";
  const shown = event.object_ids.map((id) => event.objects[id]).filter(Boolean).slice(0, TEXTS_MAX);
  return [make("span", { class: "line count" }, words + away), ...shown.map((one) => line("", one)), ...others(count && count - shown.length, "memory", "memories")];
}

function changeTexts(event) {
  const [fresh, old] = event.object_ids.map((id) => event.objects[id]);
  const how = event.data.contradiction === "harsh" ? "was never true" : event.data.contradiction === "natural" ? "was true until then" : "";
  return [
    make("span", { class: "line", dir: "auto" }, make("ins", {}, fresh ? said(fresh) : "no text")),
    make("span", { class: "line", dir: "auto" }, make("del", {}, old ? said(old) : "no text"), how && make("span", { class: "how" }, how)),
  ];
}

function someTexts(event) {
  const shown = event.object_ids.map((id) => event.objects[id]).filter(Boolean).slice(0, TEXTS_MAX);
  if (shown.length) return [...shown.map((one) => line("", one)), ...others(event.object_ids.length + event.more - shown.length, "other", "others", "")];
  const data = Object.entries(event.data).filter(([, value]) => value !== null && typeof value !== "object");
  const words = data.map(([name, value]) => (name === "staff_id" && event.staff ? `by ${event.staff}` : `${name.replaceAll("_", " ")} ${value}`));
  if (words.length) return [make("span", { class: "line count" }, words.join(" · "))];
  return event.kind.startsWith("memory.") ? [gone()] : [];
}

function line(before, row) {
  return make("span", { class: "line", dir: "auto" }, before && make("span", { class: "speaker" }, before), said(row));
}

function said(row) {
  if (row.text === undefined) return "text hidden from you";
  return row.shortened ? `${row.text}…` : row.text;
}

function gone() {
  return make("span", { class: "line none" }, "no text: erased, or hidden from you");
}

function others(count, one, many, more = " more") {
  return count > 0 ? [make("span", { class: "line count" }, `and ${counted(count, one, many)}${more}`)] : [];
}
