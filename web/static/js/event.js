// A new event: the proposal follows the answers, the long form follows the proposal
// wherever nobody has changed it. The server works both out; without this script it
// does so when the form is sent.
import { swap } from "./feed.js";
import { reach } from "./reach.js";

const form = /** @type {HTMLFormElement | null} */ (document.querySelector("form[data-propose]"));
let pending = 0;
let asked = 0;
let answered = 0;
/** The long form is behind the answers; else only the proposal is asked for. */
let behind = false;

async function propose() {
  if (!form?.dataset.propose) return;
  const mine = ++asked, card = !behind;
  const body = new URLSearchParams();
  for (const [name, value] of new FormData(form)) body.append(name, String(value));
  const wanted = () => mine === asked, to = form.dataset.propose + (card ? "?part=card" : "");
  const answer = await reach(() => fetch(to, { method: "POST", body, headers: { Accept: "text/html-fragment" } }), { wanted });
  const html = await answer?.text();
  if (!answer?.ok || !html || !wanted()) return;
  answered = asked;
  behind = false;
  swap(html);
}

form?.addEventListener("input", (event) => {
  const field = /** @type {HTMLInputElement} */ (event.target);
  if (field.name === "name" && asked === answered) return;
  asked++; // an answer that is on its way knows nothing of this, and would take it back
  behind ||= !field.closest("#advanced");
  if (field.name === "people_other") /** @type {HTMLInputElement} */ (form.querySelector("input[name=people][value=other]")).checked = true;
  clearTimeout(pending);
  pending = window.setTimeout(() => propose(), field.type === "radio" ? 0 : 250);
});

// Who chooses "Other" writes a number.
form?.addEventListener("change", (event) => {
  const field = /** @type {HTMLInputElement} */ (event.target);
  if (field.name === "people" && field.value === "other") field.parentElement?.querySelector("input[type=number]")?.focus();
});

/** Gives every line of a list that can be sorted its two buttons. */
function sortable() {
  for (const list of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("ol[data-sort]"))) {
    for (const line of list.children) {
      if (line.querySelector("button")) continue;
      for (const [step, sign, label] of /** @type {[number, string, string][]} */ ([[-1, "↑", list.dataset.up], [1, "↓", list.dataset.down]])) {
        const button = document.createElement("button");
        button.type = "button";
        button.className = "quiet small";
        button.textContent = sign;
        button.setAttribute("aria-label", label);
        button.addEventListener("click", () => move(line, step));
        line.append(button);
      }
    }
  }
}

/** @param {Element} line @param {number} step */
function move(line, step) {
  const other = step < 0 ? line.previousElementSibling : line.nextElementSibling;
  if (!other) return;
  if (step < 0) other.before(line);
  else other.after(line);
  line.querySelector("select")?.dispatchEvent(new Event("input", { bubbles: true }));
  /** @type {HTMLElement | null} */ (line.querySelector(step < 0 ? "button" : "button:last-of-type"))?.focus();
}
sortable();
document.addEventListener("feed:swapped", sortable);
