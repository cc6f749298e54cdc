// A challenge's page goes to the match as soon as there is one, and hands its link to the apps of a phone.
import { on } from "./feed.js";

on("match", ({ url }) => location.assign(url));

const send = /** @type {HTMLButtonElement | null} */ (document.querySelector(".share [data-share]"));
const link = document.getElementById("challenge-link");
if (send && link && navigator.share) {
  send.hidden = false;
  document.querySelector(".share [data-copy]")?.classList.add("quiet");
  send.addEventListener("click", () => navigator.share({ title: document.title, url: link.textContent ?? "" }).catch(() => {}));
}
