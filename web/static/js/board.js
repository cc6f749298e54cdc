// The board as an element: selecting, dragging, keys and the choosers. It knows no rules: every action it offers
// stands in data-legal, which the server wrote, and it hands the chosen action text to the page in an "act" event.

/** Where an action starts and ends on the board, and what kind it is. */
export function readAction(text) {
  if (text === "--") return { text, kind: "skip" };
  if (text.startsWith("P@")) return { text, kind: "birth", to: text.slice(2) };
  if (text.startsWith("-")) return { text, kind: "remove", to: text.slice(1) };
  if (text.startsWith("O")) return { text, kind: "castle", from: text.slice(1, 3), to: text.slice(3, 5) };
  return { text, kind: text.length > 4 ? "promote" : "move", from: text.slice(0, 2), to: text.slice(2, 4), piece: text[4] };
}

/** The square a castling king ends on: beyond the rook, which comes to stand beside him; adjacent pieces swap. */
export function castledKing(from, rook) {
  const a = from.charCodeAt(0), b = rook.charCodeAt(0);
  if (Math.abs(b - a) === 1) return rook;
  return String.fromCharCode(a + 2 * Math.sign(b - a)) + from[1];
}

const svgNS = "http://www.w3.org/2000/svg";

/** A piece as the server draws it. */
export function drawPiece(code) {
  const svg = document.createElementNS(svgNS, "svg");
  svg.setAttribute("class", `pc pc-${code[0]}`);
  svg.setAttribute("viewBox", "0 0 100 100");
  svg.setAttribute("aria-hidden", "true");
  const use = document.createElementNS(svgNS, "use");
  use.setAttribute("href", `#pc-${code[1]}`);
  svg.append(use);
  return svg;
}

const calm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** What a board remembers when the server's next one takes its place, by id. */
const kept = new Map();

export class ChpokBoard extends HTMLElement {
  connectedCallback() {
    if (this.wired) return;
    this.wired = true;
    this.memory = kept.get(this.id) ?? { cursor: "e1", turned: false, n: null, sent: "", pre: null, marks: [], from: null, byKeys: false, inside: false };
    kept.set(this.id, this.memory);
    this.mode = "";
    this.viewing = null;
    this.drag = null;
    this.words = JSON.parse(this.dataset.words || "{}");
    if (this.memory.turned) this.grid.classList.toggle("as-black");
    this.addEventListener("pointerdown", (e) => this.pointerDown(e));
    this.addEventListener("pointermove", (e) => this.pointerMove(e));
    this.addEventListener("pointerup", (e) => this.pointerUp(e));
    this.addEventListener("pointercancel", () => this.dropGhost());
    this.addEventListener("contextmenu", (e) => { if (e.target.closest("[data-sq]")) e.preventDefault(); });
    this.addEventListener("click", (e) => this.click(e));
    this.addEventListener("keydown", (e) => this.key(e));
    this.addEventListener("focusin", (e) => {
      const cell = e.target.closest("[data-sq]");
      if (!cell) return;
      // Focus that comes back, after news of the match or from another window, says nothing of how one moves.
      const back = this.memory.inside && !e.relatedTarget && cell.dataset.sq === this.memory.cursor;
      if (!back) this.memory.byKeys = cell.matches(":focus-visible");
      this.memory.inside = true;
      this.setCursor(cell.dataset.sq, false);
    });
    this.addEventListener("focusout", (e) => { if (e.relatedTarget) this.memory.inside = this.contains(e.relatedTarget); });
    this.arrive();
  }

  /** The square that is chosen to move from: news of the match must not take it away between two presses. */
  get from() { return this.memory.from; }
  set from(sq) { this.memory.from = sq; }
  get grid() { return this.querySelector(".board"); }
  get black() { return this.grid.classList.contains("as-black"); }
  get actions() { return (this.dataset.legal || "").split(" ").filter(Boolean).map(readAction); }
  cell(sq) { return this.querySelector(`[data-sq="${sq}"]`); }
  pieceAt(sq) { return this.cell(sq)?.dataset.pc || ""; }

  /** A position the page has not shown yet: the last move glides, unless it was the viewer's own. */
  arrive() {
    const m = this.memory, last = this.dataset.last || "";
    this.setCursor(m.cursor, false);
    if (m.n !== null && m.n !== this.dataset.n && last && last !== m.sent) this.glide(last);
    if (m.n !== this.dataset.n) { m.n = this.dataset.n; m.sent = ""; m.marks = []; }
    if (m.from && this.pieceAt(m.from)[0] !== this.dataset.side) m.from = null;
    if (m.from) this.paint(); else this.drawMarks();
    this.playPre();
  }

