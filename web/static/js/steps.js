// Looking back through a game: the buttons, the list of moves, the slider and the arrow keys.

import { drawPiece } from "./board.js";
import { cap } from "./cap.js";

export class Steps {
  /** @param {HTMLElement} match */
  constructor(match) {
    this.match = match;
    this.at = null; // null: the position now
    this.plies = [];
    this.seq = -1;
    match.addEventListener("click", (e) => this.click(e));
    document.addEventListener("keydown", (e) => this.key(e));
  }

  get isBack() { return this.at !== null; }
  get board() { return /** @type {any} */ (this.match.querySelector("chpok-board")); }
  get isReplay() { return this.match.hasAttribute("data-ply"); }

  click(event) {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    const link = event.target.closest(":is(.move, .dot, .key-move)[data-ply]"), button = event.target.closest("[data-do]");
    if (link) {
      event.preventDefault();
      this.show(Number(link.dataset.ply));
      return;
    }
    if (!this.board) return;
    switch (button?.dataset.do) {
      case "first": if (!this.isReplay) { event.preventDefault(); this.show(0); } break;
      case "back": event.preventDefault(); this.by(-1); break;
      case "forward": event.preventDefault(); this.by(1); break;
      case "last":
      case "live": event.preventDefault(); this.toLive(); break;
      case "flip": this.board?.flip(); break;
    }
  }

  key(event) {
    const target = /** @type {Element} */ (event.target);
    if (event.ctrlKey || event.altKey || event.metaKey || target.closest("input, select, textarea, [role=dialog], [popover]")) return;
    if (/^(Home|End)$/.test(event.key) && target.matches(".m-scroll")) return; // which scroll it
    const step = { ArrowLeft: -1, ArrowRight: 1, Home: -1e6, End: 1e6 }[event.key];
    if (cap(event) === "f" && this.board) { this.board.flip(); return; }
    if (!step || !this.board) return;
    event.preventDefault();
    this.by(step);
  }

  /** The positions, read again when the game has gone on. */
  async load(again = false) {
    const seq = Number(document.getElementById("m-state")?.dataset.seq ?? 0);
    if (this.plies.length && this.seq === seq && !again) return;
    const answer = await fetch(`${this.match.dataset.url}/positions`, { headers: { Accept: "application/json" } });
    if (!answer.ok) return;
    this.plies = (await answer.json()).plies;
    this.seq = seq;
  }

  async by(step) {
    await this.load();
    if (this.isReplay && this.at === 0 && step < 0) { this.match.dispatchEvent(new CustomEvent("before-start")); return; }
    await this.show((this.at ?? this.plies.length - 1) + step);
  }

  async show(ply) {
    await this.load();
    const end = this.plies.length - 1;
    if (end < 0 || !this.board) return;
    ply = Math.min(Math.max(ply, 0), end);
    if (ply === end && !this.isReplay) { this.toLive(); return; }
    this.at = ply;
    this.paint();
  }

  paint() {
    const ply = this.plies[this.at];
    if (!ply || !this.board) return;
    this.board.show(ply.placement, ply.last, this.isReplay ? null : this.at);
    this.mark(this.at);
    const note = document.getElementById("m-note"), caption = document.getElementById("m-caption");
    if (note) { note.hidden = false; note.querySelector("span").textContent = `${this.match.dataset.history}: ${ply.caption}`; }
    if (caption) caption.textContent = ply.caption;
    if (!this.isReplay) return;
    ["first", "second"].forEach((seat, i) => {
      const points = this.match.querySelector(`.seat-${seat} .strip-points b`), clock = this.match.querySelector(`.seat-${seat} .clock`);
      if (points) {
        points.textContent = ply.points[i];
        points.nextElementSibling.textContent = ply.units[i];
      }
      if (clock) clock.textContent = ply.clocks[i];
    });
    this.judge(ply.judged);
    this.point();
    this.weigh(ply);
    this.take();
    const slider = /** @type {HTMLInputElement} */ (document.getElementById("m-ply"));
    if (slider) slider.value = String(this.at);
    history.replaceState(null, "", `?ply=${this.at}`);
  }

