// Matches in small: clocks that count down between what the feed brings, and
// arrows that lead from one match to the next.
import { look, tick } from "./clocks.js";

const learn = (/** @type {ParentNode} */ root) => root.querySelectorAll("[data-now]").forEach(look);
/** @type {ReturnType<typeof setTimeout> | undefined} */
let next;
/** Clocks are painted once a second, and with what the feed brings: of many boards a frame is dear. */
const paint = () => {
  clearTimeout(next);
  next = setTimeout(paint, 1000);
  tick(document);
};
learn(document);
paint();
document.addEventListener("feed:swapped", (event) => {
  for (const put of /** @type {CustomEvent<HTMLElement[]>} */ (event).detail) {
    if (put.dataset.now) look(put);
    else learn(put);
  }
  paint();
});

document.addEventListener("keydown", (event) => {
  const here = /** @type {HTMLElement | null} */ (document.activeElement)?.closest(".live-card");
  if (!here || event.altKey || event.ctrlKey || event.metaKey) return;
  const cards = /** @type {HTMLElement[]} */ ([...document.querySelectorAll(".live-card:not([hidden])")]);
  const row = cards.filter((c) => c.offsetTop === cards[0].offsetTop).length;
  const step = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -row, ArrowDown: row }[event.key];
  const next = step && cards[cards.indexOf(/** @type {HTMLElement} */ (here)) + step];
  if (!next) return;
  event.preventDefault();
  next.querySelector("a")?.focus();
});
