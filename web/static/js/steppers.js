// The buttons beside a number: one less and one more.

document.addEventListener("click", (event) => {
  const button = /** @type {HTMLElement | null} */ (/** @type {Element} */ (event.target).closest("button[data-step]"));
  const input = button?.parentElement?.querySelector("input");
  if (!input) return;
  if (button?.dataset.step === "1") input.stepUp(); else input.stepDown();
  input.dispatchEvent(new Event("change", { bubbles: true }));
});
