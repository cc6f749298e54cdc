// The board of the explorer on which a position is set up. What is sent is its text, which may be written as well: empty
// as long as the start position of the home row stands there.
import { drawPiece } from "./board.js";
import { cap } from "./cap.js";
import "./steppers.js";

/** @param {HTMLElement} root @param {(address: string, remember: "push" | "replace") => void} go */
export function setUp(root, go) {
  const form = /** @type {HTMLFormElement | null} */ (root.querySelector("#set-up"));
  if (!form) return;
  const box = /** @type {HTMLElement} */ (form.querySelector(".set-board"));
  const text = /** @type {HTMLInputElement} */ (form.querySelector("[name=position]"));
  const names = Object.fromEntries([...form.querySelectorAll("[name=piece]")].map((x) => [/** @type {HTMLInputElement} */ (x).value, x.getAttribute("aria-label")]));
  /** Rank 8 first, "wK" or "" by square. @type {string[][]} */
  let rows = [];
  /** @type {string[]} */
  let rest = [];
  /** The square that is picked up. @type {number | null} */
  let held = null;
  let focused = 0;

  /** @param {string} cfen */
  function read(cfen) {
    const [placed, ...others] = cfen.trim().split(" ");
    const next = (placed ?? "").split("/").map((rank) => [...rank.matchAll(/\d+|[a-z]/gi)].flatMap(([x]) =>
      /\d/.test(x) ? Array(Math.min(Number(x), 10)).fill("") : [(x === x.toUpperCase() ? "w" : "b") + x.toUpperCase()]));
    if (next.length !== 8 || others.length !== 6 || next.some((r) => r.length !== next[0].length || !r.length)) return false;
    rows = next;
    rest = others;
    return true;
  }

  function write() {
    const rank = (/** @type {string[]} */ r) => r.map((x) => (x ? (x[0] === "w" ? x[1] : x[1].toLowerCase()) : " ")).join("").replace(/ +/g, (gap) => String(gap.length));
    rest[1] = "-"; // nobody has just moved
    text.value = [rows.map(rank).join("/"), ...rest].join(" ");
    paint();
  }

  const wide = () => rows[0].length;
  const at = (/** @type {number} */ i) => rows[Math.floor(i / wide())][i % wide()];
  function put(/** @type {number} */ i, /** @type {string} */ piece) { rows[Math.floor(i / wide())][i % wide()] = piece; }
  const tool = () => /** @type {HTMLInputElement | null} */ (form.querySelector("[name=piece]:checked"));

  function paint() {
    const n = 8 * wide();
    box.style.setProperty("--w", String(wide()));
    if (box.children.length !== n || box.firstElementChild?.localName !== "button") {
      box.replaceChildren(...Array.from({ length: n }, (_, i) => {
        const b = document.createElement("button");
        b.type = "button";
        b.dataset.i = String(i);
        return b;
      }));
    }
    focused = Math.min(focused, n - 1);
    [...box.children].forEach((el, i) => {
      const b = /** @type {HTMLButtonElement} */ (el), piece = at(i);
      const name = `${String.fromCharCode(97 + i % wide())}${8 - Math.floor(i / wide())}`;
      b.className = (i % wide() + Math.floor(i / wide())) % 2 ? "dark" : "";
      b.tabIndex = i === focused ? 0 : -1;
      b.setAttribute("aria-pressed", String(i === held));
      b.setAttribute("aria-label", `${name}: ${piece ? names[piece] : form.dataset.empty}`);
      b.replaceChildren(...(piece ? [drawPiece(piece)] : []));
    });
    const turn = /** @type {HTMLInputElement | null} */ (form.querySelector(`[name=turn][value="${rest[0]}"]`));
    if (turn) turn.checked = true;
  }

  /** @param {number} i */
  function press(i) {
    const piece = tool();
    focused = i;
    if (piece) put(i, at(i) === piece.value ? "" : piece.value);
    else if (held === i) {
      put(i, "");
      held = null;
    } else if (held !== null) drop(i);
    else if (at(i)) held = i;
    write();
  }

  /** @param {number} i */
  function drop(i) {
    if (held === null) return;
    put(i, at(held));
    put(held, "");
    held = null;
  }

  const squareOf = (/** @type {EventTarget | null} */ t) => {
    const b = t instanceof Element ? t.closest(".set-board button") : null;
    return b ? Number(/** @type {HTMLElement} */ (b).dataset.i) : null;
  };
  // A drag ends where its own pointer goes up, or in nothing when the browser takes it to scroll.
  box.addEventListener("pointerdown", (down) => {
    const from = squareOf(down.target);
    if (!down.isPrimary || from === null || tool() || !at(from)) return;
    const drag = new AbortController(), { signal } = drag;
    addEventListener("pointercancel", (e) => { if (e.pointerId === down.pointerId) drag.abort(); }, { signal });
    addEventListener("pointerup", (e) => {
      if (e.pointerId !== down.pointerId) return;
      drag.abort();
      const to = squareOf(document.elementFromPoint(e.clientX, e.clientY));
      if (to === from || !box.isConnected) return;
      held = from;
      if (to === null) put(from, "");
      else drop(to);
      held = null;
      write();
    }, { signal });
  });
  box.addEventListener("click", (e) => {
    const i = squareOf(e.target);
    if (i !== null) press(i);
  });
  box.addEventListener("keydown", (e) => {
    const step = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -wide(), ArrowDown: wide() }[e.key];
    const piece = (e.shiftKey ? "b" : "w") + cap(e).toUpperCase();
    if (e.ctrlKey || e.metaKey || e.altKey) return;
    if (step) {
      const to = focused + step;
      if (to >= 0 && to < 8 * wide() && (Math.abs(step) > 1 || Math.floor(to / wide()) === Math.floor(focused / wide()))) focused = to;
      paint();
      /** @type {HTMLElement} */ (box.children[focused]).focus();
    } else if (piece in names || e.key === "Delete" || e.key === "Backspace") {
      put(focused, piece in names ? piece : "");
      write();
    } else return;
    e.preventDefault();
  });
  /** A press on the piece that is chosen lets it go. */
  for (const radio of form.querySelectorAll("[name=piece]")) {
    let was = false;
    radio.parentElement?.addEventListener("pointerdown", () => { was = /** @type {HTMLInputElement} */ (radio).checked; });
    radio.addEventListener("click", () => {
      if (was) /** @type {HTMLInputElement} */ (radio).checked = false;
      was = false;
      held = null;
      paint();
    });
  }
  /** Goes on with what is set, at another width, say. */
  const resend = () => go(`${form.action}?${new URLSearchParams(/** @type {any} */ (new FormData(form)))}&edit=on`, "replace");
  const number = (/** @type {string} */ name) => /** @type {HTMLInputElement} */ (form.elements.namedItem(name));
  form.addEventListener("change", (e) => {
    const t = /** @type {HTMLInputElement} */ (e.target);
    if (t.name === "turn") {
      rest[0] = t.value;
      write();
    } else if (t.name === "width") {
      text.value = "";
      resend();
    } else if ((t.name === "castlings" || t.name === "newbornPawns") && text.value) {
      rest[2] = `${number("castlings").value}/${number("castlings").value}`;
      rest[3] = number("newbornPawns").checked ? "1/1" : "0/0";
      write();
    }
  });
  // The start position of another row takes the place of what stands there.
  let home = /** @type {HTMLInputElement} */ (form.querySelector("[name=row]")).value;
  form.addEventListener("row", (e) => {
    const row = /** @type {CustomEvent} */ (e).detail;
    if (row === home) return;
    home = row;
    const letters = (/** @type {string} */ color) => [...row].map((x) => color + x), all = (/** @type {string} */ x) => Array(row.length).fill(x);
    rows = [letters("b"), all("bP"), ...Array.from({ length: 4 }, () => all("")), all("wP"), letters("w")];
    rest[0] = "w";
    text.value = "";
    paint();
  });
  text.addEventListener("input", () => { if (read(text.value)) paint(); });
  form.addEventListener("click", (e) => {
    if (e.target instanceof Element && e.target.closest("[data-do=defaults]")) {
      go(form.action + "?edit=on", "replace");
      return;
    }
    const act = e.target instanceof Element ? e.target.closest("[data-set]") : null;
    if (!act) return;
    held = null;
    if (/** @type {HTMLElement} */ (act).dataset.set === "start") {
      read(form.dataset.start ?? "");
      text.value = "";
      paint();
      return;
    }
    rows = rows.map((r) => r.map(() => ""));
    write();
  });
  if (read(form.dataset.shown ?? "")) paint();
  const reset = /** @type {HTMLButtonElement | null} */ (form.querySelector("[data-do=defaults]"));
  if (reset) reset.disabled = false;
}
