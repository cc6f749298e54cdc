// What every page does beyond plain HTML. Nothing here is needed to use the site.

// Times are written in the browser's zone once the server knows it.
const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
if (zone && !document.cookie.split("; ").includes(`zone=${zone}`)) {
  document.cookie = `zone=${zone}; path=/; max-age=31536000; samesite=lax`;
}

// A selection with data-submit sends its form at once; the button goes.
for (const select of document.querySelectorAll("select[data-submit]")) {
  const form = /** @type {HTMLSelectElement} */ (select).form;
  if (!form) continue;
  form.querySelector("[data-submit-button]")?.setAttribute("hidden", "");
  select.addEventListener("change", () => form.requestSubmit());
}

// An open menu closes by Escape and by a click beside it.
document.addEventListener("click", (event) => {
  for (const menu of document.querySelectorAll("details.menu[open]")) {
    if (!menu.contains(/** @type {Node} */ (event.target))) menu.removeAttribute("open");
  }
});
document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  const menu = document.querySelector("details.menu[open]");
  if (!menu) return;
  menu.removeAttribute("open");
  menu.querySelector("summary")?.focus();
});

// A button with data-copy puts the text of another element on the clipboard.
document.addEventListener("click", async (event) => {
  const button = /** @type {Element} */ (event.target).closest?.("button[data-copy]");
  if (!button) return;
  const source = document.getElementById(button.getAttribute("data-copy") ?? "");
  if (!source) return;
  await navigator.clipboard.writeText(source.textContent?.trim() ?? "");
  const done = button.getAttribute("data-copied");
  if (done) button.textContent = done;
});

// A button with data-confirm asks before its form is sent, by whomever: before other listeners.
document.addEventListener("submit", (event) => {
  const question = /** @type {SubmitEvent} */ (event).submitter?.getAttribute("data-confirm");
  if (!question || window.confirm(question)) return;
  event.preventDefault();
  event.stopPropagation();
}, { capture: true });
