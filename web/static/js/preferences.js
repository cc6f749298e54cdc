// How somebody likes to play: the attributes of the page say it (player.Comforts), controls with data-prefer change it at
// once, and the server keeps it: for an account, or for this browser by a cookie.

const worn = document.documentElement.dataset;

/** The value of a comfort. @param {string} name */
export const preferred = (name) => worn[name] ?? "";

/** Whether one of those that are on or off is on. @param {string} name */
export const likes = (name) => worn[name] === "on";

/** @param {string} name @param {string | boolean} value */
export function prefer(name, value) {
  worn[name] = value === true ? "on" : value === false ? "off" : value;
  wear();
  if (name === "pieces") draw();
  unkept[name] = preferred(name);
  if (!keeping) keep();
}

/** What the server has not been told. @type {Record<string, string>} */
let unkept = {};
let keeping = false;

/** Tells it, one after the other: a slider changes faster than answers come, and the last word has to be the last. */
async function keep() {
  keeping = true;
  while (Object.keys(unkept).length) {
    const body = new URLSearchParams(unkept);
    unkept = {};
    await fetch("/preferences/play", { method: "POST", body, headers: { Accept: "application/json" }, keepalive: true })
      .catch(() => { /* it holds for this page */ });
  }
  keeping = false;
}
addEventListener("pagehide", keep);

/** Shows in every control what is preferred. */
export function wear() {
  document.getElementById("do-ranks")?.setAttribute("aria-pressed", String(likes("ranks")));
  for (const b of document.querySelectorAll('[data-do="sound"]')) b.setAttribute("aria-pressed", String(!likes("sound")));
  for (const input of /** @type {NodeListOf<HTMLInputElement>} */ (document.querySelectorAll("input[data-prefer]"))) {
    const value = preferred(input.name);
    if (input.type === "checkbox") input.checked = value === "on";
    else if (input.type === "radio") input.checked = input.value === value;
    else input.value = value;
  }
}

/** Draws all pieces of the page by another set. */
async function draw() {
  const answer = await fetch(`${document.body.dataset.static}/img/pieces/${preferred("pieces")}.svg`).catch(() => null);
  const defs = answer?.ok && new DOMParser().parseFromString(await answer.text(), "image/svg+xml").querySelector("defs");
  if (defs) document.querySelector(".piece-sprite defs")?.replaceWith(document.importNode(defs, true));
}

/** A short tremble, where the device has one. @param {number | number[]} pattern */
export function tremble(pattern) {
  if (likes("haptics") && navigator.userActivation?.hasBeenActive) navigator.vibrate?.(pattern);
}

document.addEventListener("change", (event) => {
  const input = /** @type {HTMLInputElement} */ (event.target);
  if (input.dataset?.prefer !== undefined) prefer(input.name, input.type === "checkbox" ? input.checked : input.value);
});
document.addEventListener("feed:swapped", wear);
wear();
