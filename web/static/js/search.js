// The field in the head: what is found as one types, by keys alone. Without this it
// is a form that leads to a page.

import { cap } from "./cap.js";

const form = /** @type {HTMLFormElement | null} */ (document.querySelector("form.site-search"));
const field = form?.querySelector("input");
const box = form?.querySelector(".found");

/** @type {AbortController | undefined} */
let asking;
/** @type {number | undefined} */
let soon;

/** @param {boolean} open */
function show(open) {
  if (!box || !field) return;
  box.toggleAttribute("hidden", !open);
  field.setAttribute("aria-expanded", String(open));
}

async function ask() {
  if (!field || !box) return;
  const question = field.value.trim();
  asking?.abort();
  if (!question) {
    show(false);
    return;
  }
  asking = new AbortController();
  try {
    const answer = await fetch(`/search?q=${encodeURIComponent(question)}`, { headers: { Accept: "text/html-fragment" }, signal: asking.signal });
    if (!answer.ok) return;
    box.innerHTML = await answer.text();
    show(form?.contains(document.activeElement) ?? false);
  } catch {
    // A later question has come, or the network is gone: Enter still leads to the page.
  }
}

field?.addEventListener("input", () => {
  clearTimeout(soon);
  soon = setTimeout(ask, 150);
});

form?.addEventListener("keydown", (event) => {
  if (!field || !box) return;
  const hits = [.../** @type {NodeListOf<HTMLElement>} */ (box.querySelectorAll("a.hit"))];
  const at = hits.indexOf(/** @type {HTMLElement} */ (document.activeElement));
  if (event.key === "Escape") {
    show(false);
    field.focus();
  } else if (event.key === "ArrowDown" && !box.hasAttribute("hidden") && hits.length) {
    hits[Math.min(at + 1, hits.length - 1)].focus();
  } else if (event.key === "ArrowUp" && at >= 0) {
    (at > 0 ? hits[at - 1] : field).focus();
  } else {
    return;
  }
  event.preventDefault();
});

form?.addEventListener("focusout", () => setTimeout(() => {
  if (!form.contains(document.activeElement)) show(false);
}));
field?.addEventListener("focus", () => {
  if (field.value.trim() && box?.querySelector(".hits")) show(true);
});

// "/" leads to the field from anywhere but where one writes.
document.addEventListener("keydown", (event) => {
  if (cap(event) !== "/" || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
  const at = /** @type {HTMLElement} */ (event.target);
  if (at.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(at.tagName)) return;
  event.preventDefault();
  const own = /** @type {HTMLInputElement | null} */ (document.querySelector("main form[role=search] input[type=search]"));
  if (location.pathname === "/search" && own) own.focus();
  else if (field && field.offsetParent) field.select();
  else location.assign("/search");
});
