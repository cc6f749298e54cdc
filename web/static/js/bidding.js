// The bidding page: rows that open their editor, a bid that lies on the stack before it is made, chips dragged from the
// purse. Bounds and texts were worked out by the server and stand in the form.
import "./home_row.js";
import "./draw_moment.js";
import "./steppers.js";
import { cover } from "./back.js";
import { cap } from "./cap.js";
import { drawStack, drawStart } from "./start_board.js";

const wide = () => matchMedia("(min-width: 62rem), (min-width: 36rem) and (orientation: landscape)").matches;
const calm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
const rows = () => [.../** @type {NodeListOf<HTMLDetailsElement>} */ (document.querySelectorAll("details.raise"))];
const opened = () => rows().find((r) => r.open);
const chipsOf = (form) => /** @type {HTMLInputElement} */ (form.elements.chips);

/** What a form changes of what is in force. */
function changes(form) {
  return [...form.elements].filter((e) => {
    if (e.name === "chips" || e.type === "hidden") return false;
    if (e.type === "checkbox" || e.type === "radio") return e.checked && !e.defaultChecked || e.type === "checkbox" && !e.checked && e.defaultChecked;
    return e.defaultValue !== undefined && e.name && e.value !== e.defaultValue;
  });
}

/** What is set of bids that are not made yet, by target, with the stake that they would add to. */
const drafts = new Map();
/** Where this tab keeps them through a reload. */
const keptAs = `chpok.bid ${document.getElementById("match")?.dataset.url}`;

function saveDrafts() {
  const list = [...drafts].filter(([, draft]) => draft.chips || draft.set.length);
  if (list.length) sessionStorage.setItem(keptAs, JSON.stringify(list));
  else sessionStorage.removeItem(keptAs);
}

/** The forms that have taken over what was set in those before them. */
const resumed = new WeakSet();
const stakeOf = (form) => form.closest(".target").querySelector(".pile-me b").textContent;

function keepDraft(form) {
  const chips = chipsOf(form);
  if (!form.querySelector(".raise-foot[data-may]")) return;
  drafts.set(form.dataset.raise, {
    stake: stakeOf(form),
    chips: chips.value !== chips.defaultValue ? chips.value : "",
    least: chips.min,
    set: changes(form).map((e) => ({ name: e.name, value: e.value, checked: e.checked })),
  });
}

/** The row on which a bid was made. */
let made = "";

/** A bid that was made is no draft any more. */
function forgetMade(details, form) {
  const draft = drafts.get(form.dataset.raise);
  if (!draft || draft.stake === stakeOf(form)) return;
  drafts.delete(form.dataset.raise);
  made = details.id;
}

/** Goes on with a bid in the form that has come from the server meanwhile: opponents and arbiters act while one sets up. */
function resumeDraft(form) {
  if (resumed.has(form)) return;
  resumed.add(form);
  const draft = drafts.get(form.dataset.raise), chips = chipsOf(form);
  if (!draft) return;
  for (const { name, value, checked } of draft.set) {
    const e = [...form.elements].find((e) => e.name === name && e.type !== "hidden" && (e.type !== "radio" || e.value === value));
    if (!e || e.disabled) continue;
    if (e.type === "checkbox" || e.type === "radio") e.checked = checked;
    else e.value = value;
    if (name === "row") e.closest("chpok-row")?.take(value);
  }
  // More only where the opponent has raised since: too few that somebody typed stay too few.
  if (draft.chips) chips.value = draft.least === chips.min ? draft.chips : String(Math.max(Number(draft.chips), Number(chips.min)));
}

/** Why a bid cannot be made, in the words of the game; "" when it can. */
function fault(form) {
  const foot = form.querySelector(".raise-foot"), n = Number(chipsOf(form).value), row = form.querySelector("chpok-row");
  if (row && !row.row.includes("K")) return row.dataset.noKing;
  if (!Number.isInteger(n) || n < Number(foot.dataset.min)) return foot.dataset.few;
  if (n > Number(foot.dataset.purse)) return foot.dataset.many;
  return "";
}

