import "./board.js";

// A lesson is a form; the board fills it in, and the chips name the raise.
const form = /** @type {HTMLFormElement | null} */ (document.getElementById("lesson"));
form?.addEventListener("act", (event) => {
  const act = document.createElement("input");
  act.type = "hidden";
  act.name = "act";
  act.value = /** @type {CustomEvent} */ (event).detail;
  form.append(act);
  form.noValidate = true; // the chips are for another act
  form.requestSubmit();
});
const raise = /** @type {HTMLButtonElement | null} */ (form?.querySelector("[data-does]"));
const name = () => {
  const chosen = /** @type {HTMLInputElement | null} */ (form?.querySelector("[name=chips]:checked"));
  if (raise && chosen) raise.textContent = (raise.dataset.does ?? "").replace("{}", chosen.value);
};
form?.addEventListener("change", (event) => {
  name();
  const picked = /** @type {Element} */ (event.target).closest(".pick-piece select");
  picked?.previousElementSibling?.firstElementChild?.setAttribute("href", `#pc-${/** @type {HTMLSelectElement} */ (picked).value}`);
});
name();
