// Short tones for what happens in a match. Muted by the setting of the account, or here; this browser remembers.

import { preferences, tremble } from "./preferences.js";

const key = "chpok.sound";
let audio = null;
/** @type {string | null} */
let chosen = null;

/** Whether sounds are off. */
export function silent() {
  const mine = chosen ?? kept();
  return mine ? mine === "off" : document.body.hasAttribute("data-silent");
}

export function toggleSound() {
  chosen = silent() ? "on" : "off";
  try {
    localStorage.setItem(key, chosen);
  } catch { /* a browser that keeps nothing: as long as the page is open */ }
}

function kept() {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/** Tones: frequency in Hz, start and length in seconds. */
const sounds = {
  move: [[440, 0, 0.07]],
  capture: [[330, 0, 0.07], [247, 0.06, 0.1]],
  undo: [[392, 0, 0.07], [440, 0.08, 0.07]],
  bid: [[660, 0, 0.05], [880, 0.05, 0.07]],
  draw: [[523, 0, 0.08], [659, 0.09, 0.08], [784, 0.18, 0.1]],
  ready: [[523, 0, 0.1], [784, 0.1, 0.12]],
  end: [[523, 0, 0.14], [659, 0.14, 0.14], [784, 0.28, 0.3]],
  low: [[988, 0, 0.06], [988, 0.12, 0.06]],
  king: [[131, 0, 0.5], [196, 0.02, 0.4]],
  "+1": [[587, 0.06, 0.09]],
  "+2": [[659, 0.06, 0.09]],
  "+3": [[740, 0.06, 0.09]],
  "+4": [[880, 0.06, 0.12]],
};

/** What is felt with a sound, in milliseconds. */
const felt = { bid: 12, draw: [30, 60, 30], low: 40, end: [60, 40, 60], king: 90 };

export function play(name) {
  const tones = sounds[name], loud = preferences().volume / 500;
  if (felt[name]) tremble(felt[name]);
  if (!tones || !loud || silent() || !navigator.userActivation?.hasBeenActive) return;
  audio ??= new AudioContext();
  if (audio.state === "suspended") audio.resume();
  for (const [pitch, start, length] of tones) {
    const tone = audio.createOscillator(), gain = audio.createGain(), at = audio.currentTime + start;
    tone.type = "sine";
    tone.frequency.value = pitch;
    gain.gain.setValueAtTime(0.0001, at);
    gain.gain.exponentialRampToValueAtTime(loud, at + 0.01);
    gain.gain.exponentialRampToValueAtTime(0.0001, at + length);
    tone.connect(gain).connect(audio.destination);
    tone.start(at);
    tone.stop(at + length + 0.02);
  }
}
