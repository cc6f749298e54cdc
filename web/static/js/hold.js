// What a player does in a match whose acts are signed waits for match.js, which signs them. This is no module: modules
// run when the page can be clicked already.
(() => {
  /** @type {{ form: HTMLFormElement, submitter: HTMLElement | null } | null} */
  let held = null;
  const hold = (/** @type {SubmitEvent} */ event) => {
    const form = /** @type {HTMLFormElement} */ (event.target);
    if (!form.classList.contains("command")) return;
    event.preventDefault();
    event.stopPropagation();
    held = { form, submitter: event.submitter };
  };
  // What has taken the place of a button since, with what the feed brought.
  const sameAs = (/** @type {HTMLElement | null | undefined} */ was) => /** @type {HTMLButtonElement | undefined} */ (
    [...document.querySelectorAll("form.command button")].find((b) => b.outerHTML === was?.outerHTML));
  document.addEventListener("submit", hold, true);
  document.addEventListener("match:signs", () => {
    document.removeEventListener("submit", hold, true);
    if (held?.form.isConnected) return held.form.requestSubmit(held.submitter);
    const now = sameAs(held?.submitter);
    now?.form?.requestSubmit(now);
  }, { once: true });
})();
