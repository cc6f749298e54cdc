// The match page: clocks that count down, commands sent without leaving the page, stepping back, sounds.
// The server renders everything; the feed puts new pieces in place (feed.js).
import "./board.js";
import "./bidding.js";
import { keyOf, sign } from "./page_key.js";
import { look, tick as tickClocks } from "./clocks.js";
import { play, silent, toggleSound } from "./sound.js";
import { Steps } from "./steps.js";

const match = /** @type {HTMLElement} */ (document.getElementById("match"));
const steps = new Steps(match);
const board = () => /** @type {import("./board.js").ChpokBoard | null} */ (match.querySelector("chpok-board"));
const state = () => /** @type {HTMLElement} */ (document.getElementById("m-state"));
const bare = document.title;

let seq = state().dataset.seq, phase = state().dataset.status;
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

function trouble(text) {
  const box = document.getElementById("m-error");
  box.textContent = text;
  box.hidden = !text;
  clearTimeout(trouble.timer);
  if (text) trouble.timer = setTimeout(() => { box.hidden = true; }, 7000);
}

/** A name for a command, so that it is done once however often it is sent. */
function name() {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return [...bytes].map((b) => b.toString(16).padStart(2, "0")).join("");
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

/** Tells a player whose page is not the checked-in one, and leads him to the check-in. */
async function checkPage() {
  const banner = document.getElementById("m-check-in"), { page } = state().dataset;
  if (!banner || !page || await keyOf(page)) return;
  banner.querySelector("span").textContent = banner.dataset.lost;
  banner.hidden = false;
}

/** Sends a command; a lost answer is asked for again under the same name. Says whether it was accepted. Who is ready
 * is ready also when the other was quicker: that is sent once more. */
async function send(fields, again = false) {
  const body = fields instanceof FormData ? new URLSearchParams(/** @type {any} */ (fields)) : new URLSearchParams(fields);
  body.set("id", name());
  body.set("seq", state().dataset.seq);
  if (!await signed(body)) {
    await checkPage();
    document.getElementById("m-check-in").scrollIntoView({ block: "center" });
    return false;
  }
  for (let attempt = 0; ; attempt++) {
    try {
      const answer = await fetch(`${match.dataset.url}/commands`, { method: "POST", body, headers: { Accept: "application/json" } });
      if (answer.ok) { trouble(""); settle(state().dataset.seq); return true; }
      if (answer.status === 409 && attempt > 0) { refresh(); return true; } // done the first time, most likely
      if (answer.status === 409 && body.has("ready") && !again) { await refresh(); return send(fields, true); }
      const { message } = await answer.json().catch(() => ({ message: "" }));
      trouble(message || match.dataset.offline);
      if (answer.status === 409) refresh();
      if (answer.status === 403) await refresh().then(checkPage);
      return false;
    } catch {
      trouble(match.dataset.offline);
      if (attempt === 4) return false;
      await new Promise((again) => setTimeout(again, 700 * (attempt + 1)));
    }
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
    const put = [];
    for (const next of [...page.querySelectorAll("#match > [id]")]) {
      if (["m-error", "m-low", "m-say", "m-hint", "m-note"].includes(next.id)) continue;
      document.getElementById(next.id)?.replaceWith(next);
      put.push(next);
    }
    document.dispatchEvent(new CustomEvent("feed:swapped", { detail: put }));
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
  if (!await send({ act: /** @type {CustomEvent} */ (event).detail })) b.revert(legal);
});
match.addEventListener("say", (event) => { document.getElementById("m-hint").textContent = /** @type {CustomEvent} */ (event).detail; });
match.addEventListener("mode", (event) => {
  for (const b of match.querySelectorAll("[data-mode][aria-pressed]")) b.setAttribute("aria-pressed", String(b.dataset.mode === event.detail));
});

match.addEventListener("click", (event) => {
  const target = /** @type {Element} */ (event.target);
  const mode = target.closest("button[data-mode]"), button = target.closest("button[data-do]");
  if (mode) { steps.toLive(); board()?.setMode(mode.dataset.mode); }
  if (button?.dataset.do === "sound") { toggleSound(); paintSound(); play("move"); }
});

function paintSound() {
  for (const b of match.querySelectorAll('[data-do="sound"]')) b.setAttribute("aria-pressed", String(silent()));
}

document.addEventListener("feed:swapped", () => {
  look(state());
  tick();
  paintSound();
  steps.arrived();
  const now = state();
  if (now.dataset.seq !== seq) {
    seq = now.dataset.seq;
    // At once: a smooth scroll would be cut off by what is being swapped in.
    if (now.dataset.status !== phase) scrollTo({ top: 0, behavior: "instant" });
    phase = now.dataset.status;
    play(now.dataset.sound);
    document.getElementById("m-say").textContent = [now.dataset.say, now.querySelector(".m-status").textContent].join(" ");
    trouble("");
  }
  document.title = (now.hasAttribute("data-turn") ? "● " : "") + bare;
  const moves = match.querySelector(".moves");
  if (moves && !steps.isBack) moves.scrollTop = moves.scrollHeight;
});

document.addEventListener("feed:refused", refresh);

look(state());
tick();
paintSound();
checkPage();
setInterval(tick, 100);
document.title = (state().hasAttribute("data-turn") ? "● " : "") + bare;
const list = match.querySelector(".moves");
if (list) list.scrollTop = list.scrollHeight;
document.dispatchEvent(new Event("match:signs"));
