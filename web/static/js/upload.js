// A form that brings a long list: it says how much of it has arrived, which is how much the server has read, and shows the
// answer in place of the page. Without this script browsers send it themselves.
const form = () => /** @type {HTMLFormElement | null} */ (document.querySelector("form[data-upload]"));

/** What says how it goes, and its bar. @param {HTMLFormElement} of */
const linesOf = (of) => ({ said: /** @type {HTMLElement} */ (of.querySelector("[data-upload-said]")),
  bar: /** @type {HTMLProgressElement} */ (of.querySelector("progress")) });

/** @param {number} bytes */
const megabytes = (bytes) => (bytes / 1e6).toLocaleString(document.documentElement.lang, { maximumFractionDigits: 1, minimumFractionDigits: 1 });

let isSending = false;

/** @param {HTMLFormElement} of @param {HTMLElement | null} submitter */
function send(of, submitter) {
  const { said, bar } = linesOf(of), request = new XMLHttpRequest();
  const idle = () => {
    isSending = false;
    of.removeAttribute("aria-busy");
    submitter?.removeAttribute("aria-disabled");
    removeEventListener("beforeunload", stay);
  };
  isSending = true;
  of.setAttribute("aria-busy", "true");
  submitter?.setAttribute("aria-disabled", "true");
  addEventListener("beforeunload", stay);
  bar.hidden = false;
  bar.removeAttribute("value");
  request.upload.addEventListener("progress", ({ loaded, total }) => {
    bar.max = total;
    bar.value = loaded;
    said.textContent = (loaded < total ? said.dataset.sent : said.dataset.read)?.replace("{n}", megabytes(loaded)).replace("{of}", megabytes(total)) ?? "";
  });
  request.addEventListener("load", () => {
    idle();
    const page = /** @type {Document | null} */ (request.response), main = page?.querySelector("main");
    if (!page || !main) return fail();
    document.title = page.title;
    document.querySelector("main")?.replaceWith(document.adoptNode(main));
    const heading = /** @type {HTMLElement | null} */ (main.querySelector("[role=alert]") ?? main.querySelector("h1"));
    heading?.setAttribute("tabindex", "-1");
    heading?.focus();
  });
  const fail = () => {
    idle();
    bar.hidden = true;
    said.textContent = said.dataset.lost ?? "";
  };
  for (const end of ["error", "abort", "timeout"]) request.addEventListener(end, fail);
  request.open("POST", of.action);
  request.responseType = "document";
  request.send(new FormData(of));
}

/** Who leaves the page is asked first. @param {Event} event */
const stay = (event) => event.preventDefault();

document.addEventListener("submit", (event) => {
  const file = form()?.querySelector("input[type=file]");
  if (event.target !== form() || !(file instanceof HTMLInputElement) || !file.files?.length) return;
  event.preventDefault();
  if (!isSending) send(/** @type {HTMLFormElement} */ (event.target), /** @type {SubmitEvent} */ (event).submitter);
});
