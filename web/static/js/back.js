// Back closes what lies over the page, as people on a phone expect, and only then leaves it: an entry of the history stands
// for what is open.
let stands = Boolean(history.state?.over), leaving = false;
/** What may lie over the page: whether it does, and how it closes. @type {{isOpen: () => boolean, close: () => void}[]} */
const covers = [];

/** Keeps the history in step with what is open. */
export function follow() {
  if (leaving) return;
  const open = covers.some((cover) => cover.isOpen());
  if (open && !stands) history.pushState({ over: true }, "");
  // Whoever went on from there, by a link to a part of the page, is not taken back.
  if (!open && stands && history.state?.over) {
    leaving = true;
    history.back();
  }
  stands = open;
}

/** @param {() => boolean} isOpen @param {() => void} close */
export function cover(isOpen, close) { covers.push({ isOpen, close }); }

addEventListener("popstate", () => {
  const left = leaving;
  leaving = false;
  if (!left && stands && !history.state?.over) {
    stands = false;
    for (const cover of covers) if (cover.isOpen()) cover.close();
  }
  follow();
});

const sheet = () => /** @type {HTMLElement | null} */ (document.querySelector("[popover]:popover-open"));
cover(() => sheet() !== null, () => sheet()?.hidePopover());
document.addEventListener("toggle", follow, true);
document.addEventListener("feed:swapped", follow);
addEventListener("pageshow", follow);
