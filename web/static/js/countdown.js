// Writes how long it is until the moment in data-until, every second, into
// every element that has one.

/** @param {number} ms */
function left(ms) {
  const s = Math.max(0, Math.ceil(ms / 1000));
  const two = (/** @type {number} */ n) => String(n).padStart(2, "0");
  return s >= 3600 ? `${Math.floor(s / 3600)}:${two(Math.floor(s / 60) % 60)}:${two(s % 60)}` : `${Math.floor(s / 60)}:${two(s % 60)}`;
}

function tick() {
  for (const e of document.querySelectorAll("[data-until]")) {
    e.textContent = left(Date.parse(/** @type {HTMLElement} */ (e).dataset.until ?? "") - Date.now());
  }
}

document.addEventListener("feed:swapped", tick);
tick();
setInterval(tick, 1000);
