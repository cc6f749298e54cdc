// Called to the board: the bar of a match that has opened, its clock, its sound and the title of the page; and going
// there by itself, where that is preferred. A match one has been to calls without going and without a sound.

const bare = document.title;
const going = 3000;
/** @type {ReturnType<typeof setInterval> | undefined} */
let ticking;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let leaving;
const bar = () => /** @type {HTMLElement} */ (document.getElementById("called"));
const idOf = (/** @type {HTMLElement} */ b) => (b.dataset.mark ?? "").split(" ")[0];

/** Ids that this browser remembers in a list, or this page where the browser keeps nothing. @type {Record<string, string[]>} */
const known = {};
/** @param {string} list @returns {string[]} */
function kept(list) {
  try {
    known[list] = JSON.parse(localStorage.getItem(list) ?? "[]");
  } catch { /* known as far as this page knows */ }
  return known[list] ?? [];
}

/** Whether an id is new to a list, which knows it from now on. @param {string} list @param {string} id */
function isNew(list, id) {
  const all = kept(list);
  if (all.includes(id)) return false;
  known[list] = [...all.slice(-9), id];
  try {
    localStorage.setItem(list, JSON.stringify(known[list]));
  } catch { /* see kept */ }
  return true;
}

/** Whether going away now would take something from somebody. */
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

async function call() {
  const b = bar(), id = idOf(b);
  clearInterval(ticking);
  clearTimeout(leaving);
  leaving = undefined;
  if (!document.getElementById("match")) document.title = id ? `● ${b.querySelector("b")?.textContent} · ${bare}` : bare;
  if (!id) return;
  // What cannot be loaded just now, in a connection that breaks, keeps nobody from being called.
  const [clocks, sound] = await Promise.all([import("./clocks.js").catch(() => null), import("./sound.js").catch(() => null)]);
  clocks?.look(b);
  clocks?.tick(b);
  if (clocks) ticking = setInterval(() => clocks.tick(b), 500);
  if (sound && isNew("chpok.heard", id)) sound.play("call");
  leave();
}

const own = location.pathname.match(/^\/matches\/([^/]+)$/);
if (own) isNew("chpok.been", own[1]);
document.addEventListener("feed:swapped", (event) => {
  if (/** @type {CustomEvent<Element[]>} */ (event).detail.includes(bar())) call();
});
document.addEventListener("visibilitychange", leave);
call();
