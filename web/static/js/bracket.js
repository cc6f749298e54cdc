// A bracket is made smaller and larger, or as narrow as the page; on a phone it begins at the round that is played, or
// that is chosen, so that boxes of late rounds stand as close as those of the first. What was chosen stays when the feed
// brings a new one.
let zoom = 1;
/** Addresses of the rounds at which trees begin. @type {Set<string>} */
const begins = new Set();

/** @param {Element} e @param {string} name */
const at = (e, name) => Number(e.getAttribute(name));

const trees = () => /** @type {NodeListOf<SVGElement>} */ (document.querySelectorAll(".bracket > .bracket-tree"));
const links = () => /** @type {NodeListOf<HTMLAnchorElement>} */ (document.querySelectorAll(".bracket-jump a"));
const isPhone = matchMedia("(max-width: 700px)");

/** How much smaller every tree has to be for all its columns to stand beside each other, as far as it can be read. */
const wide = () => Math.max(0.5, Math.min(1, ...[...trees()].map((t) => /** @type {HTMLElement} */ (t.parentElement).clientWidth / at(t, "width"))));

function show() {
  for (const t of trees()) t.style.setProperty("--bracket-width", `${Math.round(at(t, "width") * zoom)}px`);
}

/** Leaves out the rounds before the one of that address, and moves the boxes of the others together. @param {string} id */
function beginAt(id) {
  const round = document.getElementById(id), tree = treeOf(id);
  if (!round || !tree || !round.querySelector(".box")) return;
  const rounds = [...tree.querySelectorAll("g[id]")], from = rounds.indexOf(round);
  const boxes = rounds.map((r) => [...r.querySelectorAll(".box")]);
  tree.dataset.size ??= `${tree.getAttribute("width")} ${tree.getAttribute("height")}`;
  const [width, all] = tree.dataset.size.split(" ").map(Number), head = at(boxes[0][0], "y") > 20 ? 30 : 2;
  const share = boxes[from].length / Math.max(...boxes.map((b) => b.length));
  const move = (/** @type {number} */ y) => head + (y - head) * share;
  rounds.forEach((r, k) => {
    r.toggleAttribute("hidden", k < from);
    for (const box of boxes[k]) {
      const middle = at(box, "y") + at(box, "height") / 2;
      box.parentElement?.setAttribute("transform", `translate(0 ${move(middle) - middle})`);
    }
  });
  const left = at(boxes[from][0], "x") - 1;
  for (const line of /** @type {NodeListOf<SVGElement>} */ (tree.querySelectorAll(".bracket-line"))) {
    line.dataset.path ??= line.getAttribute("d") || "";
    const [x, y, turn, to, end] = (line.dataset.path.match(/[\d.]+/g) || []).map(Number);
    line.toggleAttribute("hidden", x < left);
    line.setAttribute("d", `M${x} ${move(y)}H${turn}V${move(to)}H${end}`);
  }
  const third = /** @type {SVGElement | null} */ (tree.querySelector(".third"));
  const last = boxes[boxes.length - 1][0], middle = at(last, "y") + at(last, "height") / 2, up = move(middle) - middle;
  third?.setAttribute("transform", `translate(0 ${up})`);
  const least = third ? at(/** @type {Element} */ (third.querySelector(".box")), "y") + up + 80 : 0;
  const high = Math.max(head + (all - head) * share, least);
  tree.setAttribute("viewBox", `${left} 0 ${width - left} ${high}`);
  tree.setAttribute("width", `${width - left}`);
  tree.setAttribute("height", `${high}`);
  /** @type {HTMLElement} */ (tree.parentElement).scrollLeft = 0;
}

/** @param {string} id */
const treeOf = (id) => document.getElementById(id)?.closest("svg");

/** Chooses the round at which its tree begins. @param {string} id */
function choose(id) {
  for (const other of begins) if (treeOf(other) === treeOf(id)) begins.delete(other);
  begins.add(id);
}

/** Shows what was chosen of what the page holds now. */
function again() {
  if (isPhone.matches) begins.forEach(beginAt);
  if (zoom !== 1 || begins.size) show();
  if (begins.size) for (const link of links()) {
    if (begins.has(link.hash.slice(1))) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
  }
}

document.querySelector(".bracket-zoom")?.addEventListener("click", (e) => {
  const how = /** @type {HTMLElement} */ (e.target).dataset.zoom;
  if (how === "in") zoom = Math.min(2, zoom * 1.25);
  else if (how === "out") zoom = Math.max(0.25, zoom / 1.25);
  else if (how === "all") zoom = wide();
  else return;
  show();
});
document.addEventListener("feed:swapped", again);

document.addEventListener("click", (e) => {
  const link = /** @type {HTMLAnchorElement | null} */ (/** @type {HTMLElement} */ (e.target).closest(".bracket-jump a"));
  if (!link) return;
  e.preventDefault();
  choose(link.hash.slice(1));
  again();
  treeOf(link.hash.slice(1))?.parentElement?.scrollIntoView({ block: "nearest" });
  link.scrollIntoView({ block: "nearest", inline: "center" });
});

const now = [...links()].filter((link) => link.hasAttribute("aria-current"));
if (isPhone.matches) {
  for (const link of now.reverse()) choose(link.hash.slice(1));
  if (location.hash) choose(location.hash.slice(1));
  again();
  const first = now.at(-1);
  if (first?.parentElement) first.parentElement.scrollLeft = first.offsetLeft - first.parentElement.offsetLeft;
} else if (wide() >= 0.8) {
  zoom = wide(); // what is only a little wider begins as narrow as the page
  show();
}
// What stands there whole needs no buttons.
/** @type {HTMLElement} */ (document.querySelector(".bracket-zoom")).hidden = wide() >= 0.9;
