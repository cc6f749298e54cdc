// The page's live side: server-rendered fragments take the place of the
// elements with their ids. The address stands in <body data-feed>; the stream
// closes while the page is hidden, unless <body data-feed-keep>, and resumes
// from the last event seen. Of the hidden pages of a browser one goes on to hear
// the bell, which calls to the board, and tells the others.
//
// Every event but "swap", "bell" (the same, for the frame of the page) and "end" becomes the DOM event "feed:NAME" on
// document, with its data, parsed as JSON, as detail; "beat" only says every twenty
// seconds that the line holds. After a swap comes
// "feed:swapped", with the elements put in as detail; "feed:refused" says that
// the stream is tried again later, and that the page may help itself till then.

import { takeKeys } from "./outbox.js";
import { putTyped, typedIn } from "./typed.js";

/** @type {EventSource | null} */
let source = null;
let last = "";
let ended = false;
let ready = false; // every script of the page has said what it wants to hear
let wait = 2000;
/** The server was last heard of then. */
let heard = 0;
/** Two beats and a half: a stream that brings nothing for as long is dead, though it is open. */
const silence = 50000;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let worried;
const known = new Set(["swap", "bell", "end", "beat"]);
const address = document.body.dataset.feed ?? "";
const keep = document.body.hasAttribute("data-feed-keep");
const offline = document.getElementById("offline");
const bellOnly = "/notices/feed";
const others = new BroadcastChannel("chpok.bell");
/** Ends the hearing of a hidden page. @type {AbortController | null} */
let hearing = null;

/** Adds the name of an event that the page's script wants to hear.
 * @param {string} name @param {(detail: any) => void} heard */
export function on(name, heard) {
  document.addEventListener(`feed:${name}`, (event) => heard(/** @type {CustomEvent} */ (event).detail));
  if (known.has(name)) return;
  known.add(name);
  source?.addEventListener(name, receive);
}

/** The press of a pointer that is down, on what must stay to be clicked. @type {PointerEvent | null} */
let press = null;
/** The latest fragments that wait for a part to be let go, by id. @type {Map<string, Element>} */
const waiting = new Map();

/** A part is in hand while it is pressed, or a list in it is open to choose from. @param {Element} part */
const inHand = (part) => press?.target instanceof Element && part.contains(press.target) || document.activeElement instanceof HTMLSelectElement && part.contains(document.activeElement);

function putWaiting() {
  if (!waiting.size) return;
  const parts = [...waiting.values()];
  waiting.clear();
  put(parts);
}

addEventListener("pointerdown", (event) => { press = event; }, true);
// After the click that the release makes; the next press may be quicker.
for (const end of ["pointerup", "pointercancel"]) addEventListener(end, () => {
  const over = press;
  setTimeout(() => { if (press === over) press = null; putWaiting(); });
}, true);
// A list is left; a press takes the focus from elsewhere, and goes on.
addEventListener("focusout", () => setTimeout(putWaiting), true);

/** Puts fragments in place of the elements with their ids. Focus, scrolling and
 * what somebody is typing stay where they are; what somebody is pressing is replaced when they let go.
 * @param {string} html @returns {Element[]} */
export function swap(html) {
  const box = document.createElement("template");
  box.innerHTML = html;
  takeKeys(box.content);
  markMine(box.content);
  return put([...box.content.children]);
}

/** @param {Element[]} parts @returns {Element[]} */
function put(parts) {
  /** @type {Element[]} */
  const put = [];
  for (const next of parts) {
    const old = document.getElementById(next.id);
    waiting.delete(next.id);
    if (old && inHand(old)) {
      waiting.set(next.id, next);
      continue;
    }
    if (old?.hasAttribute("data-morph")) {
      morph(old, next);
      put.push(old);
      continue;
    }
    if (!old || old.outerHTML === next.outerHTML) continue;
    const restore = remember(old);
    old.replaceWith(next);
    restore(next);
    put.push(next);
  }
  if (put.length) document.dispatchEvent(new CustomEvent("feed:swapped", { detail: put }));
  return put;
}

