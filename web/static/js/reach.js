// What scripts ask the server for outlives a connection that is away: see outbox.js for forms.
import { isAway, later } from "./outbox.js";

const box = document.getElementById("outbox");

/** Asks until somebody answers, or nobody wants to know any more. What a person has pressed is said to wait, by its name.
 * @param {() => Promise<Response>} ask @param {{ label?: string, wanted?: () => boolean }} [of] @returns {Promise<Response | null>} */
export async function reach(ask, { label = "", wanted = () => true } = {}) {
  const line = document.createElement("li");
  let answer = null;
  for (let attempt = 0; wanted(); attempt++) {
    answer = await ask().catch(() => null);
    if (!isAway(answer)) break;
    answer = null;
    const [head, list] = box?.children ?? [];
    if (label && box && list) {
      head.textContent = box.dataset.held ?? "";
      line.textContent = `${box.dataset.unsent} · ${label}`;
      list.append(line);
      box.hidden = false;
    }
    await later(attempt);
  }
  if (line.isConnected && box) {
    line.remove();
    box.hidden = !box.querySelector("li");
  }
  return answer;
}
