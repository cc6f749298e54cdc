// What somebody has written into the forms of a page and not sent outlives the page: one loaded anew below their hands,
// and one left for the answer that somebody else was first, from which a link leads back to the form with all of it.

const place = "chpok.typed", who = document.body.dataset.viewer ?? "";
/** @typedef {HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement} Field */
/** The address and the matter of a form, one of its fields by name and by place among those of its name (of boxes to tick: by
 * value), and what stands there or is chosen.
 * @typedef {{ to: string, about: string, name: string, at: number | string, value: string | boolean | string[] }} Typed */
/** Fields that say what their author saw: the page has them anew. */
const fresh = ["shown", "turn", "seq", "try"];

/** @param {HTMLFormElement} form */
const addressOf = (form) => new URL(form.getAttribute("action") ?? "", location.href).href;
/** What the form is about, which tells it from others with its address. @param {HTMLFormElement} form */
const matterOf = (form) => JSON.stringify([...form.querySelectorAll("input")].filter((e) => e.type === "hidden" && !fresh.includes(e.name)).map((e) => [e.name, e.value]));

/** @param {HTMLFormElement} form @param {string} name */
const named = (form, name) => /** @type {Field[]} */ ([...form.elements].filter((e) => /** @type {Field} */ (e).name === name));
/** @param {Field} e */
const isTick = (e) => ["checkbox", "radio"].includes(e.type);

/** What stands in a field, if the page did not write it there; null: nobody did. @param {Field} e */
function written(e) {
  if (e instanceof HTMLSelectElement) {
    const is = [...e.selectedOptions].map((o) => o.value), was = [...e.options].filter((o) => o.defaultSelected).map((o) => o.value);
    return String(is) === String(was.length || e.multiple ? was : e.options[0]?.value) ? null : is;
  }
  if (["hidden", "password", "file"].includes(e.type) || e instanceof HTMLButtonElement) return null;
  if (e instanceof HTMLInputElement && isTick(e)) return e.checked === e.defaultChecked ? null : e.checked;
  return e.value === e.defaultValue ? null : e.value;
}

/** What is written in the forms of a part of a page and neither sent nor on its way. The commands of a match say what they were
 * seen with, and are made anew. @param {ParentNode} part @param {HTMLFormElement} [sent] that counts all the same */
export function typedIn(part, sent) {
  /** @type {Typed[]} */
  const list = [];
  for (const form of part instanceof HTMLFormElement ? [part] : part.querySelectorAll("form")) {
    if (form.getAttribute("method") !== "post" || form.classList.contains("command") || form.getAttribute("aria-busy") && form !== sent) continue;
    for (const e of /** @type {Iterable<Field>} */ (form.elements)) {
      const value = e.name ? written(e) : null;
      if (value === null) continue;
      const at = isTick(e) ? e.value : named(form, e.name).indexOf(e);
      list.push({ to: addressOf(form), about: matterOf(form), name: e.name, at, value });
    }
  }
  return list;
}

/** Puts what was written where it was, and opens what it stands in. @param {Typed[]} list */
export function putTyped(list) {
  for (const { to, about, name, at, value } of list) {
    const there = [...document.forms].filter((f) => addressOf(f) === to), same = there.filter((f) => matterOf(f) === about);
    const e = (same.length || there.length > 1 ? same : there).flatMap((f) => named(f, name).filter((e, i) => at === (isTick(e) ? e.value : i)))[0];
    if (!e || e.hasAttribute("data-submit")) continue;
    if (e instanceof HTMLSelectElement) for (const o of e.options) o.selected = /** @type {string[]} */ (value).includes(o.value);
    else if (typeof value === "boolean") /** @type {HTMLInputElement} */ (e).checked = value;
    else e.value = String(value);
    for (let up = e.closest("details"); up; up = up.parentElement?.closest("details") ?? null) up.open = true;
    for (const event of ["input", "change"]) e.dispatchEvent(new Event(event, { bubbles: true }));
  }
}

/** Keeps what is written here. @param {boolean} back whether it is wanted as soon as the page is there again
 * @param {HTMLFormElement} [sent] */
export function keepTyped(back, sent) {
  if (document.querySelectorAll("a[data-typed]").length) return; // this page leads back to what was kept
  const was = kept(), here = location.pathname;
  const list = [...was?.back && was.page === here ? was.list : [], ...typedIn(document, sent)]; // left before it was put back
  try {
    sessionStorage.setItem(place, JSON.stringify({ who, page: here, back, list }));
  } catch { /* a browser that keeps nothing */ }
}

/** What is kept of the same account. @returns {{ who: string, page: string, back: boolean, list: Typed[] } | null} */
function kept() {
  try {
    const was = JSON.parse(sessionStorage.getItem(place) ?? "null");
    return was?.who === who ? was : null;
  } catch {
    return null;
  }
}

// After all scripts of the page, which hear what is written.
addEventListener("DOMContentLoaded", () => {
  const was = kept();
  if (!was?.list.length) return;
  if (was.back && was.page === location.pathname) {
    sessionStorage.removeItem(place);
    putTyped(was.list);
  }
  for (const link of /** @type {NodeListOf<HTMLAnchorElement>} */ (document.querySelectorAll("a[data-typed]"))) {
    if (link.pathname !== was.page) continue;
    link.hidden = false;
    link.addEventListener("click", () => sessionStorage.setItem(place, JSON.stringify({ ...was, back: true })));
    // The server has the whole form, and cannot tell what its author left as it was.
    for (const text of document.querySelectorAll(".typed blockquote"))
      /** @type {HTMLElement} */ (text).hidden = !was.list.some((t) => t.value === text.textContent);
    for (const part of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".typed"))) part.hidden = !part.querySelector("blockquote:not([hidden])");
  }
});
