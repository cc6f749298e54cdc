// The match page: clocks, commands sent without leaving the page, stepping back, sounds.
// The server renders everything; the feed puts new pieces in place (feed.js).
import "./back.js";
import "./board.js";
import "./bidding.js";
import { cap } from "./cap.js";
import { swap } from "./feed.js";
import { answersWithin, isAway, isSending, later, newKey } from "./outbox.js";
import { keyOf, sign } from "./page_key.js";
import { likes, prefer } from "./preferences.js";
import { look, tick as tickClocks } from "./clocks.js";
import { play } from "./sound.js";
import { Steps } from "./steps.js";
import "./win_moment.js";

const match = /** @type {HTMLElement} */ (document.getElementById("match"));
const steps = new Steps(match);
const board = () => /** @type {import("./board.js").ChpokBoard | null} */ (match.querySelector("chpok-board"));
const state = () => /** @type {HTMLElement} */ (document.getElementById("m-state"));
const bare = document.title;

let seq = state().dataset.seq, phase = state().dataset.status, rematch = state().dataset.rematch;
const tick = () => tickClocks(match, (clock, deadline, left) => {
  if (clock.closest("#m-us") && match.dataset.you) warn(deadline, left);
});

const announced = new Set();

/** Tells a player once for each running clock that little time is left, and again at five seconds. */
function warn(deadline, left) {
  const key = `${deadline}/${left < 5000 ? 5 : 0}`;
  if (announced.has(key)) return;
  announced.add(key);
  document.getElementById("m-low").textContent = match.dataset.low.replace("0", String(Math.ceil(left / 1000)));
  play("low");
}

function trouble(text, stays = false) {
  const box = document.getElementById("m-error");
  box.textContent = text;
  box.hidden = !text;
  clearTimeout(trouble.timer);
  if (text && !stays) trouble.timer = setTimeout(() => { box.hidden = true; }, 7000);
}

/** Where the page has to sign what the player does, it signs; false: this browser has not the checked-in page's key. */
async function signed(body) {
  const { page, chain, seq } = state().dataset;
  if (page === undefined) return true;
  if (!page) return true; // not checked in yet: the server says so
  const key = await keyOf(page);
  if (!key) return false;
  body.set("sig", await sign(key, match.dataset.url.split("/").pop(), seq, chain, body));
  return true;
}

/** Leads a player whose page is not the checked-in one to the check-in. */
async function checkPage() {
  const banner = document.getElementById("m-check-in"), { page } = state().dataset;
  if (!banner || !page || await keyOf(page)) return;
  banner.querySelector("span").textContent = banner.dataset.lost;
  banner.hidden = false;
}

/** Sends a command and says whether it was accepted. Without a connection, or where a server or a proxy in front of it
 * says that nobody is there just now, it is kept, shown as not sent, and sent again
 * under the same name and for the same place of the log, so that it is done once or not at all. */
async function send(fields) {
  const body = fields instanceof FormData ? new URLSearchParams(/** @type {any} */ (fields)) : new URLSearchParams(fields);
  body.set("id", newKey()); // so that it is done once however often it is sent
  body.set("seq", state().dataset.seq);
  if (!await signed(body)) {
    await checkPage();
    document.getElementById("m-check-in").scrollIntoView({ block: "center" });
    return false;
  }
  for (let attempt = 0; ; attempt++) {
    let answer;
    try {
      answer = await fetch(`${match.dataset.url}/commands`, { method: "POST", body, headers: { Accept: "application/json" }, signal: AbortSignal.timeout(answersWithin) });
      if (isAway(answer)) throw new Error("nobody is there");
    } catch {
      match.classList.add("unsent");
      trouble(match.dataset.unsent, true);
      await later(attempt);
      continue;
    }
    match.classList.remove("unsent");
    if (answer.ok) {
      trouble("");
      if (attempt > 0) refresh(); else settle(body.get("seq"));
      return true;
    }
    if (answer.status === 409 && attempt > 0) { trouble(match.dataset.moved); refresh(); return true; }
    const { message } = await answer.json().catch(() => ({ message: "" }));
    trouble(message || match.dataset.offline);
    if (answer.status === 409) refresh();
    if (answer.status === 403) await refresh().then(checkPage);
    return false;
  }
}

/** The feed brings what follows from a command; should it not, the page is asked for. */
function settle(was) {
  setTimeout(() => { if (state().dataset.seq === was) refresh(); }, 4000);
}

async function refresh() {
  try {
    const answer = await fetch(match.dataset.url, { headers: { Accept: "text/html" } });
    if (!answer.ok) return;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    if (Number(page.getElementById("m-state")?.dataset.seq) < Number(state().dataset.seq)) return;
    swap([...page.querySelectorAll("#match :is(.rail, .table-side, .beneath) > [id]")].map((next) => next.outerHTML).join(""));
  } catch { /* the feed is trying already */ }
}

match.addEventListener("submit", async (event) => {
  const form = /** @type {HTMLFormElement} */ (event.target), submitter = /** @type {any} */ (event).submitter;
  if (!form.classList.contains("command")) return;
  event.preventDefault();
  if (submitter) submitter.disabled = true;
  const fields = new FormData(form);
  if (submitter?.name) fields.set(submitter.name, submitter.value);
  const accepted = await send(fields);
  if (accepted && form.classList.contains("typed")) form.reset();
  if (submitter && (!accepted || form.classList.contains("typed"))) submitter.disabled = false;
});

match.addEventListener("act", async (event) => {
  const b = board(), legal = b.legalBefore;
  if (!likes("confirm") || b.chosen || await confirmed(/** @type {CustomEvent} */ (event).detail)) {
    if (await send({ act: /** @type {CustomEvent} */ (event).detail })) return;
  }
  b.revert(legal);
});

