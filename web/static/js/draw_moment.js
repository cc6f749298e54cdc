// The draw as a moment of its own: the coin, or the reel of time controls, for players and watchers alike. Without
// motion the line of the last act says it.
import { play } from "./sound.js";

const calm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
const due = () => [.../** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("#m-state .moment"))];
let seen = Math.max(-1, ...due().map((m) => Number(m.dataset.moment)));
/** @type {HTMLElement[]} */
const waiting = [];
let showing = false;

async function next() {
  const stage = waiting.shift();
  if (!stage) { showing = false; return; }
  showing = true;
  stage.hidden = false;
  stage.setAttribute("aria-hidden", "true");
  document.body.append(stage);
  play("draw");
  const result = /** @type {HTMLElement} */ (stage.querySelector(".moment-result"));
  const coin = stage.querySelector(".coin"), reel = stage.querySelectorAll(".reel li");
  const spin = { duration: 1200, easing: "cubic-bezier(.2,.7,.2,1)", fill: /** @type {const} */ ("forwards") };
  result.animate([{ opacity: 0 }, { opacity: 1 }], { duration: 160, delay: 1200, fill: "both" });
  coin?.animate([
    { transform: "translateY(40px) rotateX(0) scale(.7)" },
    { transform: "translateY(-30px) rotateX(1440deg) scale(1.08)", offset: 0.6 },
    { transform: "rotateX(1800deg)" },
  ], spin);
  for (const li of reel) li.animate([{ transform: "none" }, { transform: `translateY(${-168 * (reel.length - 1)}px)` }], spin);
  await new Promise((done) => {
    setTimeout(done, 2800);
    addEventListener("keydown", done, { once: true });
    stage.addEventListener("click", done, { once: true });
  });
  stage.remove();
  next();
}

document.addEventListener("feed:swapped", () => {
  for (const moment of due()) {
    const seq = Number(moment.dataset.moment);
    if (seq <= seen) continue;
    seen = seq;
    if (!calm()) waiting.push(/** @type {HTMLElement} */ (moment.cloneNode(true)));
  }
  if (!showing && waiting.length) next();
});
