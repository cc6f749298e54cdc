// The boards desk: clocks that count down between what the feed brings.
import { look, tick } from "./clocks.js";

const paint = () => tick(document);
look(document.getElementById("boards"));
paint();
document.addEventListener("feed:swapped", () => {
  look(document.getElementById("boards"));
  paint();
});
setInterval(paint, 500);
