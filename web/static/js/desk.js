// The desk by keyboard: a row, then who has won. Every key has a button.

import { cap } from "./cap.js";

/** @type {Record<string, string>} */
const taps = { 1: "1", 5: "5", "=": "5", 0: "0" };
const rows = () => /** @type {HTMLElement[]} */ ([...document.querySelectorAll(":is(#desk-round, #desk-groups) li.is-open")]);

/** The row that the keys are about. */
function current() {
  return document.activeElement?.closest("[data-desk-board]");
}

/** @param {number} step */
function go(step) {
  const list = rows();
  const row = current();
  const at = row ? list.indexOf(/** @type {HTMLElement} */ (row)) : -1;
  const next = list[row ? Math.min(Math.max(at + step, 0), list.length - 1) : 0];
  next?.querySelector("button")?.focus();
}

/** Opens who has not come, of the row that the keys are about. */
function forfeits() {
  const menu = current()?.querySelector("details.forfeits");
  menu?.setAttribute("open", "");
  menu?.querySelector("button")?.focus();
}

document.addEventListener("keydown", (event) => {
  const target = /** @type {Element} */ (event.target);
  if (event.ctrlKey || event.metaKey || event.altKey || target.closest("input, select, textarea, details.menu[open]")) return;
  const key = cap(event).toLowerCase();
  const tap = taps[key];
  if (tap) {
    const row = current();
    if (!row) return;
    document.getElementById(`tap-${tap}-${row.id.slice("board-".length)}`)?.click();
  } else if (key === "arrowdown" || key === "j") go(1);
  else if (key === "arrowup" || key === "k") go(-1);
  else if (key === "u") document.getElementById("undo")?.click();
  else if (key === "n") document.getElementById("next-button")?.focus();
  else if (key === "f") forfeits();
  else if (key === "c") /** @type {HTMLElement | null} */ (document.querySelector("#desk-calls :is(a, button)"))?.focus();
  else if (key === "?") /** @type {HTMLElement | null} */ (document.querySelector("#desk-keys > summary"))?.click();
  else return;
  event.preventDefault();
});

// The keys stand below the rows: whoever asks for them sees them.
document.getElementById("desk-keys")?.addEventListener("toggle", (event) => {
  const keys = /** @type {HTMLDetailsElement} */ (event.target);
  if (keys.open) keys.scrollIntoView({ block: "end", behavior: "instant" });
});

// After a result the cursor stands at the next board that is open.
const asked = new URLSearchParams(location.search);
const entered = asked.get("entered");
if (entered) {
  const board = Number(entered.split("-")[1]);
  const group = asked.get("group");
  const near = group ? rows().filter((row) => row.closest(`[data-group="${CSS.escape(group)}"]`)) : rows();
  const next = near.find((row) => Number(row.id.replace(/^\D+/, "")) > board) ?? near[0] ?? rows()[0];
  next?.querySelector("button")?.focus({ preventScroll: true });
  next?.scrollIntoView({ block: "center", behavior: "instant" });
  history.replaceState(null, "", location.pathname);
}