  /** What analysis says of the shown move. */
  judge(judged) {
    const text = this.match.querySelector(".judged-text");
    if (!text) return;
    text.className = `judged-text is-${judged?.grade ?? ""}`;
    for (const what of ["text", "better"]) text.querySelector(`[data-of="${what}"]`).textContent = judged?.[what] ?? "";
    this.board?.point([judged?.arrow].filter(Boolean));
    this.match.dispatchEvent(new CustomEvent("stepped"));
  }

  /** Where the shown move is on the charts. */
  point() {
    const x = 26 + 308 * this.at / Math.max(this.plies.length - 1, 1);
    for (const line of this.match.querySelectorAll(".chart .cursor")) line.setAttribute("transform", `translate(${x - 26} 0)`);
  }

  /** The pieces taken up to the shown move: White's plies are the odd ones. */
  take() {
    for (const strip of this.match.querySelectorAll(".strip")) {
      const odd = strip.querySelector(".c-w") ? 1 : 0, label = this.match.dataset.taken ?? "";
      const codes = this.plies.slice(1, this.at + 1).filter((ply, i) => ply.taken && (i + 1) % 2 === odd).map((ply) => ply.taken);
      let box = strip.querySelector(".strip-captured");
      if (!box) {
        box = document.createElement("div");
        box.className = "strip-captured";
        box.setAttribute("role", "img");
        box.setAttribute("aria-label", label);
        strip.querySelector(".who")?.after(box);
      }
      box.replaceChildren(...codes.map(drawPiece));
      box.toggleAttribute("hidden", !codes.length);
    }
  }

  /** The points of the shown move: where they came from, and who leads by how much. */
  weigh(ply) {
    const us = document.getElementById("m-us").classList.contains("seat-second") ? 1 : 0, lead = us ? -ply.lead : ply.lead;
    for (const row of this.match.querySelectorAll("#m-points tr[data-source]")) {
      const of = row.dataset.source === "total" ? ply.points : ply.sources[Number(row.dataset.source) - 1], cells = row.querySelectorAll("td");
      cells[0].textContent = of?.[us] ?? "0";
      cells[1].textContent = of?.[1 - us] ?? "0";
    }
    const tug = this.match.querySelector(".tug"), share = 50 + 46 * Math.tanh(lead / 23), size = Math.abs(lead);
    if (!tug) return;
    tug.classList.toggle("mine", lead > 0);
    const [up, flat] = tug.querySelectorAll(".tug-me"), badge = tug.querySelector(".tug-lead");
    up.setAttribute("y", `${100 - share}%`);
    up.setAttribute("height", `${share}%`);
    flat.setAttribute("width", `${share}%`);
    if (!badge) return;
    badge.setAttribute("y", `${100 - share}%`);
    badge.toggleAttribute("hidden", !lead);
    badge.querySelector("text").textContent = size >= 1000 ? `+${Math.floor(size / 1000)}k` : `+${size}`;
  }

  mark(at) {
    for (const a of this.match.querySelectorAll(":is(.move, .key-move)[data-ply]")) {
      const now = Number(a.dataset.ply) === at;
      a.classList.toggle("now", now);
      if (now) { a.setAttribute("aria-current", "step"); if (a.matches(".move")) this.reveal(a); } else a.removeAttribute("aria-current");
    }
  }

  reveal(a) {
    const box = a.closest(".m-scroll"), view = box.getBoundingClientRect(), row = a.closest("li").getBoundingClientRect();
    if (row.top < view.top) box.scrollTop -= view.top - row.top;
    else if (row.bottom > view.bottom) box.scrollTop += row.bottom - view.bottom;
  }

  /** Back to the position now. */
  toLive() {
    if (this.isReplay) { this.show(this.plies.length - 1); return; }
    if (this.at === null) return;
    const last = this.plies[this.plies.length - 1];
    this.at = null;
    this.board?.show(last.placement, last.last, null);
    this.mark(this.plies.length - 1);
    const note = document.getElementById("m-note");
    if (note) note.hidden = true;
  }

  /** The server put a new board in place: whoever looks back goes on looking back. */
  async arrived() {
    if (this.at === null || this.isReplay) return;
    const at = this.at;
    await this.load();
    if (at >= this.plies.length) { this.toLive(); return; } // taken back meanwhile
    this.at = at;
    this.paint();
  }
}
