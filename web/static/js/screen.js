// A venue's screen: one picture after the other, long tables cut into pages of
// what fits. Without this script everything stands below one another.
import "./countdown.js";

/**
 * What is on the wall at a time: some rows of a table, or boards, and the properties by which the style lays them out.
 * @typedef {{ picture: Element, rows: [number, number], style: Record<string, string>, wide?: boolean }} Page
 */
/** @type {Page[]} */
let pages = [];
let shown = 0;
let since = 0;

/** How many times larger than on a full wall a short table may be. */
const growths = [2.2, 2, 1.8, 1.65, 1.5, 1.35, 1.2, 1.1, 1];

/** Divides a number of things evenly: nobody turns a page for one row. @returns {[number, number][]} */
function evenly(/** @type {number} */ things, /** @type {number} */ parts) {
  return Array.from({ length: parts }, (_, i) => [Math.ceil((things * i) / parts), Math.ceil((things * (i + 1)) / parts)]);
}

/** The room below the top of something, down to the foot. */
function roomBelow(/** @type {Element} */ top) {
  const foot = document.querySelector(".follow")?.getBoundingClientRect().height ?? 0;
  const edge = parseFloat(getComputedStyle(document.getElementById("screen") ?? document.body).paddingTop);
  return window.innerHeight - top.getBoundingClientRect().top - window.scrollY - foot - edge - 2;
}

/** Pages of a table: as few as there can be, with letters as large as these allow. @returns {Page[]} */
function tablePages(/** @type {Element} */ picture, /** @type {HTMLElement} */ table, /** @type {HTMLElement[]} */ rows) {
  const most = Number(table.dataset.beside ?? 1);
  const measure = (/** @type {number} */ grow, /** @type {number} */ across) => {
    table.style.setProperty("--grow", `${grow}`);
    table.style.setProperty("--below", `${Math.ceil(rows.length / across)}`);
    const room = roomBelow(rows[0]), heights = rows.map((row) => row.getBoundingClientRect().height), highest = Math.max(...heights);
    const below = (/** @type {[number, number]} */ [from, to]) => Math.ceil((to - from) / across);
    const fits = (/** @type {[number, number]} */ part) => {
      const own = heights.slice(...part), n = below(part);
      return own.slice(0, n).reduce((sum, _, i) => sum + Math.max(...own.filter((_, k) => k % n === i)), 0) <= room;
    };
    let parts = evenly(rows.length, 1);
    while (parts.length < rows.length && !parts.every(fits)) parts = evenly(rows.length, parts.length + 1);
    const high = Math.min(Math.floor(room / Math.max(...parts.map(below))), 1.6 * highest); // rows spread over what is left
    return {
      isCut: [picture, ...rows.flatMap((row) => [...row.children])].some((e) => e.scrollWidth > e.clientWidth + 1),
      pages: parts.map((part) => ({ picture, rows: part,
        style: { "--grow": `${grow}`, "--below": `${below(part)}`, "--high": high < highest ? "auto" : `${high}px` } })),
    };
  };
  table.classList.remove("tight");
  table.style.setProperty("--high", "auto");
  const columns = Array.from({ length: most }, (_, i) => i + 1);
  const fewest = Math.min(...columns.map((across) => measure(1, across).pages.length));
  for (const grow of growths) {
    for (const across of columns) {
      const { pages, isCut } = measure(grow, across);
      if (pages.length === fewest && !isCut) return pages;
    }
  }
  table.classList.add("tight"); // a word is wider than its column
  return measure(1, most).pages;
}

/** The columns, rows and letters with which so many cards have the largest boards. */
function largest(/** @type {number} */ cards, /** @type {number} */ width, /** @type {number} */ room, /** @type {number} */ gap, /** @type {number} */ least) {
  let best = { box: 0, worth: -1, across: 1, down: cards, letter: least, wide: false };
  for (let across = 1; across <= cards; across++) {
    const down = Math.ceil(cards / across);
    if (Math.ceil(cards / down) < across) continue; // fewer columns make as many rows
    const w = (width - (across - 1) * gap) / across, h = (room - (down - 1) * gap) / down;
    if (across > 1 && w < 12 * least) break; // names would be cut
    for (const wide of [false, true]) {
      const letter = Math.max(least, Math.min(wide ? 0.09 * h : 0.075 * h, 0.055 * w, 2.4 * least));
      const beside = w - 11 * letter, over = h - 5 * letter; // what is left by the names, clocks and the line of words
      const box = wide ? Math.min(h - letter, beside) : Math.min(w - letter, over);
      const spare = (wide ? beside / w : over / h) - box / (wide ? w : h);
      const worth = box * (1 - spare / 3);
      if (worth > best.worth) best = { box, worth, across, down, letter, wide };
    }
  }
  return best;
}

