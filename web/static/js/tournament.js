// The form of a tournament: how long a round can last is told while it is
// filled in, and a ready-made envelope takes the place of the fields. The
// server works both out; without this script the form says it when it is sent.
import { swap } from "./feed.js";
import { reach } from "./reach.js";

const form = /** @type {HTMLFormElement | null} */ (document.querySelector("form[data-estimate]"));
let pending = 0;
let asked = 0;

/** Asks the server for the estimate of what stands in the form. */
async function estimate() {
  if (!form?.dataset.estimate) return;
  const mine = ++asked;
  const body = new URLSearchParams();
  for (const [name, value] of new FormData(form)) body.append(name, String(value));
  const wanted = () => mine === asked, to = form.dataset.estimate;
  const answer = await reach(() => fetch(to, { method: "POST", body }), { wanted });
  const html = await answer?.text();
  if (answer?.ok && html && wanted()) swap(html);
}

form?.addEventListener("input", (event) => {
  const field = /** @type {HTMLInputElement} */ (event.target);
  if (["name", "club", "about"].includes(field.name) || form.dataset.propose && !field.closest("#envelope")) return;
  clearTimeout(pending);
  pending = window.setTimeout(estimate, 250);
});

/** The ready-made limits that were chosen last. */
let chosen = "";

// Ready-made limits are as if they had been typed: what follows from them is worked out again. The links may be
// replaced with the form, so the page listens for them.
document.addEventListener("click", async (event) => {
  const link = /** @type {HTMLAnchorElement | null} */ (/** @type {Element} */ (event.target).closest("a[data-envelope]"));
  if (!link) return;
  event.preventDefault();
  chosen = link.href;
  const answer = await reach(() => fetch(link.href, { headers: { Accept: "text/html-fragment" } }), { label: link.textContent?.trim(), wanted: () => chosen === link.href });
  const html = await answer?.text();
  if (!answer?.ok || !html || chosen !== link.href) return;
  swap(html);
  document.getElementById("envelope")?.dispatchEvent(new Event("input", { bubbles: true }));
});

// Faults come first into view.
document.getElementById("problems")?.focus();
