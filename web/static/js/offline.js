// The page without a connection: back as soon as somebody answers.
const back = () => location.reload();
addEventListener("online", back);
setInterval(() => fetch("/offline", { method: "HEAD", cache: "no-store" }).then((answer) => { if (answer.ok) back(); }, () => { /* nobody yet */ }), 5000);
