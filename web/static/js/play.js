// Names on the button whom it plays.
const button = document.querySelector("[data-play-bot]");
const name = () => {
  const chosen = /** @type {HTMLElement | null} */ (document.querySelector(".bot:has(:checked)"));
  if (button && chosen) button.textContent = chosen.dataset.play ?? "";
};
document.querySelector(".bots")?.addEventListener("change", name);
name();

// Arrow keys: up and down through the open challenges, left and right through the ways to play.
document.addEventListener("keydown", (event) => {
  const at = /** @type {HTMLElement} */ (event.target);
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const list = at.closest(".lobby li") ? ".lobby li a, .lobby li button" : at.closest(".way-end") ? ".way-end .big" : "";
  const step = (at.closest(".lobby li") ? { ArrowUp: -1, ArrowDown: 1 } : { ArrowLeft: -1, ArrowRight: 1 })[event.key];
  const all = list && step ? [...document.querySelectorAll(list)] : [];
  const next = all[all.indexOf(at) + step];
  if (!next) return;
  event.preventDefault();
  /** @type {HTMLElement} */ (next).focus();
});