/** Shows the bid that is being prepared: at its foot, on the stack and in the purse. */
function paint(details) {
  const form = details.querySelector("form.raise-form"), foot = form.querySelector(".raise-foot");
  forgetMade(details, form);
  resumeDraft(form);
  keepDraft(form);
  const set = changes(form);
  const n = Number(chipsOf(form).value), may = foot.hasAttribute("data-may");
  const wrong = may ? fault(form) : "";
  foot.classList.toggle("wrong", wrong !== "");
  const say = foot.querySelector(".say"), text = wrong || foot.dataset.say.replace("{n}", String(n));
  if (say.textContent !== text) say.textContent = text;
  foot.querySelector(".keep").textContent = may && !wrong ? foot.dataset.keep.replace("{n}", String(foot.dataset.purse - n)) : "";
  let effect = foot.dataset.effect;
  if (form.elements.minutes) effect = `${form.elements.minutes.value}+${form.elements.increment.value}`;
  else if (set.length) effect = foot.dataset.changed.replace("{n}", String(set.length));
  foot.querySelector(".effect").textContent = effect;
  if (may) foot.querySelector(".button.primary").disabled = wrong !== "" && wrong !== foot.dataset.few && wrong !== foot.dataset.many;
  for (const e of form.elements) if (e.type === "number" && e.name !== "chips") e.classList.toggle("new", set.includes(e));
  const reset = form.querySelector('[data-do="defaults"]');
  if (reset) reset.disabled = !set.length;
  for (const b of form.querySelectorAll(".time-presets button"))
    b.setAttribute("aria-pressed", String(b.dataset.minutes === form.elements.minutes.value && b.dataset.increment === form.elements.increment.value));
  const width = form.querySelector('input[name="width"]:checked');
  if (width) for (const board of /** @type {NodeListOf<SVGElement>} */ (document.querySelectorAll(".if-ended svg.start"))) {
    const home = board.dataset.home ??= board.dataset.row;
    drawStart(board, details.open ? width.dataset.row : home);
  }
  const step = form.querySelectorAll(".place [data-step]");
  step[0].disabled = n <= Number(foot.dataset.min);
  step[1].disabled = n >= Number(foot.dataset.purse);
  const ghosts = details.open && may && !wrong ? n : 0, pile = details.querySelector(".pile-me"), stack = pile.querySelector(".chip-stack");
  drawStack(stack, Number(stack.dataset.chips), ghosts);
  pile.querySelector(".plus").textContent = ghosts ? `+${ghosts}` : "";
}

function paintAll() {
  rows().forEach(paint);
  const open = opened(), fan = document.querySelector("#m-us .fan");
  if (!fan) return;
  const ghosts = open ? Number(open.querySelector(".pile-me .plus").textContent || 0) : 0, chips = [...fan.children];
  chips.forEach((chip, i) => chip.classList.toggle("ghost", i >= chips.length - Math.min(ghosts, chips.length)));
  fan.classList.toggle("mayDrag", rows().length > 0);
  if (rows().length) saveDrafts();
}

let last = "";
/** All rows were closed by hand, for this bid. */
let shut = false;

/** Where there is room beside the table, one row is open, unless it was closed: the last one, or where the opponent leads. */
function arrange() {
  const list = rows();
  shut &&= list.length > 0;
  if (list.length && !opened() && !shut && wide()) {
    const first = list.find((r) => r.id === last) ?? list.find((r) => r.querySelector(".st-them") && r.querySelector(".raise-foot[data-may]")) ?? list[0];
    first.open = true;
  }
  paintAll();
  const done = list.find((r) => r.id === made);
  if (done && !wide()) done.open = false; // whoever bids on sees the table first
  made = "";
}

document.addEventListener("click", (event) => {
  const target = /** @type {Element} */ (event.target), form = target.closest("form");
  const preset = target.closest("button[data-minutes]");
  if (preset) {
    form.elements.minutes.value = preset.dataset.minutes;
    form.elements.increment.value = preset.dataset.increment;
    paintAll();
  }
  if (target.closest('button[data-do="defaults"]')) {
    const chips = chipsOf(form).value;
    form.reset();
    chipsOf(form).value = chips;
    paintAll();
  }
  if (target.closest('button[data-do="close-bid"]')) close(opened());
  // Beside the table one row stays open: another one takes its place, the cross and Escape close it.
  if (wide() && target.closest("details.raise[open] > summary")) event.preventDefault();
});

function close(details) {
  if (!details) return;
  shut = true;
  details.open = false;
  details.querySelector("summary").focus();
}

for (const act of ["input", "change"]) document.addEventListener(act, (event) => { if (/** @type {Element} */ (event.target).closest("form.raise-form")) paintAll(); });
document.addEventListener("row", paintAll);
document.addEventListener("toggle", (event) => {
  const details = /** @type {HTMLDetailsElement} */ (event.target);
  if (!details.matches?.("details.raise")) return;
  if (details.open) { last = details.id; shut = false; }
  paintAll();
}, true);

