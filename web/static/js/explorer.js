// The explorer. Every place is an address: what leads to another one, a link, a move on the board or a step, puts the
// parts of its page in place of these. What the engine says comes by a stream, and its moves become arrows.
import "./board.js";
import "./home_row.js";
import { cap } from "./cap.js";
import { swap } from "./feed.js";
import { setUp } from "./set_up.js";

// The analysis page says to match pages of the same browser that it is open: see telemetry.js.
const others = new BroadcastChannel("chpok-pages");
others.onmessage = ({ data }) => { if (data === "match") others.postMessage("analyse"); };
others.postMessage("analyse");

const say = (/** @type {string} */ text) => { const box = document.getElementById("x-say"); if (box) box.textContent = text; };
const root = () => /** @type {HTMLElement} */ (document.getElementById("explorer"));
const board = () => /** @type {any} */ (root().querySelector("chpok-board"));

/** The stream of the place that is shown. @type {EventSource | null} */
let source = null;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let soon;
/** What the engine has said to the end, by address: going back does not ask again. @type {Map<string, string>} */
const known = new Map();

/** Points at what the engine would play, the best first; until it says so, the line's next move stays pointed at. */
function point() {
  const squares = [...root().querySelectorAll(".x-lines [data-squares]")].map((line) => /** @type {HTMLElement} */ (line).dataset.squares);
  if (squares.length) board()?.point(squares);
}

/** Listens to the engine if the place asks it, after a moment: whoever steps fast asks about the last place only. */
function listen(wait = 250) {
  source?.close();
  clearTimeout(soon);
  const address = /** @type {HTMLElement | null} */ (root().querySelector("#x-found[data-tells]"))?.dataset.tells;
  if (!address) { point(); return; }
  const told = known.get(address);
  if (told) { swap(told); point(); return; }
  soon = setTimeout(() => open(address), wait);
}

/** Whether a press led to the place: what the browser asks by itself, for a link, is not held against its reader. */
let pressed = false;
/** @type {string} */
let failing = "";
let failures = 0;

/** @param {string} address */
function open(address) {
  const feed = source = new EventSource(address + (pressed ? `${address.includes("?") ? "&" : "?"}pressed=on` : ""));
  feed.addEventListener("swap", (news) => {
    if (feed !== source) return;
    swap(news.data);
    point();
  });
  feed.addEventListener("end", () => {
    feed.close();
    const found = /** @type {HTMLElement | null} */ (root().querySelector("#x-found")), again = found?.dataset.again;
    if (feed !== source || !found) return;
    if (again) { soon = setTimeout(() => open(address), 1000 * Number(again)); return; }
    if (!found.querySelector(".x-trouble")) known.set(address, (document.getElementById("x-expected")?.outerHTML ?? "") + found.outerHTML);
    say(found.dataset.say ?? "");
  });
  feed.addEventListener("error", () => {
    feed.close();
    failures = failing === address ? failures + 1 : 1;
    failing = address;
    if (feed === source && failures < 4) soon = setTimeout(() => open(address), 4000);
  });
}

/** The place that was asked for last: an answer that comes after another one's is late. */
let wanted = 0;

/** Shows the place of an address, and how the browser remembers that.
 * @param {string} address @param {"push" | "replace" | "none"} remember */
async function go(address, remember) {
  const mine = ++wanted;
  pressed = remember !== "none";
  failures = 0;
  source?.close();
  clearTimeout(soon);
  let answer;
  try { answer = await fetch(address, { headers: { Accept: "text/html" } }); } catch { if (mine === wanted) location.assign(address); return; }
  const page = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("explorer");
  if (mine !== wanted) return;
  if (!page) { location.assign(address); return; }
  if (remember === "push") history.pushState(null, "", answer.url);
  if (remember === "replace") history.replaceState(null, "", answer.url);
  const from = document.activeElement?.id ?? "";
  swap(page.outerHTML);
  if (document.activeElement === document.body && from) document.getElementById(from)?.focus({ preventScroll: true });
  setUp(root(), go);
  listen();
}

document.addEventListener("click", (event) => {
  if (event.ctrlKey || event.metaKey || event.shiftKey) return;
  const target = /** @type {Element} */ (event.target);
  const way = /** @type {HTMLAnchorElement | null} */ (target.closest("#explorer a[data-go]"));
  if (way) {
    event.preventDefault();
    go(way.href, way.closest(".x-bar") ? "replace" : "push");
    return;
  }
  const button = /** @type {HTMLElement | null} */ (target.closest("#explorer button[data-do]"));
  if (button) board()?.setMode(button.dataset.do);
  const link = /** @type {HTMLElement | null} */ (target.closest("#explorer [data-linked]"));
  if (link) navigator.clipboard?.writeText(location.href).then(() => { link.textContent = link.dataset.linked ?? ""; });
});

document.addEventListener("submit", (event) => {
  const form = /** @type {HTMLFormElement} */ (event.target);
  if (!form.matches("#explorer form[data-ask]")) return;
  event.preventDefault();
  go(form.action, "replace");
});

document.addEventListener("act", (event) => { go(root().dataset.next + encodeURIComponent(/** @type {CustomEvent} */ (event).detail), "push"); });
document.addEventListener("say", (event) => say(/** @type {CustomEvent} */ (event).detail));
document.addEventListener("mode", (event) => {
  for (const button of root().querySelectorAll(".x-acts [data-do]"))
    button.setAttribute("aria-pressed", String(/** @type {HTMLElement} */ (button).dataset.do === /** @type {CustomEvent} */ (event).detail));
});
addEventListener("popstate", () => go(location.href, "none"));

document.addEventListener("keydown", (event) => {
  const target = /** @type {Element} */ (event.target);
  if (event.ctrlKey || event.altKey || event.metaKey || target.closest("input, select, textarea, summary, [role=dialog], [popover], .set-board, .row-slots")) return;
  const step = cap(event) === "f" ? "flip" : { ArrowLeft: "back", ArrowRight: "forward", Home: "first", End: "last" }[event.key];
  const link = step && /** @type {HTMLAnchorElement | null} */ (root().querySelector(`a[data-do="${step}"]`));
  if (!link) return;
  event.preventDefault();
  go(link.href, "replace");
});

setUp(root(), go);
listen(0);
