// Forms on their way. Every form that changes something is sent from here, each try under a key, so that it is done once
// however often it is sent (web/tries.go). What cannot be sent just now is kept, also while the page is loaded anew,
// shown as not sent, and sent in order as soon as somebody answers. Without this script browsers send forms themselves.

import { keepTyped } from "./typed.js";

/** One form that was sent.
 * @typedef {{ key: string, url: string, multipart: boolean, fields: [string, string | File][], label: string, page: string, who: string,
 *   next: boolean, keeps: boolean, refused?: string, said?: boolean }} Act */

const place = "chpok.outbox", memory = "chpok.tried";
const box = /** @type {HTMLElement | null} */ (document.getElementById("outbox"));
const who = document.body.dataset.viewer ?? "";
/** How long an answer may take before a form counts as not sent. */
export const answersWithin = 10000;

/** @template T @param {string} name @param {T} none @returns {T} */
export function kept(name, none) {
  try {
    return JSON.parse(sessionStorage.getItem(name) ?? "null") ?? none;
  } catch {
    return none; // a browser that keeps nothing
  }
}

/** @param {string} name @param {unknown} value */
export function keep(name, value) {
  try {
    sessionStorage.setItem(name, JSON.stringify(value));
  } catch { /* it holds for this page */ }
}

/** All that is not done with, in order. @type {Act[]} */
let acts = kept(place, []);
/** The form on this page that an act was sent from. @type {WeakMap<Act, HTMLFormElement>} */
const forms = new WeakMap();
/** The key of a form's next try, as the server wrote it. @type {WeakMap<HTMLFormElement, string>} */
const keys = new WeakMap();
let held = false, sending = false, leaving = false;

/** A key that nobody else has. */
export function newKey() {
  return [...crypto.getRandomValues(new Uint8Array(12))].map((b) => b.toString(16).padStart(2, "0")).join("");
}

/** Takes the keys out of forms, which then compare equal while they show the same. @param {ParentNode} root */
export function takeKeys(root) {
  for (const input of /** @type {NodeListOf<HTMLInputElement>} */ (root.querySelectorAll('form > input[name="try"]'))) {
    keys.set(/** @type {HTMLFormElement} */ (input.parentElement), input.value);
    input.remove();
  }
}

/** Whether nobody was there to answer: no connection, or a proxy or a busy server says so. @param {Response | null} [answer] @returns {answer is null | undefined} */
export const isAway = (answer) => !answer || [408, 429, 502, 503, 504].includes(answer.status);

/** Waits until it is worth trying again: some time, or as soon as the browser is online. @param {number} attempt */
export const later = (attempt) => new Promise((again) => {
  setTimeout(again, Math.min(700 * (attempt + 1), 5000));
  addEventListener("online", again, { once: true });
});

/** @param {[string, string | File][]} fields */
const written = (fields) => JSON.stringify(fields.map(([name, value]) => value instanceof File ? [name, value.name, value.size] : [name, value]));

/** A mark of what was sent, which tells nothing of it. @param {string} text */
function markOf(text) {
  let sum = 0;
  for (const c of text) sum = (Math.imul(sum, 31) + (c.codePointAt(0) ?? 0)) | 0;
  return `${text.length}.${sum}`;
}

/** The key of a try: another one, once the same form was sent with something else in it. Who goes back and sends the
 * very same is led to what was made of it. @param {HTMLFormElement} form @param {string} content */
function keyOf(form, content) {
  const tried = /** @type {[string, string][]} */ (kept(memory, []));
  let key = keys.get(form) ?? newKey();
  const before = tried.find(([k]) => k === key);
  if (before && before[1] !== markOf(content)) key = newKey();
  keys.set(form, key);
  keep(memory, [...tried.filter(([k]) => k !== key).slice(-49), [key, markOf(content)]]);
  return key;
}

/** Sends a form. @param {HTMLFormElement} form @param {HTMLElement | null} [submitter] */
export function post(form, submitter) {
  const from = (/** @type {string} */ name) => submitter?.getAttribute(`form${name}`) ?? form.getAttribute(name) ?? "";
  const fields = /** @type {[string, string | File][]} */ ([...new FormData(form)].map(([name, value]) => [name, line(value)]));
  const button = /** @type {HTMLButtonElement | null | undefined} */ (submitter);
  if (button?.name) fields.push([button.name, line(button.value)]);
  const url = new URL(from("action"), location.href).href, content = url + written(fields);
  acts = acts.filter((a) => !a.said);
  if (acts.some((a) => !a.refused && a.url + written(a.fields) === content)) return; // on its way
  /** @type {Act} */
  const act = { key: keyOf(form, content), url, multipart: from("enctype") === "multipart/form-data", fields, page: location.pathname, who,
    label: labelOf(button ?? form.querySelector("button")) || labelOf(document.querySelector("h1")),
    next: form.hasAttribute("data-outbox-next"), keeps: !form.querySelector('[type="password"]') && !fields.some(([, v]) => v instanceof File && v.size) };
  acts.push(act);
  forms.set(act, form);
  save();
  busy(form, button);
  if (held) hold();
  mark();
  drain(); // while the page is being left, the next one does
}