  /** Whether a move may be chosen before its turn: the opponent is to move. */
  get mayPre() {
    const state = document.getElementById("m-state");
    return !!this.dataset.side && document.documentElement.dataset.premove !== "off" && !this.actions.length && this.viewing === null && state?.dataset.status === "playing" && !state.hasAttribute("data-turn");
  }

  setPre(from, to) {
    this.memory.pre = { from, to };
    this.from = null;
    this.paint();
    this.dispatchEvent(new CustomEvent("premove", { bubbles: true }));
  }

  dropPre() {
    this.memory.pre = null;
    this.paint();
    this.dispatchEvent(new CustomEvent("premove", { bubbles: true }));
  }

  /** The premove is played as soon as it can be; one that has become impossible is dropped. A pawn becomes a queen. */
  playPre() {
    const pre = this.memory.pre;
    if (!pre) return;
    if (!this.actions.length) { this.paint(); return; }
    const fits = this.actions.filter((a) => a.from === pre.from && this.targets(a).includes(pre.to));
    const one = fits.find((a) => a.kind === "move") ?? fits.find((a) => a.piece === "q") ?? fits[0];
    this.memory.pre = null;
    queueMicrotask(() => {
      if (one) this.act(one, true); else { this.paint(); this.say("pre-dropped"); }
      this.dispatchEvent(new CustomEvent("premove", { bubbles: true }));
    });
  }

  /** Points at good moves, the best first: the two squares of each. */
  point(moves) {
    this.dataset.arrows = moves.join(" ");
    this.drawMarks();
  }

  /** Arrows and circles somebody draws for themselves, which a left click takes away, and those at good moves. */
  drawMarks() {
    this.querySelector("svg.marks")?.remove();
    const good = (this.dataset.arrows || "").split(" ").filter(Boolean).map((x, i) => ({ from: x.slice(0, 2), to: x.slice(2, 4), kind: i ? "good-mark" : "best-mark" }));
    const pre = this.memory.pre, list = [...good.reverse(), ...this.memory.marks, ...(pre ? [{ ...pre, kind: "pre-mark" }] : [])];
    if (!list.length) return;
    const svg = document.createElementNS(svgNS, "svg"), width = this.querySelectorAll(".rank:first-child > *").length;
    svg.setAttribute("class", "marks");
    svg.setAttribute("viewBox", `0 0 ${width} 8`);
    svg.setAttribute("aria-hidden", "true");
    const at = (sq) => [sq.charCodeAt(0) - 97 + 0.5, 8 - Number(sq[1]) + 0.5];
    const add = (tag, attributes) => {
      const e = document.createElementNS(svgNS, tag);
      for (const [k, v] of Object.entries(attributes)) e.setAttribute(k, String(v));
      svg.append(e);
    };
    for (const mark of list) {
      const [x1, y1] = at(mark.from), [x2, y2] = at(mark.to), kind = mark.kind ?? "own-mark";
      if (mark.from === mark.to) { add("circle", { class: kind, cx: x1, cy: y1, r: 0.42 }); continue; }
      const length = Math.hypot(x2 - x1, y2 - y1), ux = (x2 - x1) / length, uy = (y2 - y1) / length, bx = x2 - ux * 0.4, by = y2 - uy * 0.4;
      add("path", { class: kind, d: `M${x1 + ux * 0.3} ${y1 + uy * 0.3}L${bx} ${by}` });
      add("path", { class: `${kind} head`, d: `M${x2} ${y2}L${bx - uy * 0.26} ${by + ux * 0.26}L${bx + uy * 0.26} ${by - ux * 0.26}z` });
    }
    this.grid.append(svg);
  }

  mark(from, to) {
    const same = this.memory.marks.findIndex((m) => m.from === from && m.to === to);
    if (same >= 0) this.memory.marks.splice(same, 1); else this.memory.marks.push({ from, to });
    this.drawMarks();
  }

  glide(last) {
    if (calm()) return;
    const from = this.cell(last.slice(0, 2)), to = this.cell(last.slice(2, 4));
    const piece = to?.querySelector(".pc");
    if (!from || !piece || from === to) return;
    const a = from.getBoundingClientRect(), b = to.getBoundingClientRect();
    piece.animate([{ transform: `translate(${a.left - b.left}px, ${a.top - b.top}px)` }, { transform: "none" }],
      { duration: 180, easing: "ease-out" });
  }

