// Single keys, which can be switched off: who speaks to the page would press them by accident.

const KEPT_AS = "mneme.inspector.keys";

export function listenToKeys(act) {
  const box = document.getElementById("keys-on");
  box.checked = localStorage.getItem(KEPT_AS) !== "off";
  box.addEventListener("change", () => localStorage.setItem(KEPT_AS, box.checked ? "on" : "off"));
  document.addEventListener("keydown", (press) => {
    if (press.ctrlKey || press.metaKey || press.altKey || press.isComposing) return;
    if (document.querySelector("dialog[open]")) return;
    if (press.key === "Escape") act.close();
    if (!box.checked || press.target.matches("input, textarea, select, summary, pre")) return;
    const does = {
      j: () => move(1),
      k: () => move(-1),
      l: act.jump,
      "?": act.help,
      " ": press.target.matches("button, a") && !press.target.matches(".row") ? null : act.toggle,
    }[press.key.length === 1 ? press.key.toLowerCase() : ""];
    if (does) {
      press.preventDefault();
      does();
    }
  });
}

function move(step) {
  const rows = [...document.querySelectorAll(".row")].filter((row) => row.offsetParent !== null);
  const here = rows.indexOf(document.activeElement);
  const next = here < 0 ? 0 : Math.min(Math.max(here + step, 0), rows.length - 1);
  rows[next]?.focus();
}
