// Notifications of this browser, on and off.
import { reach } from "./reach.js";

const box = /** @type {HTMLElement} */ (document.getElementById("push"));
const [on, off] = /** @type {NodeListOf<HTMLButtonElement>} */ (box.querySelectorAll("button"));
const note = /** @type {HTMLElement} */ (box.querySelector("[role=status]"));
const offered = "serviceWorker" in navigator && "PushManager" in window && "Notification" in window;

/** @param {string} text */
const bytes = (text) => Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));
/** @param {ArrayBuffer | null} key */
const base64 = (key) => btoa(String.fromCharCode(...new Uint8Array(key ?? []))).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");

/** @param {PushSubscription | null} now @param {string} [word] */
function show(now, word = "") {
  on.hidden = Boolean(now) || !offered;
  off.hidden = !now;
  const key = word || (!offered ? "none" : now ? "on" : Notification.permission === "denied" ? "denied" : "off");
  note.textContent = box.dataset[key] ?? "";
}

/** @param {string} path @param {Record<string, string>} fields @param {string} [label] what was pressed */
async function tell(path, fields, label) {
  const answer = await reach(() => fetch(path, { method: "POST", body: new URLSearchParams(fields), headers: { Accept: "application/json" } }), { label });
  if (!answer?.ok) throw new Error(String(answer?.status));
}

/** @param {PushSubscription} s @param {string} [label] */
const keep = (s, label) => tell("/settings/push", { endpoint: s.endpoint, key: base64(s.getKey("p256dh")), auth: base64(s.getKey("auth")) }, label);

/** Off is off at once, without a connection and whatever becomes of this page: a site that does not hear of it learns from
 * the push service, with its next notice, that nobody is there. @param {PushSubscription} s */
const drop = async (s) => {
  await s.unsubscribe().catch(() => { /* this site is told */ });
  return tell("/settings/push/drop", { endpoint: s.endpoint });
};

/** @param {PushSubscription} s */
const isOfThisSite = (s) => base64(s.options.applicationServerKey) === box.dataset.key;

async function begin() {
  if (!offered) { show(null); return; }
  const { pushManager } = await navigator.serviceWorker.ready;
  const subscribe = () => pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: bytes(box.dataset.key ?? "") });
  let now = await pushManager.getSubscription();
  if (now && !isOfThisSite(now)) { // the site has other keys now: by the old ones it cannot push
    await drop(now);
    now = await subscribe().catch(() => null); // some browsers want to be asked by a click
  }
  if (now) await keep(now); // the session may be another one
  show(now);
  on.addEventListener("click", async () => {
    try {
      now = await subscribe();
      await keep(now, on.textContent?.trim());
      show(now);
    } catch {
      show(null, Notification.permission === "denied" ? "denied" : "failed");
    }
  });
  off.addEventListener("click", async () => {
    if (!now) return;
    const dropped = drop(now);
    now = null;
    show(null);
    await dropped.catch(() => { /* the next notice finds nobody there */ });
  });
}

begin().catch(() => show(null, "failed"));
