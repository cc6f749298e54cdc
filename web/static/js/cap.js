// What stands on the cap of a key. A layout of other letters types them with the same keys: "к" on the cap R.

/** @param {KeyboardEvent} event */
export function cap(event) {
  const letter = event.key.length === 1 && event.key > "\x7f" && /^Key([A-Z])$/.exec(event.code);
  if (letter) return event.shiftKey ? letter[1] : letter[1].toLowerCase();
  if (event.code === "Slash") return { ".": "/", ",": "?" }[event.key] ?? event.key; // as Cyrillic layouts have it
  return event.key;
}