/** What a button is called. @param {HTMLElement | null} b */
const labelOf = (b) => (b?.getAttribute("aria-label") ?? b?.innerText ?? "").trim().replace(/\s+/g, " ").slice(0, 80);

/** As browsers send it. @template T @param {T} value @returns {T} */
const line = (value) => typeof value === "string" ? /** @type {T} */ (value.replace(/\r\n?|\n/g, "\r\n")) : value;

/** A form on its way cannot be sent again; what is pressed keeps the focus. @param {HTMLFormElement} form @param {Element | null} [pressed] */
function busy(form, pressed) {
  form.setAttribute("aria-busy", "true");
  for (const e of form.elements) if (e instanceof HTMLButtonElement && e.type === "submit") e.setAttribute("aria-disabled", "true");
  pressed?.setAttribute("data-sending", "");
}

/** @param {HTMLFormElement} [form] */
function idle(form) {
  if (!form) return;
  form.removeAttribute("aria-busy");
  form.classList.remove("unsent");
  for (const e of form.elements) if (e instanceof HTMLButtonElement) for (const name of ["aria-disabled", "data-sending"]) e.removeAttribute(name);
}

function save() {
  keep(place, acts.filter((a) => a.keeps && !a.said));
}

/** @param {Act} act */
function drop(act) {
  acts = acts.filter((a) => a !== act);
  save();
}

/** Whether something of this page is on its way. */
export const isSending = () => acts.some((a) => forms.has(a) && !a.refused);

/** Says on the page that something is on its way, also when the feed has put another form in place of what was sent. */
function mark() {
  document.body.toggleAttribute("data-sends", leaving || !held && isSending());
}

/** What is to be sent next: not what another account has left here. */
const first = () => acts.find((a) => !a.refused && (!a.who || a.who === who));

/** Sends all that waits, and then goes where the last answer leads. */
async function drain() {
  if (sending || leaving || document.querySelector("[data-outbox-waits]")) return;
  sending = true;
  let to = "";
  for (let act = first(), attempt = 0; act; act = first()) {
    const answer = await send(act);
    if (!acts.includes(act)) continue; // not to be sent any more
    if (!answer) {
      hold();
      await later(attempt++);
      continue;
    }
    attempt = 0;
    const here = forms.has(act) || act.page === location.pathname;
    if (answer.go) {
      drop(act);
      const form = forms.get(act);
      if (form?.hasAttribute("data-here") && new URL(answer.go, location.href).pathname === location.pathname) {
        idle(form);
        document.dispatchEvent(new CustomEvent("outbox:here", { detail: answer.go }));
      } else if (here) to = answer.go;
      if (act.next && to) break; // its answer is to be seen before the next
      continue;
    }
    act.said = !answer.again && !!answer.message && forms.has(act); // the page would say no more, and what was typed stands here
    if (here && !to && acts.length === 1 && !act.said) {
      leaving = true;
      drop(act);
      keepTyped(false, forms.get(act));
      native(act);
      return;
    }
    act.refused = answer.message || box?.dataset.refused || "";
    idle(forms.get(act));
    save();
  }
  sending = false;
  held = false;
  show();
  mark();
  if (to) visit(to);
}

/** Sends an act once; null: it is worth trying again. @param {Act} act
 * @returns {Promise<{ go?: string, again?: boolean, message?: string } | null>} */
async function send(act) {
  let body = /** @type {FormData | URLSearchParams} */ (new FormData());
  if (!act.multipart) body = new URLSearchParams();
  for (const [name, value] of [...act.fields, ["try", act.key]]) body.append(/** @type {string} */ (name), /** @type {any} */ (!act.multipart && value instanceof File ? value.name : value));
  try {
    const answer = await fetch(act.url, { method: "POST", body, headers: { Accept: "text/html", "X-Outbox": "1" }, redirect: "manual",
      signal: act.multipart ? undefined : AbortSignal.timeout(answersWithin) });
    if (answer.status === 429) {
      await new Promise((again) => { setTimeout(again, 1000 * Math.min(Number(answer.headers.get("Retry-After")) || 5, 60)); });
      return await send(act);
    }
    if (isAway(answer)) return null;
    return await answer.json().catch(() => ({}));
  } catch {
    return null;
  }
}

