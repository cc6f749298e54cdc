// The replay page: stepping without loading a page for each ply. The bidding is stepped page by page: its links stand
// in the bar.
import "./board.js";
import { on, swap } from "./feed.js";
import { Steps } from "./steps.js";

const match = /** @type {HTMLElement} */ (document.getElementById("match"));
const steps = new Steps(match);
if (match.dataset.bid === "0") {
  steps.at = Number(match.dataset.ply);
  steps.mark(steps.at);
  steps.load().then(() => steps.point());
}

// More of the analysis has come: what it says of each move is read again.
on("swapped", async (put) => {
  if (!put.some((element) => element.id === "m-expected") || steps.at === null) return;
  await steps.load(true);
  steps.judge(steps.plies[steps.at]?.judged);
  steps.point();
});

// A position is looked at, deeper and deeper, until another one is shown.
let looking = null;
match.addEventListener("stepped", () => looking?.close());
match.addEventListener("click", (event) => {
  const button = /** @type {Element} */ (event.target).closest("[data-do=explore]");
  if (!button) return;
  looking?.close();
  const feed = looking = new EventSource(`${button.dataset.url}?ply=${steps.at}`);
  feed.addEventListener("swap", (news) => swap(news.data));
  feed.addEventListener("end", () => feed.close());
  feed.addEventListener("error", () => { feed.close(); button.parentElement.nextElementSibling.textContent = button.dataset.busy; });
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
