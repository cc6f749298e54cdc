// The replay page: stepping without loading a page for each ply. The bidding is stepped page by page: its links stand
// in the bar.
import "./back.js";
import "./board.js";
import { on } from "./feed.js";
import { Steps } from "./steps.js";

const match = /** @type {HTMLElement} */ (document.getElementById("match"));
const steps = new Steps(match);
if (match.dataset.bid === "0") {
  steps.at = Number(match.dataset.ply);
  steps.mark(steps.at);
  steps.load().then(() => {
    steps.point();
    match.dispatchEvent(new CustomEvent("stepped"));
  });
}

// More of the analysis has come: what it says of each move is read again.
on("swapped", async (put) => {
  if (!put.some((element) => element.id === "m-expected") || steps.at === null) return;
  await steps.load(true);
  steps.judge(steps.plies[steps.at]?.judged);
  steps.mark(steps.at);
  steps.point();
});

// The next move that gave much away, from the one that is shown on, then from the start.
const gaveMuch = (ply) => ["mistake", "blunder"].includes(ply.judged?.grade);
function nextMistake() {
  const all = steps.plies.flatMap((ply, i) => (gaveMuch(ply) ? [i] : []));
  return all.find((i) => i > steps.at) ?? all[0];
}
match.addEventListener("stepped", () => {
  const link = /** @type {HTMLAnchorElement | null} */ (match.querySelector("[data-do=explore]")), button = match.querySelector("[data-do=next-mistake]");
  if (button) button.toggleAttribute("hidden", nextMistake() === undefined || nextMistake() === steps.at);
  if (!link) return;
  const place = new URL(link.href);
  place.searchParams.set("at", String(steps.at));
  link.href = place.href;
});
match.addEventListener("click", (event) => {
  if (/** @type {Element} */ (event.target).closest("[data-do=next-mistake]")) steps.show(nextMistake());
});

const slider = document.getElementById("m-ply");
slider?.addEventListener("input", () => steps.show(Number(/** @type {HTMLInputElement} */ (slider).value)));
slider?.closest("form")?.addEventListener("submit", (event) => event.preventDefault());

/** Follows a link of the bar where a step leads out of the board, or there is none. */
function leave(what) {
  const link = /** @type {HTMLAnchorElement | null} */ (match.querySelector(`.bar a[data-do="${what}"]`));
  if (link) location.replace(link.href);
}
match.addEventListener("before-start", () => leave("first-bid"));
document.addEventListener("keydown", (event) => {
  if (match.querySelector("chpok-board") || event.ctrlKey || event.altKey || event.metaKey) return;
  const what = { ArrowLeft: "back", ArrowRight: "forward", Home: "first", End: "last" }[event.key];
  if (what) { event.preventDefault(); leave(what); }
});
