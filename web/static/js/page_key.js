// The key of a checked-in page: made in this browser, never leaves it, and signs what a player does in a match.
// Keys are kept by their public half, in Base64 without padding.

const curve = { name: "ECDSA", namedCurve: "P-256" };

/** @returns {Promise<IDBDatabase>} */
function open() {
  return new Promise((done, failed) => {
    const asked = indexedDB.open("chpok", 1);
    asked.onupgradeneeded = () => asked.result.createObjectStore("pages");
    asked.onsuccess = () => done(asked.result);
    asked.onerror = () => failed(asked.error);
  });
}

/** @template T @param {IDBTransactionMode} mode @param {(s: IDBObjectStore) => IDBRequest<T>} ask @returns {Promise<T>} */
async function within(mode, ask) {
  const db = await open();
  try {
    return await new Promise((done, failed) => {
      const all = db.transaction("pages", mode), asked = ask(all.objectStore("pages"));
      all.oncomplete = () => done(asked.result); // not sooner: who leaves the page would lose what is not kept yet
      all.onabort = all.onerror = () => failed(all.error);
    });
  } finally {
    db.close();
  }
}

/** @param {Uint8Array} bytes */
export function base64(bytes) {
  return btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** Makes a new key and answers its public half. */
export async function makeKey() {
  const pair = await crypto.subtle.generateKey(curve, false, ["sign"]);
  const name = base64(new Uint8Array(await crypto.subtle.exportKey("raw", pair.publicKey)));
  await within("readwrite", (s) => s.put(pair.privateKey, name));
  return name;
}

/** The private key to a public half; undefined when this browser has none.
 * @param {string} name @returns {Promise<CryptoKey | undefined>} */
export async function keyOf(name) {
  if (!name) return undefined;
  try {
    return await within("readonly", (s) => s.get(name));
  } catch {
    return undefined; // a browser that keeps nothing
  }
}

const text = new TextEncoder();

/** Texts and bytes one after the other, each behind its length in four bytes.
 * @param {(string | Uint8Array)[]} parts */
function fields(...parts) {
  const all = parts.map((p) => typeof p === "string" ? text.encode(p) : p);
  const out = new Uint8Array(all.reduce((n, p) => n + 4 + p.length, 0));
  let at = 0;
  for (const p of all) {
    new DataView(out.buffer).setUint32(at, p.length);
    out.set(p, at + 4);
    at += 4 + p.length;
  }
  return out;
}

/** Signs the fields of a form, as fairplay.Act has it.
 * @param {CryptoKey} key @param {string} match @param {string} seq @param {string} chain @param {URLSearchParams} form */
export async function sign(key, match, seq, chain, form) {
  const list = [...form].filter(([name]) => name !== "sig");
  list.sort(([a], [b]) => a < b ? -1 : a > b ? 1 : 0);
  const message = fields("chpok-move/1", match, seq, fields(...list.flat()), chain);
  return base64(new Uint8Array(await crypto.subtle.sign({ name: "ECDSA", hash: "SHA-256" }, key, message)));
}
