// A result as a moment of its own, to whoever was there when it came: the points count up, and to the winner the chips
// come home. Without motion the words say it.
const calm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
const result = () => document.querySelector("#m-state .result");
let known = Boolean(result());

/** @param {HTMLElement} e */
function countUp(e) {
  const text = e.textContent ?? "", end = Number(text.replace(/\D/g, ""));
  if (!end) return;
  const began = performance.now(), last = 900;
  const step = (/** @type {number} */ now) => {
    const part = Math.min(1, (now - began) / last), n = Math.round(end * (1 - (1 - part) ** 3));
    e.textContent = part < 1 ? String(n) : text;
    if (part < 1 && e.isConnected) requestAnimationFrame(step);
  };
  requestAnimationFrame(step);
}

function rain() {
  const sky = document.createElement("div");
  sky.className = "chip-rain";
  sky.setAttribute("aria-hidden", "true");
  const falls = Array.from({ length: 36 }, (_, i) => {
    const chip = document.createElement("i"), size = 18 + (i * 7) % 17, x = Math.random() * 100;
    if (i % 4 === 0) chip.className = "foe"; // some of them were the opponent's
    chip.style.cssText = `left:${x}%;width:${size}px;height:${size}px`;
    sky.append(chip);
    return chip.animate([
      { transform: "translateY(-12vh) rotateX(0)", opacity: 1 },
      { transform: `translate(${Math.random() * 80 - 40}px, 88vh) rotateX(${900 + i * 40}deg)`, opacity: 1, offset: 0.85 },
      { transform: `translate(${Math.random() * 90 - 45}px, 104vh) rotateX(${1080 + i * 40}deg)`, opacity: 0 },
    ], { duration: 1500 + Math.random() * 1100, delay: Math.random() * 600, easing: "cubic-bezier(.4,.1,.7,1)", fill: "both" }).finished;
  });
  document.body.append(sky);
  Promise.allSettled(falls).then(() => sky.remove());
}

document.addEventListener("feed:swapped", () => {
  const now = result();
  if (!now || known) return;
  known = true;
  if (calm()) return;
  for (const e of now.querySelectorAll(".result-score b")) countUp(/** @type {HTMLElement} */ (e));
  if (now.classList.contains("result-won")) rain();
});
