// Writes how long it is until the moment in data-until, every second, into
// every element that has one.
import { leftText } from "./clocks.js";

function tick() {
  for (const e of document.querySelectorAll("[data-until]")) {
    e.textContent = leftText(Date.parse(/** @type {HTMLElement} */ (e).dataset.until ?? "") - Date.now());
  }
}

document.addEventListener("feed:swapped", tick);
tick();
setInterval(tick, 1000);
