// On a phone, where one column fills the screen, a bracket begins at the round that is played.
const now = /** @type {HTMLAnchorElement | null} */ (document.querySelector(".bracket-jump [aria-current]"));
const round = now?.offsetParent && !location.hash ? document.getElementById(now.hash.slice(1)) : null;
const tree = round?.closest(".bracket");
if (now?.parentElement && round && tree) {
  tree.scrollLeft = round.offsetLeft;
  now.parentElement.scrollLeft = now.offsetLeft - now.parentElement.offsetLeft;
}
