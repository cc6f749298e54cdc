// The outcome editors of a raise: steppers, presets, the home row by clicking or dragging, previews.
// Bounds and rows at other widths were worked out by the server and stand in the form.
import { drawPiece } from "./board.js";

const svgNS = "http://www.w3.org/2000/svg";

/** Draws the start position of a home row into a small board. */
function preview(box, row) {
  const old = box?.querySelector("svg.mini");
  if (!old || !row) return;
  const svg = document.createElementNS(svgNS, "svg"), w = row.length;
  svg.setAttribute("class", "mini");
  svg.setAttribute("viewBox", `0 0 ${w} 8`);
  svg.setAttribute("role", "img");
  svg.setAttribute("aria-label", `${old.getAttribute("aria-label").split(":")[0]}: ${row}`);
  const add = (tag, attributes) => {
    const e = document.createElementNS(svgNS, tag);
    for (const [k, v] of Object.entries(attributes)) e.setAttribute(k, String(v));
    svg.append(e);
  };
  add("rect", { class: "mini-light", width: w, height: 8 });
  let dark = "";
  for (let rank = 0; rank < 8; rank++) for (let file = rank % 2; file < w; file += 2) dark += `M${file} ${7 - rank}h1v1h-1z`;
  add("path", { class: "mini-dark", d: dark });
  [...row].forEach((letter, file) => {
    for (const [colour, kind, y] of [["w", letter, 7], ["w", "P", 6], ["b", "P", 1], ["b", letter, 0]])
      add("use", { class: `pc-${colour}`, href: `#pc-${kind}`, x: file, y, width: 1, height: 1 });
  });
  old.replaceWith(svg);
}

document.addEventListener("click", (event) => {
  const target = /** @type {Element} */ (event.target);
  const step = target.closest("button[data-step]"), preset = target.closest("button[data-minutes]");
  if (step) {
    const input = step.parentElement.querySelector("input");
    if (step.dataset.step === "1") input.stepUp(); else input.stepDown();
    input.dispatchEvent(new Event("change", { bubbles: true }));
  }
  if (preset) {
    const form = preset.closest("form");
    form.elements.minutes.value = preset.dataset.minutes;
    form.elements.increment.value = preset.dataset.increment;
  }
  if (target.closest('button[data-do="defaults"]')) {
    const form = target.closest("form"), chips = form.elements.chips.value;
    form.reset();
    form.elements.chips.value = chips;
    width(form);
  }
});

document.addEventListener("change", (event) => {
  const input = /** @type {HTMLInputElement} */ (event.target);
  if (input.name === "width") width(input.form);
  if (input.name === "row" && input.type === "radio") preview(input.form.querySelector(".raise-preview"), input.value);
});

// An opened raise comes to the top, under the opponent's strip.
document.addEventListener("toggle", (event) => {
  const raise = /** @type {HTMLDetailsElement} */ (event.target);
  if (raise.matches?.("details.raise") && raise.open) raise.scrollIntoView({ block: "start" });
}, true);

function width(form) {
  const chosen = form.querySelector('input[name="width"]:checked');
  if (chosen) preview(form.querySelector(".raise-preview"), chosen.dataset.row);
}

/** The home row: pick a place and a piece, or drag; two places swap. The letters in its input are what is sent. */
class ChpokRow extends HTMLElement {
  connectedCallback() {
    this.input = this.querySelector("input[name=row]");
    this.slots = this.querySelector(".row-slots");
    this.row = this.input.value;
    this.picked = null;
    this.toggleAttribute("ready", true);
    this.input.tabIndex = -1;
    this.names = Object.fromEntries([...this.querySelectorAll("[data-kind]")].map((b) => [b.dataset.kind, b.getAttribute("aria-label")]));
    this.addEventListener("click", (e) => this.click(e));
    this.addEventListener("keydown", (e) => this.key(e));
    this.addEventListener("pointerdown", (e) => this.down(e));
    this.addEventListener("pointermove", (e) => this.move(e));
    this.addEventListener("pointerup", (e) => this.up(e));
    this.addEventListener("pointercancel", () => this.drop());
    for (let i = 0; i < Number(this.dataset.width); i++) {
      const slot = document.createElement("button");
      slot.type = "button";
      slot.className = "button slot";
      slot.dataset.slot = String(i);
      this.slots.append(slot);
    }
    this.paint();
  }

  set(i, letter) {
    this.row = this.row.slice(0, i) + letter + this.row.slice(i + 1);
    this.paint();
  }

