// Forms that ask the visitor's device for a passkey. A form with data-device fetches from data-options what to ask,
// puts the device's answer into its field "answer" and goes its usual way. data-page-key: the page makes a key of its
// own first, whose public half goes along in the field "key".
import { post } from "./outbox.js";
import { keyOf, makeKey } from "./page_key.js";

const able = "PublicKeyCredential" in window && "parseRequestOptionsFromJSON" in PublicKeyCredential;

/** @param {HTMLFormElement} form @param {string} message */
function tell(form, message) {
  const box = /** @type {HTMLElement} */ (form.querySelector(".device-trouble"));
  box.textContent = message;
  box.hidden = !message;
}

/** @param {HTMLFormElement} form @param {string} name */
function word(form, name) {
  const words = /** @type {HTMLTemplateElement} */ (form.querySelector(".device-words"));
  return words.content.querySelector(`[data-word="${name}"]`)?.textContent ?? "";
}

/** @param {HTMLFormElement} form @param {string} name @param {string} value */
function put(form, name, value) {
  let input = /** @type {HTMLInputElement | null} */ (form.querySelector(`input[name="${name}"]`));
  if (!input) {
    input = document.createElement("input");
    input.type = "hidden";
    input.name = name;
    form.append(input);
  }
  input.value = value;
}

/** @param {HTMLFormElement} form @param {any} options */
function ask(form, options) {
  if (form.dataset.device === "create")
    return navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options) });
  return navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options) });
}

/** @param {HTMLFormElement} form */
async function run(form) {
  tell(form, "");
  if (form.hasAttribute("data-page-key")) {
    try {
      put(form, "key", await makeKey());
    } catch {
      tell(form, word(form, "unsupported"));
      return;
    }
  }
  if (!form.dataset.device) { post(form); return; }
  if (!able) { tell(form, word(form, "unsupported")); return; }
  let told;
  try {
    const body = new URLSearchParams(/** @type {any} */ (new FormData(form)));
    const answer = await fetch(form.dataset.options ?? "", { method: "POST", body, headers: { Accept: "application/json" } });
    told = await answer.json();
    if (!answer.ok) { tell(form, told.message ?? word(form, "offline")); return; }
  } catch {
    tell(form, word(form, "offline"));
    return;
  }
  try {
    const credential = /** @type {any} */ (await ask(form, told.options));
    put(form, "answer", JSON.stringify(credential.toJSON()));
  } catch (err) {
    const name = /** @type {Error} */ (err).name;
    tell(form, word(form, name === "InvalidStateError" ? "known" : name === "NotSupportedError" ? "unsupported" : "refused"));
    return;
  }
  if (!form.isConnected) { // the page was brought up to date meanwhile
    form.setAttribute("hidden", "");
    document.body.append(form);
  }
  post(form);
}

if (able) for (const form of /** @type {NodeListOf<HTMLFormElement>} */ (document.querySelectorAll("form[data-device][data-needs-script]"))) form.removeAttribute("hidden");

// Forms come and go on a page that is kept up to date.
document.addEventListener("submit", async (event) => {
  const form = /** @type {HTMLFormElement} */ (event.target);
  if (!form.matches("form[data-device], form[data-page-key]")) return;
  event.preventDefault();
  const button = /** @type {HTMLButtonElement | null} */ (form.querySelector("button"));
  if (button?.disabled) return;
  if (button) button.disabled = true;
  await run(form);
  if (button) button.disabled = false;
});

// Pressed before this listens, a form would go without the device's answer.
for (const button of /** @type {NodeListOf<HTMLButtonElement>} */ (document.querySelectorAll("button[data-awaits-script]"))) button.disabled = false;

// The page of a check-in says whether it is this browser that is checked in.
const door = document.getElementById("check-in");
if (door?.dataset.page && await keyOf(door.dataset.page)) {
  document.getElementById("c-here")?.removeAttribute("hidden");
  for (const id of ["c-lost", "c-ways"]) document.getElementById(id)?.setAttribute("hidden", "");
}
