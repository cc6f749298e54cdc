// The replay page: stepping without loading a page for each ply.
import "./board.js";
import { Steps } from "./steps.js";

const match = /** @type {HTMLElement} */ (document.getElementById("match"));
const steps = new Steps(match);
steps.at = Number(match.dataset.ply);
steps.load();

const slider = document.getElementById("m-ply");
slider?.addEventListener("input", () => steps.show(Number(/** @type {HTMLInputElement} */ (slider).value)));
slider?.closest("form")?.addEventListener("submit", (event) => event.preventDefault());
