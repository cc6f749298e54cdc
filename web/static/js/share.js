// The share sheet of a replay: what is passed on is the moment that is shown, seen as it is shown.
const sheet = document.getElementById("m-share");
const link = document.getElementById("share-link");
const picture = /** @type {HTMLAnchorElement | null} */ (document.getElementById("share-picture"));
const send = /** @type {HTMLButtonElement | null} */ (sheet?.querySelector("[data-share]") ?? null);

sheet?.addEventListener("beforetoggle", (event) => {
  if (/** @type {ToggleEvent} */ (event).newState !== "open" || !link) return;
  const place = new URLSearchParams(location.search), shown = new URLSearchParams();
  for (const name of ["ply", "bid"]) if (place.has(name)) shown.set(name, /** @type {string} */ (place.get(name)));
  link.textContent = sheet.dataset.link + (shown.size ? `?${shown}` : "");
  if (!picture) return;
  if (document.querySelector(".board.as-black")) shown.set("flip", "1");
  picture.href = sheet.dataset.picture + (shown.size ? `&${shown}` : "");
});

if (send && navigator.share) {
  send.hidden = false;
  send.addEventListener("click", () => navigator.share({ title: document.title, url: link?.textContent ?? "" }).catch(() => {}));
}
