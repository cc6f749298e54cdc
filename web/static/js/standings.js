// Standings: a tie-break that is tapped explains itself in place, below its line. Without this script its link leads to
// the player's card, which says the same.
const table = () => /** @type {HTMLTableElement | null} */ (document.querySelector("table.standings"));
/** The link of the line that stands open. */
let shown = "";

/** @param {string} href */
const lineOf = (href) => /** @type {HTMLAnchorElement | undefined} */ ([...table()?.querySelectorAll("a.why") ?? []].find((a) => a.getAttribute("href") === href));

async function show() {
  const wanted = shown;
  if (!wanted) return;
  const answer = await fetch(wanted, { headers: { Accept: "text/html-fragment" } }).catch(() => null);
  const html = answer?.ok ? await answer.text() : "";
  const link = lineOf(wanted), row = link?.closest("tr");
  if (!link || !row || wanted !== shown) return;
  if (!html) return location.assign(wanted);
  hide();
  const line = document.createElement("tr"), cell = document.createElement("td");
  line.className = "explained";
  cell.colSpan = row.cells.length;
  cell.innerHTML = html;
  line.append(cell);
  row.after(line);
  link.setAttribute("aria-expanded", "true");
}

function hide() {
  for (const line of table()?.querySelectorAll("tr.explained") ?? []) line.remove();
  for (const link of table()?.querySelectorAll("a.why") ?? []) link.setAttribute("aria-expanded", "false");
}

document.addEventListener("click", (event) => {
  if (event.ctrlKey || event.metaKey || event.shiftKey) return;
  const cell = /** @type {Element} */ (event.target).closest("table.standings tbody td.num");
  const link = cell?.closest("tr")?.querySelector("a.why");
  const other = /** @type {Element} */ (event.target).closest("a");
  if (!link || other && other !== link) return;
  event.preventDefault();
  const href = link.getAttribute("href") ?? "";
  shown = shown === href ? "" : href;
  if (shown) show();
  else hide();
});

// The table has been renewed: what stood open is worked out anew.
document.addEventListener("feed:swapped", () => {
  if (shown && !table()?.querySelector("tr.explained")) show();
});