// A bid that cannot be is not sent: the foot says why.
document.addEventListener("submit", (event) => {
  const form = /** @type {HTMLFormElement} */ (event.target);
  if (!form.matches("form.raise-form")) return;
  if (fault(form)) {
    event.preventDefault();
    event.stopPropagation();
    chipsOf(form).focus();
    return;
  }
  fly(form.closest("details"), Number(chipsOf(form).value));
}, true);

/** Chips fly from the purse to their row. */
function fly(details, n) {
  const from = document.querySelector("#m-us .fan")?.getBoundingClientRect(), to = details.querySelector(".pile-me").getBoundingClientRect();
  if (!from || calm()) return;
  for (let i = 0; i < Math.min(n, 15); i++) {
    const chip = chipAt(from.right - 24, from.top);
    chip.animate([{ translate: "0 0" }, { translate: `${to.left + to.width / 2 - from.right}px ${to.top + to.height / 2 - from.top}px` }],
      { duration: 220, delay: i * 30, easing: "ease-out", fill: "both" }).finished.then(() => chip.remove());
  }
}

function chipAt(x, y) {
  const chip = document.createElement("i");
  chip.className = "flying-chip";
  chip.style.transform = `translate(${x}px, ${y}px)`;
  document.body.append(chip);
  return chip;
}

let drag = null;
document.addEventListener("pointerdown", (event) => {
  const fan = /** @type {Element} */ (event.target).closest("#m-us .fan.mayDrag");
  if (!fan || event.button !== 0) return;
  drag = { id: event.pointerId, chip: chipAt(event.clientX - 15, event.clientY - 15) };
  fan.setPointerCapture(event.pointerId);
  event.preventDefault();
  // A flick of a finger that is over is not stopped by the next tap, which would be lost.
  fan.addEventListener("touchstart", (touch) => touch.preventDefault(), { once: true });
});
document.addEventListener("pointermove", (event) => {
  if (drag?.id !== event.pointerId) return;
  drag.chip.style.transform = `translate(${event.clientX - 15}px, ${event.clientY - 15}px)`;
  const over = rowAt(event);
  for (const r of rows()) r.querySelector("summary").classList.toggle("drop", r === over);
});
document.addEventListener("pointerup", (event) => {
  if (drag?.id !== event.pointerId) return;
  const over = rowAt(event);
  drop();
  if (!over) return;
  const input = chipsOf(over.querySelector("form.raise-form")), most = Number(over.querySelector(".raise-foot").dataset.purse);
  if (over.open) input.value = String(Math.min(Number(input.value) + 1, most));
  over.open = true;
  paintAll();
});
document.addEventListener("pointercancel", drop);

function drop() {
  drag?.chip.remove();
  drag = null;
  for (const r of rows()) r.querySelector("summary").classList.remove("drop");
}

function rowAt(event) {
  return document.elementFromPoint(event.clientX, event.clientY)?.closest?.(".target")?.querySelector("details.raise") ?? null;
}

document.addEventListener("keydown", (event) => {
  const target = /** @type {Element} */ (event.target), open = opened();
  if (event.ctrlKey || event.metaKey || event.altKey || !rows().length) return;
  if (event.key === "Escape" && open && !document.querySelector("[popover]:popover-open")) { close(open); return; }
  if (target.closest("input, select, textarea, .row-slots, [role=dialog]")) return;
  const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
  if (step && (target.closest("summary.tr") || target === document.body)) {
    const list = rows(), at = list.findIndex((r) => r.contains(target));
    list[Math.min(Math.max(at + step, 0), list.length - 1)].querySelector("summary").focus();
    event.preventDefault();
  }
  if (!open) return;
  const press = { "+": '.place [data-step="1"]', "=": '.place [data-step="1"]', "-": '.place [data-step="-1"]', c: ".place .call-bid", r: ".place .primary" }[cap(event)];
  if (press) { open.querySelector(press)?.click(); event.preventDefault(); }
});

cover(() => Boolean(opened()) && !wide(), () => close(opened()));
document.addEventListener("feed:swapped", arrange);
for (const [target, draft] of JSON.parse(sessionStorage.getItem(keptAs) ?? "[]")) drafts.set(target, draft);
arrange();