/** Goes to an address, also to one that differs from this page's in nothing or in the place on it. @param {string} to */
function visit(to) {
  leaving = true;
  mark();
  setTimeout(() => { stay(); drain(); }, 10000); // what leads to no page, such as a file
  const url = new URL(to, location.href);
  if (url.pathname === location.pathname) addEventListener("pagehide", () => keepTyped(true), { once: true });
  if (url.hash && url.pathname + url.search === location.pathname + location.search) {
    history.replaceState(history.state, "", url);
    location.reload();
  } else location.assign(url);
}

/** The page is not left, or shown again: forms can be sent. */
function stay() {
  leaving = false;
  for (const form of document.forms) idle(form);
  mark();
}

/** Sends an act as browsers do, which shows the page that answers it: the key makes that harmless. @param {Act} act */
function native(act) {
  const form = document.createElement("form");
  form.setAttribute("method", "post");
  form.action = act.url;
  if (act.multipart) form.enctype = "multipart/form-data";
  form.setAttribute("hidden", "");
  for (const [name, value] of [...act.fields, /** @type {[string, string]} */ (["try", act.key])]) {
    const input = document.createElement("input");
    input.name = name;
    if (value instanceof File) {
      input.type = "file";
      const files = new DataTransfer();
      if (value.size) files.items.add(value);
      input.files = files.files;
    } else {
      input.type = "hidden";
      input.value = value;
    }
    form.append(input);
  }
  document.body.append(form);
  HTMLFormElement.prototype.submit.call(form);
}

/** There is no connection: what waits is said to wait, and forms that many use one after the other are free again. */
function hold() {
  held = true;
  for (const act of acts) {
    const form = forms.get(act);
    if (!form || act.refused) continue;
    form.classList.add("unsent");
    if (act.next && form.getAttribute("aria-busy")) {
      idle(form);
      form.reset();
      keys.delete(form);
    }
  }
  mark();
  show();
}

/** @param {string} text @param {() => void} press */
function button(text, press) {
  const b = document.createElement("button");
  b.type = "button";
  b.className = "quiet small";
  b.textContent = text;
  b.addEventListener("click", press);
  return b;
}

/** Shows what is not sent, and what was refused while others went on. */
function show() {
  if (!box) return;
  const list = acts.filter((a) => a.refused || held || a.who && a.who !== who || document.querySelector("[data-outbox-waits=offline]"));
  box.hidden = !list.length;
  const head = document.createElement("p"), ul = document.createElement("ul");
  head.textContent = (list.some((a) => !a.refused) ? box.dataset.held : box.dataset.refused) ?? "";
  for (const act of list) {
    const li = document.createElement("li"), text = document.createElement("span");
    text.textContent = [act.refused || box.dataset.unsent, act.label, ...act.fields.filter(([name]) => name === "name").map(([, v]) => v)].filter(Boolean).join(" · ");
    li.append(text);
    if (act.refused && !act.said) li.append(button(box.dataset.show ?? "", () => { drop(act); leaving = true; keepTyped(false, forms.get(act)); native(act); }));
    li.append(button((act.refused ? box.dataset.close : box.dataset.cancel) ?? "", () => { drop(act); idle(forms.get(act)); show(); }));
    ul.append(li);
  }
  box.replaceChildren(head, ul);
}

takeKeys(document);
// After all listeners of the page, which may send a form themselves or ask first.
addEventListener("submit", (event) => {
  const form = /** @type {HTMLFormElement} */ (event.target), submitter = /** @type {SubmitEvent} */ (event).submitter;
  const method = submitter?.getAttribute("formmethod") ?? form.getAttribute("method");
  if (event.defaultPrevented || method?.toLowerCase() !== "post" || form.hasAttribute("target")) return;
  event.preventDefault();
  // Boxes and lists that send their form at once may change again while it is on its way: what stands there last counts.
  if (form.getAttribute("aria-busy") !== "true" || !submitter && form.querySelector("[data-submit]")) post(form, submitter);
});
// What the feed has put in place of a form on its way is on its way, too.
document.addEventListener("feed:swapped", () => {
  for (const act of acts) {
    if (act.refused || act.next || forms.get(act)?.isConnected) continue;
    const form = [...document.forms].find((f) => f.getAttribute("method") === "post" && new URL(f.getAttribute("action") ?? "", location.href).href === act.url &&
      [...new FormData(f)].every(([name, value]) => act.fields.some(([n, v]) => n === name && v === line(value))));
    if (!form || !forms.has(act)) continue;
    forms.set(act, form);
    busy(form);
    form.classList.toggle("unsent", held);
  }
});
// Back from elsewhere, by whatever way: forms can be sent, and what was kept meanwhile goes on.
addEventListener("pageshow", (event) => {
  if (!event.persisted) return;
  stay();
  if (!sending) acts = kept(place, []);
  show();
  drain();
});
show();
drain();