/** Pages of boards: as few as leave each of them legible, and no more than ten, of which an eye finds one. @returns {Page[]} */
function boardPages(/** @type {Element} */ picture, /** @type {HTMLElement} */ grid, /** @type {HTMLElement[]} */ cards) {
  const look = getComputedStyle(grid), least = parseFloat(look.fontSize), gap = parseFloat(look.rowGap);
  const width = grid.clientWidth, room = roomBelow(grid), needs = (grid.querySelector(".live-bids") ? 7.4 : 7) * least;
  let parts = evenly(cards.length, 1);
  const isLegible = () => parts[0][1] <= 10 && largest(parts[0][1], width, room, gap, least).box >= needs;
  while (parts.length < cards.length && !isLegible()) parts = evenly(cards.length, parts.length + 1);
  return parts.map((part) => {
    const { box, across, down, letter, wide } = largest(part[1] - part[0], width, room, gap, least);
    return { picture, rows: part, wide, style: { "--room": `${room}px`, "--box": `${box}px`, "--across": `${across}`, "--down": `${down}`, "--letter": `${letter}px` } };
  });
}

/** What a picture has many of. @returns {HTMLElement[]} */
const rowsOf = (/** @type {Element} */ picture) => [...picture.querySelectorAll("tbody tr, .live-card")];
/** @returns {HTMLElement | null} */
const listOf = (/** @type {Element} */ picture) => picture.querySelector("table, .live-grid");

/** Cuts what is there into pages; keeps to the picture that is shown. */
function cut() {
  const current = pages[shown]?.picture.id;
  document.body.classList.add("rotating");
  for (const on of document.querySelectorAll(".picture.on")) on.classList.remove("on");
  pages = [];
  for (const picture of document.querySelectorAll(".picture")) {
    const rows = rowsOf(picture), list = listOf(picture);
    for (const row of rows) row.classList.remove("off");
    if (!list || !rows.length) {
      pages.push({ picture, rows: [0, 0], style: {} });
      continue;
    }
    picture.classList.add("on");
    pages.push(...(list.matches("table") ? tablePages : boardPages)(picture, list, rows));
    picture.classList.remove("on");
  }
  const again = pages.findIndex((p) => p.picture.id === current);
  if (again < 0 || pages[shown]?.picture.id !== current) shown = Math.max(again, 0);
  document.body.classList.toggle("rotating", pages.length > 0);
  show();
}

function show() {
  pages.forEach((p) => p.picture.classList.remove("on"));
  const page = pages[shown];
  if (!page) return;
  page.picture.classList.add("on");
  rowsOf(page.picture).forEach((row, i) => row.classList.toggle("off", i < page.rows[0] || i >= page.rows[1]));
  const list = listOf(page.picture);
  for (const [name, value] of Object.entries(page.style)) list?.style.setProperty(name, value);
  list?.classList.toggle("wide", !!page.wide);
  const same = pages.filter((p) => p.picture === page.picture);
  const place = page.picture.querySelector("[data-part]");
  document.body.dataset.page = `${shown + 1}/${pages.length}`;
  if (place) place.textContent = same.length > 1 ? `${same.indexOf(page) + 1} / ${same.length}` : "";
}

/** The time of day in a zone; where the browser does not know it, in its own. @param {string | undefined} timeZone */
function clock(timeZone) {
  const style = /** @type {const} */ ({ hour: "2-digit", minute: "2-digit" });
  try {
    return new Date().toLocaleTimeString("en-GB", { ...style, timeZone });
  } catch {
    return new Date().toLocaleTimeString("en-GB", style);
  }
}

function tell() {
  for (const now of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-clock-of]"))) now.textContent = clock(now.dataset.clockOf);
}

/** A second has passed. */
function tick() {
  tell();
  const seconds = Number(document.getElementById("screen")?.dataset.seconds ?? "15");
  since += 1;
  if (since >= seconds && pages.length > 1) {
    since = 0;
    shown = (shown + 1) % pages.length;
    show();
  }
}

// Who stands at the projector turns pages by hand.
addEventListener("keydown", (event) => {
  const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
  if (!step || !pages.length) return;
  since = 0;
  shown = (shown + step + pages.length) % pages.length;
  show();
});

// News are no seconds: with boards in play they come many times a second.
document.addEventListener("feed:swapped", () => { tell(); cut(); });
window.addEventListener("resize", cut);
tell();
cut();
setInterval(tick, 1000);