/** Makes an element like another one by touching only what differs: of many small boards each move changes two squares.
 * @param {Element} old @param {Element} next */
function morph(old, next) {
  for (const { name, value } of next.attributes) if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  for (const { name } of [...old.attributes]) if (!next.hasAttribute(name)) old.removeAttribute(name);
  if (old.localName === "svg" && old.classList.contains("mini")) return morphPieces(old, next);
  const had = [...old.childNodes], want = [...next.childNodes];
  for (const [i, b] of want.entries()) {
    const a = had[i];
    if (!a) old.append(b);
    else if (a.nodeName !== b.nodeName) a.replaceWith(b);
    else if (b instanceof Element) morph(/** @type {Element} */ (a), b);
    else if (a.nodeValue !== b.nodeValue) a.nodeValue = b.nodeValue;
  }
  for (const a of had.slice(want.length)) a.remove();
}

/** The same of a small board: its pieces are told apart by where they stand, and their order does not matter.
 * @param {Element} old @param {Element} next */
function morphPieces(old, next) {
  const place = (/** @type {Element} */ e) => e.localName === "use" ? `${e.getAttribute("x")},${e.getAttribute("y")}` : e.outerHTML;
  const had = new Map([...old.children].map((e) => [place(e), e]));
  const pieces = old.querySelector("use");
  for (const b of [...next.children]) {
    const a = had.get(place(b));
    had.delete(place(b));
    if (!a) b.localName === "use" ? old.append(b) : old.insertBefore(b, pieces);
    else for (const name of ["href", "class"]) {
      const value = b.getAttribute(name) ?? "";
      if (a.localName === "use" && a.getAttribute(name) !== value) a.setAttribute(name, value);
    }
  }
  for (const a of had.values()) a.remove();
}

/** Marks the viewer's own lines, which are sent as everybody's.
 * @param {DocumentFragment} put */
function markMine(put) {
  const mine = document.body.dataset.mine;
  if (!mine) return;
  for (const at of mine.split(" "))
    for (const link of put.querySelectorAll(`tr a[href="${CSS.escape(at)}"]`)) link.closest("tr")?.classList.add("me");
}

/** @param {Element} old @returns {(next: Element) => void} */
function remember(old) {
  const active = document.activeElement;
  const focused = active && old.contains(active) ? active : null, find = focused && finder(focused);
  const field = focused instanceof HTMLInputElement || focused instanceof HTMLTextAreaElement ? focused : null;
  const open = [...old.querySelectorAll("details[open][id]")].map((d) => d.id);
  const scrolled = [old, ...old.querySelectorAll("[id]")]
    .filter((e) => e.id && (e.scrollTop || e.scrollLeft))
    .map((e) => /** @type {[string, number, number]} */ ([e.id, e.scrollTop, e.scrollLeft]));
  const sealed = /** @type {HTMLInputElement | null} */ (old.querySelector(".sealed :checked"))?.value;
  const forms = typedIn(old), typed = field && { value: field.value, from: selection(field, "selectionStart"), to: selection(field, "selectionEnd") };
  return () => {
    putTyped(forms);
    for (const id of open) document.getElementById(id)?.setAttribute("open", "");
    for (const [id, top, left] of scrolled) document.getElementById(id)?.scrollTo(left, top);
    const again = /** @type {HTMLElement | null | undefined} */ (find?.());
    const bid = /** @type {HTMLInputElement | null} */ (sealed && document.querySelector(`.sealed [value="${sealed}"]`));
    if (bid) bid.checked = true;
    if (!again) return;
    again.focus({ preventScroll: true });
    if (typed && (again instanceof HTMLInputElement || again instanceof HTMLTextAreaElement)) {
      again.value = typed.value;
      if (typed.from !== null) again.setSelectionRange(typed.from, typed.to);
    }
  };
}

/** How to find an element in what takes its part's place: by its id, or as the same of as many of its kind below the
 * nearest that has one. @param {Element} e @returns {() => Element | null | undefined} */