  /** What may be done from a square, or in the mode chosen (birth, remove). */
  offers() {
    if (this.viewing !== null) return [];
    if (this.mode) return this.actions.filter((a) => a.kind === this.mode);
    return this.from ? this.actions.filter((a) => a.from === this.from) : [];
  }

  targets(action) {
    if (action.kind !== "castle") return [action.to];
    return [...new Set([action.to, castledKing(action.from, action.to)])];
  }

  paint() {
    const offers = this.offers(), pre = this.memory.pre;
    this.drawMarks();
    const hot = new Set(offers.flatMap((a) => this.targets(a)));
    for (const cell of this.querySelectorAll("[data-sq]")) {
      const sq = cell.dataset.sq;
      cell.classList.toggle("from", sq === this.from);
      cell.classList.toggle("pre", !!pre && (sq === pre.from || sq === pre.to));
      cell.classList.toggle("hot", hot.has(sq));
      cell.classList.toggle("taken", hot.has(sq) && !!cell.dataset.pc);
      cell.setAttribute("aria-selected", sq === this.from ? "true" : "false");
    }
    this.classList.toggle("choosing", this.mode !== "");
    this.dataset.mode = this.mode;
  }

  setMode(mode) {
    this.mode = this.mode === mode ? "" : mode;
    this.from = null;
    this.paint();
    if (this.mode) this.say("mode-" + this.mode);
    this.dispatchEvent(new CustomEvent("mode", { bubbles: true, detail: this.mode }));
  }

  say(word, more = "") {
    this.dispatchEvent(new CustomEvent("say", { bubbles: true, detail: (this.words[word] || "") + more }));
  }

  /** A square was chosen by click, drop or Enter. Says whether that led to an action or a selection. */
  choose(sq, dropped = false) {
    this.closeChooser();
    const fits = this.offers().filter((a) => this.targets(a).includes(sq));
    if (fits.length) return this.offer(fits, sq);
    if (this.mayPre) return this.choosePre(sq, dropped);
    if (dropped) return false;
    if (this.mode) { this.setMode(this.mode); return false; }
    const mine = this.actions.some((a) => a.from === sq);
    this.from = mine && this.from !== sq ? sq : null;
    this.paint();
    if (this.from) {
      const to = [...new Set(this.offers().flatMap((a) => this.targets(a)))];
      this.say("selected", ` ${this.cell(sq).getAttribute("aria-label")}: ${to.join(" ")}`);
    }
    return mine;
  }

  choosePre(sq, dropped) {
    const own = this.pieceAt(sq)[0] === this.dataset.side;
    if (this.from && this.from !== sq) { this.setPre(this.from, sq); return true; }
    if (dropped) return false;
    this.from = own && this.from !== sq ? sq : null;
    if (this.memory.pre) this.dropPre(); else this.paint();
    return own;
  }

  /** One action goes at once; several on one square (promotions, castling or capture) ask; a removal always asks. */
  offer(fits, sq) {
    if (fits.length === 1 && fits[0].kind !== "remove") { this.act(fits[0]); return true; }
    const box = document.createElement("div");
    box.className = "chooser";
    box.setAttribute("role", "dialog");
    box.setAttribute("aria-label", this.words.choose || "");
    const colour = this.dataset.side || "w";
    const order = "qrbndk";
    fits.sort((a, b) => order.indexOf(a.piece) - order.indexOf(b.piece));
    for (const action of fits) {
      const b = document.createElement("button");
      b.type = "button";
      const word = action.kind === "promote" ? this.words[colour + action.piece.toUpperCase()] : this.words["do-" + action.kind];
      if (action.kind === "promote") { b.append(drawPiece(colour + action.piece.toUpperCase())); b.setAttribute("aria-label", word); b.title = word; }
      else b.textContent = word;
      b.addEventListener("click", (e) => { e.stopPropagation(); this.closeChooser(); this.cell(sq)?.focus(); this.act(action); });
      box.append(b);
    }
    const no = document.createElement("button");
    no.type = "button";
    no.className = "chooser-no";
    no.textContent = this.words.cancel || "×";
    no.addEventListener("click", (e) => { e.stopPropagation(); this.closeChooser(); this.cancel(); this.cell(sq)?.focus(); });
    box.append(no);
    box.addEventListener("keydown", (e) => {
      e.stopPropagation();
      const all = [...box.querySelectorAll("button")], i = all.indexOf(document.activeElement);
      if (e.key === "Escape") { this.closeChooser(); this.cancel(); this.cell(sq)?.focus(); }
      if (e.key === "ArrowRight" || e.key === "ArrowDown") { all[(i + 1) % all.length].focus(); e.preventDefault(); }
      if (e.key === "ArrowLeft" || e.key === "ArrowUp") { all[(i + all.length - 1) % all.length].focus(); e.preventDefault(); }
    });
    this.append(box);
    this.chooser = box;
    box.querySelector("button").focus();
    return true;
  }