/** Asks before a move is sent, where that is preferred. @returns {Promise<boolean>} */
function confirmed(text) {
  const ask = /** @type {HTMLElement} */ (match.querySelector("#m-actions .ask"));
  if (!ask) return Promise.resolve(true);
  ask.querySelector("b").textContent = /^[a-j]\d/.test(text) ? `${text.slice(0, 2)}–${text.slice(2).toUpperCase().replace(/^[A-J]\d/, (to) => to.toLowerCase())}` : text;
  ask.hidden = false;
  ask.querySelector("button").focus();
  return new Promise((answer) => {
    const done = (yes) => { ask.hidden = true; answer(yes); };
    ask.addEventListener("click", (event) => {
      const what = /** @type {Element} */ (event.target).closest("button")?.dataset.do;
      if (what) done(what === "confirm-move");
    });
    ask.addEventListener("keydown", (event) => { if (event.key === "Escape") done(false); });
  });
}

match.addEventListener("premove", showPre);

/** Shows the premove where the actions are. */
function showPre() {
  const line = /** @type {HTMLElement} */ (match.querySelector("#m-actions .pre")), pre = board()?.memory.pre;
  if (!line) return;
  line.hidden = !pre && !claims;
  line.querySelector("span").textContent = match.dataset.pre;
  line.querySelector("b").textContent = pre ? `${pre.from}–${pre.to}` : match.dataset.claim ?? "";
}

/** Whether a claim goes out as soon as it may. */
let claims = false;

function claim() {
  const may = /** @type {HTMLButtonElement | null} */ (match.querySelector('#m-actions button[value^="claim "]'));
  if (!claims || !may) return;
  claims = false;
  may.form?.requestSubmit(may);
}

/** Points happen: they rise from the square where the move ended. */
function rise() {
  const { gain, gainAt } = state().dataset, cell = gainAt && match.querySelector(`[data-sq="${gainAt}"]`);
  if (!gain || !cell) return;
  const mine = state().hasAttribute("data-gain-mine"), big = state().hasAttribute("data-gain-big");
  play(big ? "king" : gain);
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  const at = cell.getBoundingClientRect(), mark = document.createElement("b");
  mark.className = `gain ${mine ? "mine" : "foe"}`;
  mark.textContent = gain;
  mark.style.left = `${at.left + at.width / 2}px`;
  mark.style.top = `${at.top}px`;
  document.body.append(mark);
  mark.animate([{ translate: "-50% 20px", opacity: 0 }, { opacity: 1, offset: 0.3 }, { translate: "-50% -40px", opacity: 1, offset: 0.8 }, { translate: "-50% -44px", opacity: 0 }],
    { duration: big ? 1400 : 900, easing: "ease-out" }).finished.then(() => mark.remove());
}

match.addEventListener("say", (event) => { document.getElementById("m-hint").textContent = /** @type {CustomEvent} */ (event).detail; });
match.addEventListener("mode", (event) => {
  for (const b of match.querySelectorAll("[data-mode][aria-pressed]")) b.setAttribute("aria-pressed", String(b.dataset.mode === event.detail));
});

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || !board() || /** @type {Element} */ (event.target).closest("input, textarea, select")) return;
  if (cap(event) === "g") prefer("ranks", !likes("ranks"));
  if (cap(event) === "x") { claims = false; board().dropPre(); }
});

match.addEventListener("click", (event) => {
  const target = /** @type {Element} */ (event.target);
  const mode = target.closest("button[data-mode]"), button = target.closest("button[data-do]");
  if (mode) { steps.toLive(); board()?.setMode(mode.dataset.mode); }
  if (target.closest('.sheet a[href^="#"]')) /** @type {HTMLElement} */ (target.closest(".sheet")).hidePopover();
  if (button?.dataset.do === "sound") { prefer("sound", !likes("sound")); play("move"); }
  if (button?.dataset.do === "ranks") prefer("ranks", !likes("ranks"));
  if (button?.dataset.do === "pre-claim") { claims = true; showPre(); }
  if (button?.dataset.do === "drop-pre") { claims = false; board()?.dropPre(); }
});

document.addEventListener("feed:swapped", () => {
  look(state());
  tick();
  steps.arrived();
  const now = state();
  if (now.dataset.seq !== seq) {
    seq = now.dataset.seq;
    // At once: a smooth scroll would be cut off by what is being swapped in.
    if (now.dataset.status !== phase) scrollTo({ top: 0, behavior: "instant" });
    phase = now.dataset.status;
    play(now.dataset.sound);
    rise();
    document.getElementById("m-say").textContent = [now.dataset.say, now.querySelector(".m-status").lastChild.textContent].join(" ");
    trouble("");
  }
  // Both have agreed to a rematch: whoever is still here goes there. Who has just accepted is led there by the answer.
  if (now.dataset.rematch && now.dataset.rematch !== rematch && !isSending()) location.assign(now.dataset.rematch);
  rematch = now.dataset.rematch;
  document.title = (now.hasAttribute("data-turn") ? "● " : "") + bare;
  claim();
  showPre();
  if (!steps.isBack) toEnd();
});

/** The list of moves is opened at its end. */
function toEnd() {
  const list = match.querySelector(".moves")?.closest(".m-scroll");
  if (list) list.scrollTop = list.scrollHeight;
}

document.addEventListener("feed:refused", refresh);
document.addEventListener("outbox:here", refresh);

look(state());
tick();
checkPage();
setInterval(tick, 100);
document.title = (state().hasAttribute("data-turn") ? "● " : "") + bare;
toEnd();
document.dispatchEvent(new Event("match:signs"));