function finder(e) {
  if (e.id) return () => document.getElementById(e.id);
  const near = e.parentElement?.closest("[id]"), kin = [...near?.querySelectorAll(e.localName) ?? []], at = kin.indexOf(e);
  return () => {
    const now = near && document.getElementById(near.id)?.querySelectorAll(e.localName);
    return now?.length === kin.length ? now[at] : null;
  };
}

/** @param {HTMLInputElement | HTMLTextAreaElement} field @param {"selectionStart" | "selectionEnd"} which */
function selection(field, which) {
  try {
    return field[which];
  } catch {
    return null; // some kinds of input have no selection
  }
}

/** @param {MessageEvent} event */
function receive(event) {
  heard = Date.now();
  if (event.type === "beat") return;
  if (event.lastEventId) last = event.lastEventId;
  if (event.type === "swap" || event.type === "bell") {
    swap(event.data);
    if (hearing) others.postMessage(event.data);
    return;
  }
  if (event.type === "end") {
    ended = true;
    close();
    return;
  }
  document.dispatchEvent(new CustomEvent(`feed:${event.type}`, { detail: event.data ? JSON.parse(event.data) : null }));
}

function open() {
  if (source || ended && !hearing || !ready || !address) return;
  const url = new URL(hearing ? bellOnly : address, location.href);
  if (last && !hearing) url.searchParams.set("last", last);
  const bell = document.getElementById("bell")?.dataset.count, called = document.getElementById("called")?.dataset.mark;
  if (bell) url.searchParams.set("bell", bell);
  if (called !== undefined) url.searchParams.set("called", called);
  const opened = new EventSource(url);
  source = opened;
  heard = Date.now();
  for (const name of known) opened.addEventListener(name, receive);
  opened.addEventListener("open", () => {
    heard = Date.now();
    wait = 2000;
    clearTimeout(worried);
    worried = undefined;
    offline?.setAttribute("hidden", "");
  });
  opened.addEventListener("error", () => {
    if (ended || source !== opened) return;
    heard = Date.now();
    // A stream that is renewed now and then is no reason to worry anybody.
    worried ??= setTimeout(() => offline?.removeAttribute("hidden"), 5000);
    if (opened.readyState !== EventSource.CLOSED) return; // it tries again by itself
    close(); // refused, for example as one of too many
    document.dispatchEvent(new CustomEvent("feed:refused"));
    setTimeout(open, wait + Math.random() * 2000);
    wait = Math.min(wait * 1.6, 60000);
  });
}

function close() {
  source?.close();
  source = null;
}

/** Opens a dead stream anew: from the last event seen, so that nothing is missed and nothing comes twice. The clock may
 * be set, and a machine may sleep: either costs one stream more. */
function listen() {
  if (!source || Math.abs(Date.now() - heard) < silence) return;
  close();
  open();
}
setInterval(listen, 5000);

/** Goes on hearing the bell while hidden, as soon as no other hidden page does. */
function hear() {
  if (!navigator.locks || !document.getElementById("called")) return;
  const mine = new AbortController();
  navigator.locks.request("chpok.bell", { signal: mine.signal }, () => new Promise((done) => {
    hearing = mine;
    mine.signal.addEventListener("abort", done);
    open();
  })).catch(() => { /* shown again before its turn came */ });
  document.addEventListener("visibilitychange", () => {
    mine.abort();
    if (hearing !== mine) return;
    hearing = null;
    close();
    open();
  }, { once: true });
}

document.addEventListener("visibilitychange", () => {
  if (document.hidden && !keep) {
    close();
    hear();
  } else if (!document.hidden) {
    listen();
    open();
  }
});
others.addEventListener("message", (event) => { if (document.hidden) swap(event.data); });
// A page in the back-forward cache must not hold a connection.
addEventListener("pagehide", close);
addEventListener("pageshow", open);
// Not before: an event that nobody listens for yet would be lost, and a page's scripts come one by one.
addEventListener("DOMContentLoaded", () => {
  ready = true;
  open();
});
