// Names on the button whom it plays.
const button = document.querySelector("[data-play-bot]");
const name = () => {
  const chosen = document.querySelector(".bot input:checked");
  if (button && chosen) button.textContent = button.dataset.playBot.replace("{}", chosen.value);
};
document.querySelector(".bots")?.addEventListener("change", name);
name();
