// Clocks that count down by themselves: every .clock of a page, by the server's
// time, of which [data-now] is a sample.

// How far the server's time is ahead. A piece may be older than its arrival, never younger: the largest difference is the best.
let ahead = -Infinity;

/** Learns the server's time from a piece that has just come. @param {Element | null} piece */
export function look(piece) {
  ahead = Math.max(ahead, (Number(/** @type {HTMLElement} */ (piece)?.dataset.now) || -Infinity) - Date.now());
}

/** What is left, in whole seconds; days without them, in the units of the page's language. @param {number} ms */
export function leftText(ms) {
  const s = Math.max(0, Math.ceil(ms / 1000)), two = (/** @type {number} */ n) => String(n).padStart(2, "0");
  if (s >= 86400) {
    const [d, h] = (document.documentElement.dataset.units ?? "").split(" "), hours = Math.floor(s / 3600) % 24;
    return `${Math.floor(s / 86400)}\u00a0${d}` + (hours ? `\u00a0${hours}\u00a0${h}` : "");
  }
  return s >= 3600 ? `${Math.floor(s / 3600)}:${two(Math.floor(s / 60) % 60)}:${two(s % 60)}` : `${Math.floor(s / 60)}:${two(s % 60)}`;
}

/** A clock as clocks show it; tenths when it matters. @param {number} ms */
const clockText = (ms) => ms > 0 && ms < 10000 ? (Math.ceil(ms / 100) / 10).toFixed(1) : leftText(ms);

/** Writes what every clock shows now. @param {ParentNode} root
 * @param {(clock: HTMLElement, deadline: number, left: number) => void} [isLow] hears of each running clock that is low */
export function tick(root, isLow) {
  for (const clock of /** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll(".clock"))) {
    const deadline = Number(clock.dataset.deadline), whole = Number(clock.dataset.left), low = Number(clock.dataset.low);
    const left = deadline ? Math.max(0, Math.min(whole, deadline - (Date.now() + ahead))) : whole;
    const text = clockText(left);
    if (clock.textContent !== text) {
      if (clock.firstChild) clock.firstChild.nodeValue = text; // cheaper than a new text, of which many boards need many
      else clock.textContent = text;
    }
    clock.classList.toggle("low", left < low && (deadline > 0 || left === 0));
    if (deadline && left < low) isLow?.(clock, deadline, left);
  }
  for (const since of /** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll("[data-since]"))) {
    const text = leftText(Math.floor((Date.now() + ahead - Number(since.dataset.since)) / 1000) * 1000);
    if (since.textContent !== text) since.textContent = text;
  }
  for (const button of /** @type {NodeListOf<HTMLButtonElement>} */ (root.querySelectorAll("button[data-opens]"))) {
    if (Date.now() + ahead < Number(button.dataset.opens)) continue;
    button.disabled = false;
    delete button.dataset.opens;
  }
}
