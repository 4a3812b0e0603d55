// The detail pane: one event, all that the server sent of it.

import { make, moment } from "./dom.js";
import { kindOf } from "./kinds.js";

export function showDetail(body, event, close) {
  const kind = kindOf(event);
  const button = make("button", { type: "button" }, "Close");
  button.addEventListener("click", close);
  body.replaceChildren(
    make(
      "div",
      { class: "detail-head" },
      make("h3", {}, make("span", { class: `glyph ${kind.tone}`, "aria-hidden": "true" }, kind.glyph), kind.word),
      button,
    ),
    facts([
      ["Event", `#${event.seq}`],
      ["Kind", event.kind],
      ["When", make("time", { datetime: event.at }, moment(event.at))],
      ["By", event.staff ?? event.actor],
      ...Object.entries(event.data).filter(([name]) => !(event.staff && name === "staff_id")).map(([name, value]) => [name.replaceAll("_", " "), plain(value)]),
    ]),
    ...event.object_ids.map((id) => objectCard(id, event.objects[id])),
    event.more ? make("p", { class: "hint" }, `and ${event.more} more that this page does not list`) : "",
    make("details", {}, make("summary", {}, "JSON"), make("pre", { tabindex: "0" }, JSON.stringify(event, null, 2))),
  );
}

function objectCard(id, row) {
  const card = make("article", { class: "object" }, make("p", { class: "id" }, id));
  if (!row) {
    card.append(make("p", { class: "none" }, "nothing to show: not a turn or memory, erased, or hidden from you"));
    return card;
  }
  const { type, text, shortened, turn_id: turn, ...rest } = row;
  card.prepend(make("h4", {}, type === "turn" ? "Turn" : `Memory, ${row.memory_type ?? ""}`));
  if (text !== undefined) card.append(make("p", { class: "said", dir: "auto" }, shortened ? `${text}…` : text));
  const listed = Object.entries(rest).filter(([name, value]) => name !== "memory_type" && value !== null && value !== "");
  card.append(facts([...listed.map(([name, value]) => [name.replaceAll("_", " "), plain(value)]), ...(turn ? [["from turn", turn]] : [])]));
  return card;
}

function facts(pairs) {
  return make("dl", { class: "facts" }, ...pairs.map(([name, value]) => make("div", {}, make("dt", {}, name), make("dd", { dir: "auto" }, value))));
}

function plain(value) {
  if (value === null) return "none";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
