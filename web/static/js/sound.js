// Short tones for what happens in a match.

import { likes, preferred, tremble } from "./preferences.js";

let audio = null, sounding = 0;

/** Tones: frequency in Hz, start and length in seconds. */
const sounds = {
  move: [[440, 0, 0.07]],
  capture: [[330, 0, 0.07], [247, 0.06, 0.1]],
  undo: [[392, 0, 0.07], [440, 0.08, 0.07]],
  bid: [[660, 0, 0.05], [880, 0.05, 0.07]],
  draw: [[523, 0, 0.08], [659, 0.09, 0.08], [784, 0.18, 0.1]],
  ready: [[523, 0, 0.1], [784, 0.1, 0.12]],
  call: [[659, 0, 0.12], [880, 0.13, 0.12], [659, 0.4, 0.12], [880, 0.53, 0.2]],
  end: [[523, 0, 0.14], [659, 0.14, 0.14], [784, 0.28, 0.3]],
  low: [[988, 0, 0.06], [988, 0.12, 0.06]],
  king: [[131, 0, 0.5], [196, 0.02, 0.4]],
  "+1": [[587, 0.06, 0.09]],
  "+2": [[659, 0.06, 0.09]],
  "+3": [[740, 0.06, 0.09]],
  "+4": [[880, 0.06, 0.12]],
};

/** What is felt with a sound, in milliseconds. */
const felt = { bid: 12, draw: [30, 60, 30], low: 40, call: [80, 60, 80], end: [60, 40, 60], king: 90 };

export function play(name) {
  const tones = sounds[name], loud = Number(preferred("volume")) / 500;
  if (felt[name]) tremble(felt[name]);
  if (!tones || !loud || !likes("sound") || !navigator.userActivation?.hasBeenActive) return;
  audio ??= new AudioContext();
  audio.resume();
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
    sounding++;
    tone.onended = () => --sounding || audio.suspend(); // silence, too, keeps a phone's loudspeaker and processor awake
  }
}
