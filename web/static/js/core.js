// What every page does beyond plain HTML. Nothing here is needed to use the site.

import { cap } from "./cap.js";

/** Does what nobody sees once the page has been painted, or soon if nobody looks at it. @param {() => void} what */
function unseen(what) {
  let done = false;
  const once = () => { if (!done) what(); done = true; };
  const soon = () => { requestAnimationFrame(() => setTimeout(once)); setTimeout(once, 1000); };
  if (document.readyState === "complete") soon();
  else addEventListener("load", soon, { once: true });
}

// Times are in the browser's zone once the server knows it. To name it, a browser loads data first.
const named = (/** @type {string} */ zone) => zone === "Europe/Kiev" ? "Europe/Kyiv" : zone; // some browsers know the old name only
const zone = () => named(Intl.DateTimeFormat().resolvedOptions().timeZone);
unseen(() => {
  const here = zone();
  if (!here || document.cookie.split("; ").includes(`zone=${here}`)) return;
  document.cookie = `zone=${here}; path=/; max-age=31536000; samesite=lax`;
});

// A selection or check with data-submit sends its form at once; only without scripts there is a button for it.
for (const select of document.querySelectorAll("select[data-submit], input[data-submit]")) {
  const form = /** @type {HTMLSelectElement | HTMLInputElement} */ (select).form;
  if (form) select.addEventListener("change", () => form.requestSubmit());
}

// "in 4 min" stays true while a page stands open, and becomes the time of day when that has come.
const [before, after] = (document.body.dataset.in ?? "#").split("#");
setInterval(() => {
  for (const time of document.querySelectorAll("time[datetime]")) {
    const text = time.textContent ?? "", from = text.indexOf(before), to = text.indexOf(after, from);
    if (!before || from < 0 || to < 0 || !/^\d+$/.test(text.slice(from + before.length, to))) continue;
    const at = new Date(time.getAttribute("datetime") ?? ""), left = Math.ceil((at.getTime() - Date.now()) / 60000);
    const now = left > 0 ? before + left + after : at.toTimeString().slice(0, 5);
    time.textContent = text.slice(0, from) + now + text.slice(to + after.length);
  }
}, 10000);

// Single keys are off for whoever says so (WCAG 2.1.4); where one writes, or on the board, keys stay keys.
addEventListener("keydown", (event) => {
  if (document.documentElement.dataset.keys !== "off" || event.key.length !== 1 || event.key === " " || event.ctrlKey || event.metaKey || event.altKey) return;
  if (/** @type {Element} */ (event.target).closest?.("input, textarea, select, [contenteditable], [data-sq], .row-slots")) return;
  event.stopImmediatePropagation();
}, true);

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

// A button with data-print prints the page.
document.addEventListener("click", (event) => {
  if (/** @type {Element} */ (event.target).closest?.("button[data-print]")) print();
});

// What is wrong with a field is said in the words of the page, not in those of the browser's language.
/** @type {Record<string, string>} */
const faults = JSON.parse(document.body.dataset.faults ?? "{}");
/** The fields that were told what is wrong. @type {Set<HTMLInputElement>} */
const told = new Set();

/** @param {HTMLInputElement} field */
function faultOf(field) {
  const { validity } = field, bound = (/** @type {string} */ key, /** @type {string | number} */ n) => faults[key].replace("#", String(n).replace("T", " "));
  if (validity.valueMissing) return faults[{ checkbox: "check", radio: "choose", "select-one": "choose" }[field.type] ?? "missing"];
  if (validity.tooShort) return bound("short", field.minLength);
  if (validity.tooLong) return bound("long", field.maxLength);
  if (validity.rangeUnderflow) return bound("least", field.min);
  if (validity.rangeOverflow) return bound("most", field.max);
  return validity.patternMismatch && field.title || faults.wrong;
}

document.addEventListener("invalid", (event) => {
  const field = /** @type {HTMLInputElement} */ (event.target);
  if (field.validity.customError || !faults.missing) return;
  field.setCustomValidity(faultOf(field));
  told.add(field);
}, true);
for (const act of ["input", "change"]) document.addEventListener(act, () => {
  for (const field of told) field.setCustomValidity("");
  told.clear();
}, true);

