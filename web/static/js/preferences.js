// How somebody likes to play: the attributes of the page say it (player.Comforts), controls with data-prefer change it at
// once, and the server keeps it: for an account, or for this browser by a cookie.

import { reach } from "./outbox.js";

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
  unkept = { ...unkept, [name]: preferred(name) };
  remember();
  if (!keeping) keep();
}

const place = "chpok.unkept", who = document.body.dataset.viewer ?? "";

/** What the server has not been told, also by pages of this tab before. @type {Record<string, string>} */
let unkept = {};
let keeping = false;

/** @param {Record<string, string>} fields */
const tell = (fields) => fetch("/preferences/play", { method: "POST", body: new URLSearchParams(fields), headers: { Accept: "application/json" }, keepalive: true });

/** Tells it, one after the other: a slider changes faster than answers come, and the last word has to be the last. */
async function keep() {
  keeping = true;
  while (Object.keys(unkept).length) {
    const told = unkept;
    await reach(() => tell(told), { wanted: () => told === unkept });
    if (told === unkept) unkept = {};
  }
  remember();
  keeping = false;
}

addEventListener("pagehide", () => { if (Object.keys(unkept).length) tell(unkept).catch(() => { /* remembered */ }); });

/** Another page of this tab tells what this one could not. */
function remember() {
  try {
    if (Object.keys(unkept).length) sessionStorage.setItem(place, JSON.stringify({ who, unkept }));
    else sessionStorage.removeItem(place);
  } catch { /* it holds for this page */ }
}

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
try {
  const was = JSON.parse(sessionStorage.getItem(place) ?? "null");
  if (was?.who === who) for (const name in was.unkept) prefer(name, was.unkept[name]);
} catch { /* a browser that keeps nothing */ }
wear();
