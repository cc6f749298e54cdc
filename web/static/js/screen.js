// A venue's screen: one picture after the other, long tables cut into pages of
// what fits. Without this script everything stands below one another.
import "./countdown.js";

/** below: how many rows stand below one another where there are columns. @type {{ picture: Element, rows: [number, number], below?: number }[]} */
let pages = [];
let shown = 0;
let since = 0;

/** Cuts what is there into pages; keeps to the picture that is shown. */
function cut() {
  const current = pages[shown]?.picture.id;
  document.body.classList.add("rotating");
  for (const on of document.querySelectorAll(".picture.on")) on.classList.remove("on");
  pages = [];
  for (const picture of document.querySelectorAll(".picture")) {
    const rows = [...picture.querySelectorAll("tbody tr, .live-card")];
    for (const row of rows) row.classList.remove("off");
    if (!rows.length) {
      pages.push({ picture, rows: [0, 0] });
      continue;
    }
    picture.classList.add("on");
    const foot = document.querySelector(".follow")?.getBoundingClientRect().height ?? 0;
    const edge = parseFloat(getComputedStyle(document.getElementById("screen") ?? document.body).paddingTop);
    const room = window.innerHeight - rows[0].getBoundingClientRect().top - window.scrollY - foot - edge - 2;
    const table = /** @type {HTMLElement} */ (picture.querySelector("table, .live-grid"));
    const look = getComputedStyle(table), areBoards = table.matches(".live-grid");
    const beside = areBoards ? look.gridTemplateColumns.split(" ").length : Number(table.dataset.beside ?? 1);
    const gap = areBoards ? parseFloat(look.rowGap) : 0;
    table.style.setProperty("--below", `${rows.length}`);
    const heights = rows.map((row) => row.getBoundingClientRect().height);
    picture.classList.remove("on");
    if (beside > 1) {
      const most = Math.max(1, Math.floor((room + gap) / (Math.max(...heights) + gap))) * beside;
      for (let from = 0; from < rows.length; from += most) {
        const to = Math.min(from + most, rows.length);
        pages.push({ picture, rows: [from, to], below: Math.ceil((to - from) / beside) });
      }
      continue;
    }
    let from = 0;
    let used = 0;
    heights.forEach((height, i) => {
      if (i > from && used + height > room) {
        pages.push({ picture, rows: [from, i] });
        from = i;
        used = 0;
      }
      used += height;
    });
    pages.push({ picture, rows: [from, rows.length] });
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
  page.picture.querySelectorAll("tbody tr, .live-card").forEach((row, i) => row.classList.toggle("off", i < page.rows[0] || i >= page.rows[1]));
  /** @type {HTMLElement | null} */ (page.picture.querySelector("table, .live-grid"))?.style.setProperty("--below", `${page.below ?? 1}`);
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
