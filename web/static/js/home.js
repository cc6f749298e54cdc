// Replays the recorded match of the home page, one move at a time, over and over.
const card = document.getElementById("home-board");
const frames = JSON.parse(card?.dataset.frames || "[]");
const still = matchMedia("(prefers-reduced-motion: reduce)");
const svg = card?.querySelector("svg.mini");
const ns = "http://www.w3.org/2000/svg";

/** @param {string} name @param {string} kind @param {number} file @param {number} rank */
function put(name, kind, file, rank) {
  const e = document.createElementNS(ns, name);
  e.setAttribute("class", kind);
  for (const [key, value] of Object.entries({ x: file, y: 7 - rank, width: 1, height: 1 })) e.setAttribute(key, String(value));
  svg?.append(e);
  return e;
}

/** @param {{p: string, l: string, s: [number, number], w: string}} frame */
function show(frame) {
  for (const e of [...(svg?.querySelectorAll("use, .mini-last") ?? [])]) e.remove();
  for (const square of [frame.l.slice(0, 2), frame.l.slice(2, 4)]) {
    if (square) put("rect", "mini-last", square.charCodeAt(0) - 97, Number(square[1]) - 1);
  }
  frame.p.split("/").forEach((line, i) => {
    let file = 0;
    for (const [part] of line.matchAll(/\d+|[a-zA-Z]/g)) {
      if (/\d/.test(part)) { file += Number(part); continue; }
      const white = part === part.toUpperCase();
      put("use", white ? "pc-w" : "pc-b", file++, 7 - i).setAttribute("href", "#pc-" + part.toUpperCase());
    }
  });
  const [white, black] = frame.s;
  card?.querySelectorAll(".live-points").forEach((e, i) => {
    if (e.lastChild) e.lastChild.nodeValue = String(i ? white : black); // White stands below
  });
  card?.querySelector(".live-tug-w")?.setAttribute("width", frame.w);
}

if (frames.length && !still.matches) {
  let at = 0;
  show(frames[0]);
  setInterval(() => {
    if (document.hidden) return;
    at = (at + 1) % (frames.length + 4); // the end stands for a while
    if (at < frames.length) show(frames[at]);
  }, 1100);
}