// The keys of a page are shown by the question mark.
document.addEventListener("keydown", (event) => {
  if (cap(event) !== "?" || /** @type {Element} */ (event.target).closest("input, textarea, select")) return;
  document.getElementById("keys")?.showPopover();
});

// A print says when it was made and where what it shows stands.
addEventListener("beforeprint", () => {
  const line = document.getElementById("printed"), language = document.documentElement.lang;
  const when = new Date().toLocaleString(language, {day: "numeric", month: "long", year: "numeric", hour: "2-digit", minute: "2-digit", hourCycle: "h23"});
  if (line) line.textContent = (line.dataset.text ?? "").replace("#", when) + " · " + location.host + location.pathname;
});

// A button with data-copy puts the text of another element on the clipboard.
document.addEventListener("click", async (event) => {
  const button = /** @type {Element} */ (event.target).closest?.("button[data-copy]");
  if (!button) return;
  const source = document.getElementById(button.getAttribute("data-copy") ?? "");
  if (!source) return;
  await navigator.clipboard.writeText(source.textContent?.trim() ?? "");
  const done = button.getAttribute("data-copied");
  if (done) (button.firstChild ?? button).textContent = done; // what only screen readers hear stays
});

// A button with data-confirm asks before its form is sent, by whomever: before other listeners.
// The question names what is lost; the answer stands under the same word as the button.
document.addEventListener("submit", (event) => {
  const form = /** @type {HTMLFormElement} */ (event.target);
  const button = /** @type {HTMLButtonElement | null} */ (/** @type {SubmitEvent} */ (event).submitter);
  const question = button?.getAttribute("data-confirm");
  if (!button || !question || button.dataset.sure) return;
  event.preventDefault();
  event.stopPropagation();
  const box = document.createElement("dialog");
  box.className = "ask";
  const text = document.createElement("p");
  text.id = "ask-text";
  text.textContent = question;
  box.setAttribute("aria-labelledby", text.id);
  const acts = document.createElement("div");
  acts.className = "actions";
  const yes = document.createElement("button");
  yes.type = "button";
  yes.className = "danger";
  yes.append(...[...button.childNodes].map((n) => n.cloneNode(true))); // what only screen readers hear stays unseen
  const no = document.createElement("button");
  no.type = "button";
  no.className = "quiet";
  no.textContent = document.body.dataset.cancel ?? "";
  no.autofocus = true;
  acts.append(no, yes);
  box.append(text, acts);
  document.body.append(box);
  box.addEventListener("close", () => box.remove());
  no.addEventListener("click", () => box.close());
  yes.addEventListener("click", () => {
    box.close();
    // The page may have been renewed meanwhile: the same question is answered where it stands now.
    const asked = /** @type {HTMLButtonElement | undefined} */ (form.isConnected ? button
      : [...document.querySelectorAll("button[data-confirm]")].find((b) => b.isEqualNode(button) && /** @type {HTMLButtonElement} */ (b).form?.action === form.action));
    if (!asked) return;
    asked.dataset.sure = "yes";
    asked.form?.requestSubmit(asked);
    delete asked.dataset.sure;
  });
  box.showModal();
}, { capture: true });

// The service worker has the page without a connection, and shows what is pushed. It loads what it keeps.
unseen(() => {
  navigator.serviceWorker?.register(`/sw.js?lang=${document.documentElement.lang}`, { updateViaCache: "all" }).catch(() => { /* a browser that keeps nothing */ });
});

// A field of a time zone offers all there are, that of the browser first.
document.addEventListener("focusin", (event) => {
  const list = event.target instanceof HTMLInputElement && event.target.list;
  if (!list || list.dataset.zones === undefined || list.options.length) return;
  for (const name of new Set([zone(), ...Intl.supportedValuesOf("timeZone").map(named)])) list.append(new Option(name, name));
});
