// The door: names that may be meant are suggested while one is typed; the kiosk goes
// back to its empty line by itself. Without this script the server asks.
import { swap } from "./feed.js";
import { reach } from "./reach.js";

const form = /** @type {HTMLFormElement | null} */ (document.getElementById("door-form"));
const name = /** @type {HTMLInputElement | null} */ (document.getElementById("door-name"));
let pending = 0;
let asked = 0;

name?.addEventListener("input", () => {
  clearTimeout(pending);
  pending = window.setTimeout(suggest, 200);
});

async function suggest() {
  if (!form?.dataset.names || !name) return;
  const mine = ++asked;
  try {
    const answer = await fetch(`${form.dataset.names}?q=${encodeURIComponent(name.value)}`, { headers: { Accept: "text/html-fragment" } });
    const html = await answer.text();
    if (answer.ok && mine === asked) swap(html);
  } catch {
    // The server asks when the form is sent.
  }
}

const next = /** @type {HTMLAnchorElement | null} */ (document.getElementById("door-next"));
if (next) {
  next.focus();
  // Not while nobody answers: a kiosk that shows a browser's error stays there.
  setTimeout(() => reach(() => fetch(next.href, { method: "HEAD" })).then(() => next.click()), 1000 * Number(next.dataset.again));
}
