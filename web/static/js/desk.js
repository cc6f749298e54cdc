// The desk by keyboard: a row, then who has won. Every key has a button.

import { cap } from "./cap.js";
import { swap } from "./feed.js";

/** @type {Record<string, string>} */
const taps = { 1: "1", 5: "5", "=": "5", 0: "0" };
const rows = () => /** @type {HTMLElement[]} */ ([...document.querySelectorAll(":is(#desk-round, #desk-groups) li.is-open:not([hidden])")]);

/** What is shown, and what is looked for: a board's number, or a part of a name. */
let shown = sessionStorage.getItem("desk.show") ?? "all";
let wanted = "";

/** @param {Element} row */
function kind(row) {
  if (row.matches(".is-done")) return "done";
  return row.matches(".is-open, .is-late, :has(.needed)") ? "todo" : "playing";
}

/** @param {Element} row */
function isWanted(row) {
  if (!wanted) return true;
  const number = row.id.slice("board-".length).toLowerCase();
  if (/^\d+$/.test(wanted)) return number === wanted;
  return number === wanted || [...row.querySelectorAll(".side")].some((side) => (side.textContent ?? "").toLowerCase().includes(wanted));
}

/** Shows the boards that are asked for, and how many there are of each kind. */
function sift() {
  const boards = /** @type {HTMLElement[]} */ ([...document.querySelectorAll("[data-desk-board]:not(.is-draft)")]);
  const sifts = document.querySelector(".desk-sift") !== null; // where there are more than are seen at once
  if (sifts && !boards.some((row) => shown === "all" || kind(row) === shown)) shown = "all"; // the last of them is done
  for (const row of boards) row.hidden = sifts && !(isWanted(row) && (shown === "all" || kind(row) === shown));
  for (const button of /** @type {NodeListOf<HTMLButtonElement>} */ (document.querySelectorAll(".desk-sift [data-which]"))) {
    const show = button.dataset.which, count = boards.filter((row) => show === "all" || kind(row) === show).length;
    button.setAttribute("aria-pressed", String(show === shown));
    button.disabled = !count;
    const text = button.querySelector(".count");
    if (text) text.textContent = String(count);
  }
}

/** The field by which one finds a board; null where all are seen at once. */
const finder = () => /** @type {HTMLInputElement | null} */ (document.querySelector(".desk-sift #desk-find"));

document.addEventListener("click", (event) => {
  const button = /** @type {Element} */ (event.target).closest("[data-which]");
  if (!(button instanceof HTMLButtonElement)) return;
  shown = button.dataset.which ?? "all";
  sessionStorage.setItem("desk.show", shown);
  sift();
});
document.addEventListener("input", (event) => {
  const field = /** @type {HTMLInputElement} */ (event.target);
  if (field.id !== "desk-find") return;
  wanted = field.value.trim().toLowerCase();
  sift();
});
document.addEventListener("keydown", (event) => {
  if (/** @type {Element} */ (event.target).id !== "desk-find" || event.key !== "Enter") return;
  rows()[0]?.querySelector("button")?.focus();
  event.preventDefault();
});
document.addEventListener("feed:swapped", () => {
  const field = finder();
  if (field && document.activeElement !== field) field.value = wanted;
  sift();
});
sift();

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
    moveOn(row.id); // at once: whoever types the results of a stack of slips waits for none
  } else if (key === "arrowdown" || key === "j") go(1);
  else if (key === "arrowup" || key === "k") go(-1);
  else if (key === "u") document.getElementById("undo")?.click();
  else if (key === "n") document.getElementById("next-button")?.focus();
  else if (key === "f") forfeits();
  else if (key === "c") /** @type {HTMLElement | null} */ (document.querySelector("#desk-calls :is(a, button)"))?.focus();
  else if (key === "/" && finder()?.offsetParent) finder()?.focus();
  else if (key === "?") document.getElementById("desk-keys")?.scrollIntoView({ block: "nearest", behavior: "instant" });
  else return;
  event.preventDefault();
});

/** After a result the cursor stands at the next board that is open, of the same group while it has one.
 * @param {string} after id of the row, or its round and board @param {string | null} [group] */
function moveOn(after, group = document.getElementById(after)?.closest("[data-group]")?.getAttribute("data-group")) {
  const number = (/** @type {string} */ id) => Number(/\d*$/.exec(id)?.[0]);
  const list = rows().filter((row) => row.id !== after && !row.querySelector("form[aria-busy]"));
  const near = group ? list.filter((row) => row.closest(`[data-group="${CSS.escape(group)}"]`)) : list;
  const next = near.find((row) => number(row.id) > number(after)) ?? near[0] ?? list[0];
  next?.querySelector("button")?.focus({ preventScroll: true });
  return next;
}

const asked = new URLSearchParams(location.search);
const entered = asked.get("entered");
if (entered) {
  moveOn(entered, asked.get("group"))?.scrollIntoView({ block: "center", behavior: "instant" });
  history.replaceState(null, "", location.pathname);
}

/** What the desk shows of the event. */
const parts = ["desk-toast", "next", "desk-round", "desk-groups", "desk-calls", "control"];
let latest = 0;

// A result is sent without leaving the page, which would hear no key meanwhile; then the desk is shown as it is now.
document.addEventListener("outbox:here", async (event) => {
  const address = /** @type {CustomEvent<string>} */ (event).detail, mine = ++latest;
  try {
    const answer = await fetch(address, { headers: { Accept: "text/html" } });
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    if (mine !== latest) return;
    if (!answer.ok || !page.getElementById("desk-toast")) throw new Error();
    wanted = ""; // the board is found, and has its result
    swap(parts.map((id) => page.getElementById(id)?.outerHTML ?? "").join(""));
  } catch {
    if (mine === latest) location.assign(address);
    return;
  }
  const at = new URL(address, location.href).searchParams, done = at.get("entered");
  if (done && document.activeElement === document.body) moveOn(done, at.get("group"))?.scrollIntoView({ block: "nearest", behavior: "instant" });
});
