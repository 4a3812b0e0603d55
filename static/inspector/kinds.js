// What each kind of event is called, its glyph, and the family by which it is filtered. Unknown kinds are shown too.

export const FAMILIES = [
  { name: "turns", label: "Turns" },
  { name: "learned", label: "Learned" },
  { name: "changed", label: "Superseded" },
  { name: "gone", label: "Retracted" },
  { name: "recalls", label: "Recalls" },
  { name: "other", label: "Other" },
];

const KINDS = {
  "turn.recorded": { family: "turns", glyph: "●", tone: "episodic", word: "turn recorded" },
  "memory.learned": { family: "learned", glyph: "■", tone: "semantic", word: "learned" },
  "memory.repeated": { family: "learned", glyph: "■", tone: "semantic", word: "said again" },
  "memory.revived": { family: "learned", glyph: "✓", tone: "active", word: "revived" },
  "memory.restored": { family: "learned", glyph: "✓", tone: "active", word: "restored" },
  "memory.superseded": { family: "changed", glyph: "↷", tone: "gone", word: "superseded" },
  "memory.corrected": { family: "changed", glyph: "↷", tone: "gone", word: "corrected" },
  "memory.invalidated": { family: "gone", glyph: "⌛", tone: "gone", word: "no longer true" },
  "memory.weakened": { family: "gone", glyph: "◌", tone: "pending", word: "evidence lost" },
  "memory.retracted": { family: "gone", glyph: "✕", tone: "failed", word: "retracted" },
  "memory.archived": { family: "gone", glyph: "⌛", tone: "gone", word: "archived" },
  "memory.forgotten": { family: "gone", glyph: "✕", tone: "failed", word: "deleted" },
  "summary.made": { family: "learned", glyph: "■", tone: "semantic", word: "summarised" },
  "subject.erasure_begun": { family: "gone", glyph: "✕", tone: "failed", word: "erasing a person" },
  "subject.erased": { family: "gone", glyph: "✕", tone: "failed", word: "person erased" },
  "recall.answered": { family: "recalls", glyph: "◇", tone: "active", word: "recalled" },
  "procedure.outcome": { family: "other", glyph: "▲", tone: "procedural", word: "playbook used" },
};

const TYPES = {
  episodic: { glyph: "●", tone: "episodic" },
  semantic: { glyph: "■", tone: "semantic" },
  procedural: { glyph: "▲", tone: "procedural" },
  working: { glyph: "◆", tone: "working" },
};

export function kindOf(event) {
  const known = KINDS[event.kind];
  if (!known) return { family: "other", glyph: "○", tone: "gone", word: event.kind.replace(".", " ").replaceAll("_", " ") };
  if (event.kind !== "memory.learned" && event.kind !== "memory.repeated") return known;
  const type = event.object_ids.map((id) => event.objects[id]?.memory_type).find(Boolean);
  return { ...known, ...TYPES[type] };
}
