// Clocks that count down by themselves: every .clock of a page, by the server's
// time, of which [data-now] is a sample.

// How far the server's time is ahead. A piece may be older than its arrival, never younger: the largest difference is the best.
let ahead = -Infinity;

/** Learns the server's time from a piece that has just come. @param {Element | null} piece */
export function look(piece) {
  ahead = Math.max(ahead, (Number(/** @type {HTMLElement} */ (piece)?.dataset.now) || -Infinity) - Date.now());
}

/** A clock as clocks show it; tenths when it matters. @param {number} ms */
export function clockText(ms) {
  if (ms > 0 && ms < 10000) return (Math.ceil(ms / 100) / 10).toFixed(1);
  const s = Math.ceil(ms / 1000), two = (/** @type {number} */ n) => String(n).padStart(2, "0");
  return s >= 3600 ? `${Math.floor(s / 3600)}:${two(Math.floor(s / 60) % 60)}:${two(s % 60)}` : `${Math.floor(s / 60)}:${two(s % 60)}`;
}

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
    const text = clockText(Math.floor((Date.now() + ahead - Number(since.dataset.since)) / 1000) * 1000 || 1);
    const whole = text.includes(":") ? text : `0:${text.split(".")[0].padStart(2, "0")}`;
    if (since.textContent !== whole) since.textContent = whole;
  }
  for (const button of /** @type {NodeListOf<HTMLButtonElement>} */ (root.querySelectorAll("button[data-opens]"))) {
    if (Date.now() + ahead < Number(button.dataset.opens)) continue;
    button.disabled = false;
    delete button.dataset.opens;
  }
}
