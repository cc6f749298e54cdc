// Small drawings of the bidding, as the server makes them: start positions and stacks of chips.

const svgNS = "http://www.w3.org/2000/svg";
const fold = 0.3;

function add(svg, tag, attributes) {
  const e = document.createElementNS(svgNS, tag);
  for (const [k, v] of Object.entries(attributes)) e.setAttribute(k, String(v));
  svg.append(e);
}

/** Draws the start position of a home row into a small board. */
export function drawStart(svg, row) {
  if (!row || svg.dataset.row === row) return;
  const [folded, bare, turned] = ["folded", "bare", "turned"].map((name) => svg.classList.contains(name)), w = row.length;
  const x = (file) => (turned ? w - 1 - file : file);
  const y = (rank) => {
    const r = turned ? 9 - rank : rank;
    return r > 2 || !folded ? 8 - r : 4 - r + fold;
  };
  const ranks = (folded ? [8, 7, 2, 1] : [8, 7, 6, 5, 4, 3, 2, 1]).filter((r) => !bare || r > 1);
  svg.dataset.row = row;
  svg.setAttribute("viewBox", `0 0 ${w} ${(folded ? 4 + fold : 8) - (bare ? 1 : 0)}`);
  svg.replaceChildren();
  add(svg, "rect", { class: "mini-light", width: w, height: 8 });
  let dark = "", line = `M0 2h${w}v${fold}h-${w}z`;
  for (const rank of ranks) for (let file = (rank - 1) % 2; file < w; file += 2) dark += `M${x(file)} ${y(rank)}h1v1h-1z`;
  add(svg, "path", { class: "mini-dark", d: dark });
  for (let file = 0; file < w; file++) line += `M${file} 2.3l.5-.24l.5.24`;
  if (folded) add(svg, "path", { class: "fold", d: line });
  [...row].forEach((letter, file) => {
    const put = (color, kind, rank) => add(svg, "use", { class: `pc-${color}`, href: `#pc-${kind}`, x: x(file), y: y(rank), width: 1, height: 1 });
    put("b", letter, 8);
    put("b", "P", 7);
    put("w", "P", 2);
    if (!bare) put("w", letter, 1);
  });
}

/** Draws a stake with the chips of a bid that is being prepared on top of it. */
export function drawStack(svg, chips, ghosts) {
  const n = chips + ghosts, step = n <= 8 ? 4.6 : 32.2 / (n - 1), height = 14 + step * Math.max(n - 1, 0);
  svg.setAttribute("viewBox", `0 0 30 ${height}`);
  svg.setAttribute("height", String(height));
  svg.replaceChildren();
  for (let i = 0; i < n; i++) add(svg, "use", { href: "#chip", y: step * (n - 1 - i), ...(i >= chips && { class: "ghost" }) });
}