  swap(i, j) {
    const a = this.row[i], b = this.row[j];
    this.set(i, b);
    this.set(j, a);
  }

  paint() {
    this.input.value = this.row;
    [...this.slots.children].forEach((slot, i) => {
      slot.replaceChildren(drawPiece("w" + this.row[i]));
      slot.setAttribute("aria-pressed", String(i === this.picked));
      slot.setAttribute("aria-label", `${this.dataset.pieceLabel.trim()} ${String.fromCharCode(97 + i)}: ${this.names[this.row[i]]}`);
    });
    const fault = this.row.includes("K") ? "" : this.dataset.noKing;
    this.querySelector(".row-fault").textContent = fault;
    for (const b of this.closest("form").querySelectorAll(".raise-foot button.primary")) b.disabled = fault !== "";
    preview(this.parentElement.querySelector(".raise-preview"), this.row);
  }

  click(e) {
    const slot = e.target.closest("[data-slot]"), kind = e.target.closest("[data-kind]"), tool = e.target.closest("[data-row]");
    if (this.dragged) { this.dragged = false; return; }
    if (slot) {
      const i = Number(slot.dataset.slot);
      if (this.picked !== null && this.picked !== i) { this.swap(this.picked, i); this.picked = null; } else this.picked = this.picked === i ? null : i;
      this.paint();
    }
    if (kind) {
      if (this.picked === null) this.picked = 0;
      const i = this.picked;
      this.picked = i + 1 < this.row.length ? i + 1 : null;
      this.set(i, kind.dataset.kind);
    }
    if (tool) {
      this.picked = null;
      this.row = tool.dataset.row === "standard" ? this.dataset.standard : [...this.row].reverse().join("");
      this.paint();
    }
  }

  key(e) {
    const slot = e.target.closest("[data-slot]");
    if (!slot || e.ctrlKey || e.metaKey || e.altKey) return;
    const i = Number(slot.dataset.slot), letter = e.key.toUpperCase();
    if (this.names[letter]) { this.set(i, letter); this.slots.children[Math.min(i + 1, this.row.length - 1)].focus(); e.preventDefault(); }
    const next = { ArrowLeft: i - 1, ArrowRight: i + 1 }[e.key];
    if (next !== undefined && this.slots.children[next]) { this.slots.children[next].focus(); e.preventDefault(); }
  }

  down(e) {
    const from = e.target.closest("[data-slot], [data-kind]");
    this.dragged = false;
    if (from && e.button === 0) this.drag = { from, x: e.clientX, y: e.clientY, id: e.pointerId, ghost: null };
  }

  move(e) {
    const d = this.drag;
    if (!d || d.id !== e.pointerId) return;
    if (!d.ghost) {
      if (Math.hypot(e.clientX - d.x, e.clientY - d.y) < 6) return;
      const piece = d.from.querySelector(".pc"), size = piece.getBoundingClientRect().width;
      d.ghost = piece.cloneNode(true);
      d.ghost.classList.add("ghost");
      d.ghost.style.width = d.ghost.style.height = `${Math.max(size, 40)}px`;
      document.body.append(d.ghost);
      this.setPointerCapture(d.id);
    }
    const r = d.ghost.getBoundingClientRect();
    d.ghost.style.transform = `translate(${e.clientX - r.width / 2}px, ${e.clientY - r.height / 2}px)`;
    const over = this.slotAt(e);
    for (const s of this.slots.children) s.classList.toggle("over", s === over);
    e.preventDefault();
  }

  slotAt(e) {
    const s = document.elementFromPoint(e.clientX, e.clientY)?.closest?.("[data-slot]");
    return s && this.contains(s) ? s : null;
  }

  up(e) {
    const d = this.drag;
    if (!d || d.id !== e.pointerId) return;
    const over = d.ghost && this.slotAt(e);
    if (d.ghost) { this.dragged = true; setTimeout(() => { this.dragged = false; }, 0); }
    if (over) {
      const to = Number(over.dataset.slot);
      if (d.from.dataset.kind) this.set(to, d.from.dataset.kind);
      else this.swap(Number(d.from.dataset.slot), to);
      this.picked = null;
      this.paint();
    }
    this.drop();
  }

  drop() {
    this.drag?.ghost?.remove();
    this.drag = null;
    for (const s of this.slots.children) s.classList.remove("over");
  }
}

customElements.define("chpok-row", ChpokRow);
