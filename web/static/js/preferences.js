// How somebody likes to play, kept by this browser: moves confirmed, coordinates, points of ranks, haptics, loudness.

const key = "chpok.play";
const usual = { confirm: false, coords: true, ranks: false, haptics: true, volume: 60 };

let chosen = {};

/** @returns {typeof usual} */
export function preferences() {
  try {
    return { ...usual, ...JSON.parse(localStorage.getItem(key) ?? "{}"), ...chosen };
  } catch {
    return { ...usual, ...chosen };
  }
}

/** @param {string} name @param {boolean | number} value */
export function prefer(name, value) {
  chosen = { ...chosen, [name]: value };
  try {
    localStorage.setItem(key, JSON.stringify(preferences()));
  } catch { /* a browser that keeps nothing: as long as the page is open */ }
  wear();
}

/** Puts on the page what is preferred. */
export function wear() {
  const now = preferences(), match = document.getElementById("match");
  match?.classList.toggle("no-coords", !now.coords);
  match?.classList.toggle("show-ranks", now.ranks);
  document.getElementById("do-ranks")?.setAttribute("aria-pressed", String(now.ranks));
  for (const input of /** @type {NodeListOf<HTMLInputElement>} */ (document.querySelectorAll("[data-prefer]"))) {
    const value = now[/** @type {keyof typeof usual} */ (input.dataset.prefer)];
    if (input.type === "checkbox") input.checked = Boolean(value);
    else input.value = String(value);
  }
}

/** A short tremble, where the device has one. @param {number | number[]} pattern */
export function tremble(pattern) {
  if (preferences().haptics && navigator.userActivation?.hasBeenActive) navigator.vibrate?.(pattern);
}

document.addEventListener("change", (event) => {
  const input = /** @type {HTMLInputElement} */ (event.target);
  if (input.dataset?.prefer) prefer(input.dataset.prefer, input.type === "checkbox" ? input.checked : Number(input.value));
});
document.addEventListener("feed:swapped", wear);
wear();
