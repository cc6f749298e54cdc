// How somebody likes to play: attributes of the page say it (player.Comforts), controls with data-prefer change it, the
// server keeps it, by account or cookie.

import { isAway, keep, kept, later } from "./outbox.js";

const worn = document.documentElement.dataset;

/** @param {string} name */
export const preferred = (name) => worn[name] ?? "";

/** @param {string} name */
export const likes = (name) => worn[name] === "on";

/** @param {string} name @param {string | boolean} value */
export function prefer(name, value) {
  worn[name] = value === true ? "on" : value === false ? "off" : value;
  wear();
  if (name === "pieces") draw();
  keep(place, unkept = { ...unkept, [name]: preferred(name) });
  if (!telling) tellAll();
}

const place = `chpok.unkept.${document.body.dataset.viewer}`;
/** What the server is to hear. @type {Record<string, string>} */
let unkept = kept(place, {});
let telling = false;

const tell = () => fetch("/preferences/play", { method: "POST", body: new URLSearchParams(unkept), headers: { Accept: "application/json" }, keepalive: true }).catch(() => null);

/** One after the other: a slider is faster than answers, and its last word has to be the last. */
async function tellAll() {
  telling = true;
  for (let attempt = 0; Object.keys(unkept).length;) {
    const told = unkept, answer = await tell();
    if (isAway(answer)) await later(attempt++);
    else if (told === unkept) keep(place, unkept = {});
  }
  telling = false;
}
addEventListener("pagehide", () => telling && tell());

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

async function draw() {
  const answer = await fetch(`${document.body.dataset.static}/img/pieces/${preferred("pieces")}.svg`).catch(() => null);
  const defs = answer?.ok && new DOMParser().parseFromString(await answer.text(), "image/svg+xml").querySelector("defs");
  if (defs) document.querySelector(".piece-sprite defs")?.replaceWith(document.importNode(defs, true));
}

/** @param {number | number[]} pattern */
export function tremble(pattern) {
  if (likes("haptics") && navigator.userActivation?.hasBeenActive) navigator.vibrate?.(pattern);
}

document.addEventListener("change", (event) => {
  const input = /** @type {HTMLInputElement} */ (event.target);
  if (input.dataset?.prefer !== undefined) prefer(input.name, input.type === "checkbox" ? input.checked : input.value);
});
document.addEventListener("feed:swapped", wear);
Object.assign(worn, unkept);
if (unkept.pieces) draw();
tellAll();
wear();
