// Called to the board: the bar of a match that has opened, its clock, sound and title; and going there, where
// that is preferred. A match one has been to calls without going and without a sound.

const bare = document.title;
const going = 3000;
/** @type {ReturnType<typeof setInterval> | undefined} */
let ticking;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let leaving;
const bar = () => /** @type {HTMLElement} */ (document.getElementById("called"));
const idOf = (/** @type {HTMLElement} */ b) => (b.dataset.mark ?? "").split(" ")[0];

/** Ids in lists that this browser, or else this page, remembers. @type {Record<string, string[]>} */
const known = {};
/** @param {string} list @returns {string[]} */
function kept(list) {
  try {
    known[list] = JSON.parse(localStorage.getItem(list) ?? "[]");
  } catch { /* known as far as this page knows */ }
  return known[list] ?? [];
}

/** Whether a list learns an id. @param {string} list @param {string} id */
function isNew(list, id) {
  const all = kept(list);
  if (all.includes(id)) return false;
  known[list] = [...all.slice(-9), id];
  try {
    localStorage.setItem(list, JSON.stringify(known[list]));
  } catch { /* see kept */ }
  return true;
}

function isBusy() {
  const at = /** @type {HTMLInputElement} */ (document.activeElement), own = /** @type {HTMLElement | null} */ (document.querySelector("#match[data-you]"));
  return Boolean(document.querySelector("dialog[open], :popover-open") || at?.matches("input, textarea") && at.value && !at.matches("[type=checkbox], [type=radio]") ||
    own?.dataset.you && document.getElementById("m-state")?.dataset.status !== "over");
}

function leave() {
  const b = bar(), link = b.querySelector("a"), id = idOf(b);
  if (leaving || !link || document.hidden || !b.hasAttribute("data-goes") || kept("chpok.been").includes(id) || isBusy()) return;
  const note = /** @type {HTMLElement} */ (b.querySelector(".called-going"));
  note.hidden = false;
  leaving = setTimeout(() => { if (!isBusy()) location.assign(link.href); }, going);
  note.querySelector("button")?.addEventListener("click", () => {
    clearTimeout(leaving);
    leaving = undefined;
    note.hidden = true;
    isNew("chpok.been", id);
  });
}

function call() {
  const b = bar(), id = idOf(b);
  clearInterval(ticking);
  clearTimeout(leaving);
  leaving = undefined;
  if (!document.getElementById("match")) document.title = id ? `● ${b.querySelector("b")?.textContent} · ${bare}` : bare;
  if (!id) return;
  // Who is called is called, whatever cannot be loaded.
  import("./clocks.js").then(({ look, tick }) => {
    look(b);
    tick(b);
    clearInterval(ticking);
    ticking = setInterval(() => tick(b), 500);
  }, () => {});
  import("./sound.js").then(({ play }) => { if (isNew("chpok.heard", id)) play("call"); }, () => {});
  leave();
}

const own = location.pathname.match(/^\/matches\/([^/]+)$/);
if (own) isNew("chpok.been", own[1]);
document.addEventListener("feed:swapped", (event) => {
  if (/** @type {CustomEvent<Element[]>} */ (event).detail.includes(bar())) call();
});
document.addEventListener("visibilitychange", leave);
call();
