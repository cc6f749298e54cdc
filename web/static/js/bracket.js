// A bracket is made smaller and larger, or as narrow as the page; what was chosen stays when the feed brings a new one.
let zoom = 1;

const trees = () => /** @type {NodeListOf<SVGElement>} */ (document.querySelectorAll(".bracket > .bracket-tree"));

/** How much smaller every tree has to be for all its columns to stand beside each other, as far as it can be read. */
const wide = () => Math.max(0.5, Math.min(1, ...[...trees()].map((t) => {
  const box = /** @type {HTMLElement} */ (t.parentElement);
  return box.clientWidth / Number(t.getAttribute("width"));
})));

function show() {
  for (const t of trees()) t.style.setProperty("--bracket-width", `${Math.round(Number(t.getAttribute("width")) * zoom)}px`);
}

document.querySelector(".bracket-zoom")?.addEventListener("click", (e) => {
  const how = /** @type {HTMLElement} */ (e.target).dataset.zoom;
  if (how === "in") zoom = Math.min(2, zoom * 1.25);
  else if (how === "out") zoom = Math.max(0.25, zoom / 1.25);
  else if (how === "all") zoom = wide();
  else return;
  show();
});
// On a wide window what is only a little wider begins as narrow as the page.
if (matchMedia("(min-width: 701px)").matches && wide() >= 0.8) zoom = wide();
if (zoom !== 1) show();
document.addEventListener("feed:swapped", () => { if (zoom !== 1) show(); });

/** The round a link leads to. @param {HTMLAnchorElement | null | undefined} link */
const roundOf = (link) => link && document.getElementById(link.hash.slice(1));

// Of many rounds the later ones stand far below their heads: a link leads to the first box.
document.addEventListener("click", (e) => {
  const box = roundOf(/** @type {HTMLElement} */ (e.target).closest(".bracket-jump a"))?.querySelector(".contest");
  if (!box) return;
  e.preventDefault();
  box.scrollIntoView({ block: "center", inline: "start" });
});

// On a phone, where one column fills the screen, a bracket begins at the round that is played.
const now = /** @type {HTMLAnchorElement | null} */ (document.querySelector(".bracket-jump [aria-current]"));
const round = now?.offsetParent && !location.hash ? roundOf(now) : null, tree = round?.closest(".bracket");
if (now?.parentElement && round && tree) {
  tree.scrollLeft += round.getBoundingClientRect().left - tree.getBoundingClientRect().left;
  now.parentElement.scrollLeft = now.offsetLeft - now.parentElement.offsetLeft;
  const box = round.querySelector(".contest");
  if (box && box.getBoundingClientRect().bottom > innerHeight * 0.9) box.scrollIntoView({ block: "center", inline: "nearest" });
}
