// A venue's screen: one picture after the other, long tables cut into pages of
// what fits. Without this script everything stands below one another.
import "./countdown.js";

/** @type {{ picture: Element, rows: [number, number] }[]} */
let pages = [];
let shown = 0;
let since = 0;

/** Cuts what is there into pages; keeps to the picture that is shown. */
function cut() {
  const current = pages[shown]?.picture.id;
  document.body.classList.remove("rotating");
  pages = [];
  for (const picture of document.querySelectorAll(".picture")) {
    const rows = [...picture.querySelectorAll("tbody tr")];
    for (const row of rows) row.classList.remove("off");
    if (!rows.length) {
      pages.push({ picture, rows: [0, 0] });
      continue;
    }
    const top = rows[0].getBoundingClientRect().top - picture.getBoundingClientRect().top;
    const edge = parseFloat(getComputedStyle(document.getElementById("screen") ?? document.body).paddingTop);
    const room = window.innerHeight - top - 2 * edge - 2;
    let from = 0;
    let used = 0;
    rows.forEach((row, i) => {
      const height = row.getBoundingClientRect().height;
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
  if (pages.length) document.body.classList.add("rotating");
  show();
}

function show() {
  pages.forEach((p) => p.picture.classList.remove("on"));
  const page = pages[shown];
  if (!page) return;
  page.picture.classList.add("on");
  page.picture.querySelectorAll("tbody tr").forEach((row, i) => row.classList.toggle("off", i < page.rows[0] || i >= page.rows[1]));
  const same = pages.filter((p) => p.picture === page.picture);
  const place = page.picture.querySelector("[data-page]");
  document.body.dataset.page = `${shown + 1}/${pages.length}`;
  if (place) place.textContent = same.length > 1 ? `${same.indexOf(page) + 1} / ${same.length}` : "";
}

function tick() {
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

document.addEventListener("feed:swapped", cut);
window.addEventListener("resize", cut);
cut();
tick();
setInterval(tick, 1000);