  closeChooser() { this.chooser?.remove(); this.chooser = null; }
  cancel() { this.from = null; if (this.mode) this.setMode(this.mode); this.paint(); }

  /** Shows the action at once and hands it on; undone by revert() if the server refuses. chosen: it was made up before. */
  act(action, chosen = false) {
    this.chosen = chosen;
    this.before = [...this.querySelectorAll("[data-sq]")].map((c) => [c, c.dataset.pc || "", [...c.childNodes]]);
    if (action.kind === "move" || action.kind === "promote") {
      const piece = action.kind === "promote" ? this.dataset.side + action.piece.toUpperCase() : this.pieceAt(action.from);
      this.put(action.from, "");
      this.put(action.to, piece);
      this.memory.sent = action.from + action.to;
    } else if (action.kind === "castle") {
      const king = this.pieceAt(action.from), rook = this.pieceAt(action.to), to = castledKing(action.from, action.to);
      const beside = String.fromCharCode(action.from.charCodeAt(0) + Math.sign(action.to.charCodeAt(0) - action.from.charCodeAt(0))) + action.from[1];
      this.put(action.from, ""); this.put(action.to, "");
      this.put(to === action.to && beside === action.to ? action.from : beside, rook);
      this.put(to, king);
      this.memory.sent = action.from + to;
    } else if (action.kind === "birth") this.put(action.to, this.dataset.side + "P");
    else if (action.kind === "remove") this.put(action.to, "");
    this.from = null;
    this.mode = "";
    this.legalBefore = this.dataset.legal;
    this.dataset.legal = "";
    this.paint();
    this.dispatchEvent(new CustomEvent("act", { bubbles: true, detail: action.text }));
  }

  put(sq, code) {
    const cell = this.cell(sq);
    if (!cell) return;
    cell.querySelector(".pc")?.remove();
    if (code) { cell.dataset.pc = code; cell.prepend(drawPiece(code)); } else delete cell.dataset.pc;
    cell.setAttribute("aria-label", sq + (code ? ", " + (this.words[code] || code) : ""));
  }

  revert(legal) {
    for (const [cell, code] of this.before || []) if ((cell.dataset.pc || "") !== code) this.put(cell.dataset.sq, code);
    this.before = null;
    this.memory.sent = "";
    this.dataset.legal = legal;
    this.paint();
  }

  /** A past position: rows of piece codes as in CFEN's placement. null goes back to the live one. */
  show(placement, last, ply) {
    this.viewing = ply;
    this.toggleAttribute("viewing", ply !== null);
    const rows = placement.split("/");
    rows.forEach((row, i) => {
      let file = 0;
      for (const part of row.match(/\d+|[A-Za-z]/g) || []) {
        const empty = /\d/.test(part) ? Number(part) : 0;
        for (let k = 0; k < (empty || 1); k++, file++) {
          const code = empty ? "" : (part === part.toUpperCase() ? "w" : "b") + part.toUpperCase();
          const sq = String.fromCharCode(97 + file) + (8 - i);
          if (this.pieceAt(sq) !== code) this.put(sq, code);
        }
      }
    });
    for (const cell of this.querySelectorAll("[data-sq]"))
      cell.classList.toggle("last", !!last && (last.slice(0, 2) === cell.dataset.sq || last.slice(2, 4) === cell.dataset.sq));
    this.from = null;
    this.mode = "";
    this.paint();
  }

  flip() {
    this.memory.turned = !this.memory.turned;
    this.grid.classList.toggle("as-black");
  }

  setCursor(sq, focus = true) {
    const next = this.cell(sq) || this.querySelector("[data-sq]");
    if (!next) return;
    for (const c of this.querySelectorAll('[data-sq][tabindex="0"]')) c.tabIndex = -1;
    next.tabIndex = 0;
    this.memory.cursor = next.dataset.sq;
    if (focus) next.focus();
  }

