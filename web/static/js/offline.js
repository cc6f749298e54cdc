// The page without a connection: back as soon as there is one.
addEventListener("online", () => location.reload());
