// What this page tells of itself, where the match's card says so: that it was left, that something was pasted, that a
// program acts. Nothing else is looked at; what was told stands below the board, and whoever blocks it plays on.
const box = /** @type {HTMLElement} */ (document.getElementById("m-told"));
const match = /** @type {HTMLElement} */ (document.getElementById("match"));

/** @type {{kind: string, number: number}[]} */
let queue = [];
const tell = (kind, number = 0) => { if (queue.length < 50) queue.push({ kind, number: Math.min(Math.round(number), 100000) }); };

async function send() {
  if (!queue.length) return;
  const rows = queue;
  queue = [];
  try {
    const answer = await fetch(box.dataset.url, {
      method: "POST", keepalive: true, body: JSON.stringify({ rows }), headers: { "Content-Type": "application/json", Accept: "application/json" },
    });
    if (answer.status > 500) throw answer;
    if (!answer.ok) return;
    const { text } = await answer.json();
    document.getElementById("m-told-text").textContent = text;
  } catch {
    queue = rows.concat(queue).slice(0, 50);
    document.getElementById("m-told-text").textContent = box.dataset.blocked;
  }
}

let left = 0, asked = false;
// The site's own check takes the focus for the device's dialog: going there is no leaving.
const checking = () => document.getElementById("m-mid-check") !== null;
const leave = () => {
  if (!left) { left = Date.now(); asked = checking(); }
};
const comeBack = () => {
  if (left && document.visibilityState === "visible" && document.hasFocus()) {
    const away = (Date.now() - left) / 1000;
    left = 0;
    if (away >= 1 && !asked && !checking()) tell("focus", away);
  }
};
addEventListener("blur", leave);
addEventListener("focus", comeBack);
document.addEventListener("visibilitychange", () => (document.hidden ? leave() : comeBack()));

let moves = 0, turns = 0, course = "", byMouse = false, untrusted = 0;
match.addEventListener("pointermove", (event) => {
  moves++;
  const now = `${Math.sign(event.movementX)}/${Math.sign(event.movementY)}`;
  if (now !== course) { course = now; turns++; }
});
for (const kind of ["pointerdown", "keydown"]) {
  match.addEventListener(kind, (event) => {
    byMouse = event instanceof PointerEvent && event.pointerType === "mouse";
    if (!event.isTrusted && Date.now() - untrusted > 10000) { untrusted = Date.now(); tell("untrusted"); }
  }, true);
}
match.addEventListener("act", () => {
  if (byMouse && moves === 0) tell("no-pointer");
  tell("cadence", turns);
  moves = 0;
  turns = 0;
});
match.addEventListener("paste", (event) => { if (/** @type {Element} */ (event.target).id === "m-typed") tell("paste"); });

const others = new BroadcastChannel("chpok-pages");
let seen = 0;
others.onmessage = ({ data }) => {
  if (data === "analyse" && Date.now() - seen > 60000) { seen = Date.now(); tell("other-tab"); }
};
others.postMessage("match");

tell("hello");
if (navigator.webdriver) tell("webdriver");
send();
setInterval(send, 5000);
addEventListener("pagehide", send);