  key(e) {
    if (e.ctrlKey || e.altKey || e.metaKey || !e.target.closest("[data-sq]")) return;
    const step = { ArrowUp: [0, 1], ArrowDown: [0, -1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] }[e.key];
    if (step) {
      if (!this.memory.byKeys) return; // whoever came by mouse or touch steps through the moves
      const sign = this.black ? -1 : 1;
      const sq = String.fromCharCode(this.memory.cursor.charCodeAt(0) + sign * step[0]) + (Number(this.memory.cursor[1]) + sign * step[1]);
      if (this.cell(sq)) this.setCursor(sq);
      e.preventDefault();
      e.stopPropagation();
    } else if (e.key === "Enter" || e.key === " ") {
      this.choose(this.memory.cursor);
      e.preventDefault();
      e.stopPropagation();
    } else if (e.key === "Escape") this.cancel();
  }

  click(e) {
    const cell = e.target.closest("[data-sq]");
    if (!cell || this.justDragged) { this.justDragged = false; return; }
    this.setCursor(cell.dataset.sq, false);
    this.choose(cell.dataset.sq);
  }

  pointerDown(e) {
    const cell = e.target.closest("[data-sq]");
    this.justDragged = false;
    this.memory.byKeys = false;
    if (cell && e.button === 2) { this.marking = cell.dataset.sq; return; }
    if (!cell || e.button !== 0 || this.viewing !== null || this.mode) return;
    if (this.memory.marks.length) { this.memory.marks = []; this.drawMarks(); }
    const mayPre = this.mayPre && this.pieceAt(cell.dataset.sq)[0] === this.dataset.side;
    if (!mayPre && !this.actions.some((a) => a.from === cell.dataset.sq)) return;
    this.drag = { sq: cell.dataset.sq, x: e.clientX, y: e.clientY, id: e.pointerId, ghost: null };
  }

  pointerMove(e) {
    const d = this.drag;
    if (!d || e.pointerId !== d.id) return;
    if (!d.ghost) {
      if (Math.hypot(e.clientX - d.x, e.clientY - d.y) < 6) return;
      const piece = this.cell(d.sq)?.querySelector(".pc");
      if (!piece) { this.drag = null; return; }
      const size = piece.getBoundingClientRect().width;
      d.ghost = piece.cloneNode(true);
      d.ghost.classList.add("ghost");
      d.ghost.style.width = d.ghost.style.height = size * (e.pointerType === "touch" ? 1.5 : 1.08) + "px";
      d.lift = e.pointerType === "touch" ? size * 0.5 : 0;
      document.body.append(d.ghost);
      this.setPointerCapture(d.id);
      piece.classList.add("lifted");
      this.from = d.sq;
      this.paint();
    }
    const r = d.ghost.getBoundingClientRect();
    d.ghost.style.transform = `translate(${e.clientX - r.width / 2}px, ${e.clientY - r.height / 2 - d.lift}px)`;
    const over = document.elementFromPoint(e.clientX, e.clientY)?.closest?.("[data-sq]");
    for (const c of this.querySelectorAll(".over")) if (c !== over) c.classList.remove("over");
    if (over?.classList.contains("hot")) over.classList.add("over");
    e.preventDefault();
  }

  pointerUp(e) {
    if (e.button === 2 && this.marking) {
      const over = document.elementFromPoint(e.clientX, e.clientY)?.closest?.("[data-sq]");
      if (over && this.contains(over)) this.mark(this.marking, over.dataset.sq);
      this.marking = null;
      return;
    }
    const d = this.drag;
    if (!d || e.pointerId !== d.id) return;
    if (d.ghost) {
      this.dropGhost();
      this.justDragged = true; // the click that follows belongs to the drag
      setTimeout(() => { this.justDragged = false; }, 0);
      const over = document.elementFromPoint(e.clientX, e.clientY)?.closest?.("[data-sq]");
      if (!over || !this.contains(over) || !this.choose(over.dataset.sq, true)) this.paint();
    }
    this.drag = null;
  }

  dropGhost() {
    this.drag?.ghost?.remove();
    for (const p of this.querySelectorAll(".lifted")) p.classList.remove("lifted");
    for (const c of this.querySelectorAll(".over")) c.classList.remove("over");
    this.drag = null;
  }
}

customElements.define("chpok-board", ChpokBoard);
