// The editor of a home row: the first rank of the board. Pick a place and a piece in either order, or drag; two places swap. The letters
// in its input are what is sent.
import { drawPiece } from "./board.js";
import { cap } from "./cap.js";
import { drawStart } from "./start_board.js";

class ChpokRow extends HTMLElement {
  connectedCallback() {
    this.input = this.querySelector("input[name=row]");
    this.slots = this.querySelector(".row-slots");
    this.row = this.input.value;
    this.picked = null;
    this.held = null; // the letter of a piece that waits for its place
    this.moved = false; // the picked place came after the one before
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
      slot.className = "slot";
      slot.dataset.slot = String(i);
      this.slots.append(slot);
    }
    this.paint();
  }

  /** Takes over a row that was begun in an editor before this one. */
  take(row) {
    if (row.length !== this.row.length) return;
    this.row = row;
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
    for (const kind of this.querySelectorAll("[data-kind]")) kind.setAttribute("aria-pressed", String(kind.dataset.kind === this.held));
    for (const board of this.querySelectorAll("svg.start")) drawStart(board, this.row);
    this.dispatchEvent(new CustomEvent("row", { bubbles: true, detail: this.row }));
  }

  shuffle() {
    const row = [...this.row];
    for (let i = row.length - 1; i > 0; i--) {
      const j = crypto.getRandomValues(new Uint32Array(1))[0] % (i + 1);
      [row[i], row[j]] = [row[j], row[i]];
    }
    return row.join("");
  }

  click(e) {
    const slot = e.target.closest("[data-slot]"), kind = e.target.closest("[data-kind]"), tool = e.target.closest("button[data-row]");
    if (this.dragged) { this.dragged = false; return; }
    if (slot) {
      const i = Number(slot.dataset.slot);
      if (this.held) { this.set(i, this.held); this.held = null; }
      else if (this.picked !== null && this.picked !== i) { this.swap(this.picked, i); this.picked = null; }
      else this.picked = this.picked === i && !this.moved ? null : i; // where the next piece goes is chosen, not given up
      this.moved = false;
      this.paint();
    }
    if (kind && this.picked === null) {
      this.held = this.held === kind.dataset.kind ? null : kind.dataset.kind;
      this.paint();
    } else if (kind) {
      const i = this.picked;
      this.picked = i + 1 < this.row.length ? i + 1 : null;
      this.moved = true;
      this.set(i, kind.dataset.kind);
    }
    if (tool) {
      this.picked = this.held = null;
      this.moved = false;
      const rows = { standard: () => this.dataset.standard, now: () => this.dataset.stands, mirror: () => [...this.row].reverse().join(""), shuffle: () => this.shuffle() };
      this.row = rows[tool.dataset.row]();
      this.paint();
    }
  }

  key(e) {
    const slot = e.target.closest("[data-slot]");
    if (!slot || e.ctrlKey || e.metaKey || e.altKey) return;
    const i = Number(slot.dataset.slot), letter = cap(e).toUpperCase();
    const next = { ArrowLeft: i - 1, ArrowRight: i + 1 }[e.key];
    if (next !== undefined) {
      e.preventDefault();
      if (!this.slots.children[next]) return;
      if (e.shiftKey) this.swap(i, next);
      this.slots.children[next].focus();
    } else if (this.names[letter]) {
      e.preventDefault();
      this.set(i, letter);
      this.slots.children[Math.min(i + 1, this.row.length - 1)].focus();
    } else if (letter === "M") {
      this.row = [...this.row].reverse().join("");
      this.paint();
    } else return;
    e.stopPropagation();
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
      this.picked = this.held = null;
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
