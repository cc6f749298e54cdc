// The service worker: shows what is pushed, and a page of its own when there is no connection. It answers with nothing
// else that it has kept: a match is never shown as it was.
/* global files */

const shell = [`${files}/css/tokens.css`, `${files}/css/base.css`, `${files}/js/core.js`, `${files}/js/offline.js`, `${files}/font/inter.woff2`];
const lost = `/offline${location.search}`;

addEventListener("install", (event) => {
  // A new worker waits until no page needs the old one: taking over would lose a page that is just being opened.
  event.waitUntil(caches.open(files).then((cache) => cache.addAll([new Request(lost, { credentials: "omit" }), ...shell])));
});

addEventListener("activate", (event) => {
  event.waitUntil(caches.keys()
    .then((names) => Promise.all(names.filter((name) => name !== files).map((name) => caches.delete(name)))));
});

addEventListener("fetch", (event) => {
  const { request } = event, { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin) return;
  if (request.mode === "navigate") event.respondWith(fetch(request).catch(() => caches.match(lost)));
  else if (shell.includes(pathname)) event.respondWith(fetch(request).catch(() => caches.match(pathname)));
});

/** All pages of the site that are open, also those that were before there was a worker. */
const pages = () => clients.matchAll({ type: "window", includeUncontrolled: true });

addEventListener("push", (event) => {
  const { title, body, url, tag } = event.data.json();
  event.waitUntil(pages().then((open) => {
    if (open.some((client) => client.visibilityState === "visible")) return undefined; // the page says it itself
    return registration.showNotification(title, { body, tag, data: url, icon: `${files}/img/icon-192.png`, badge: `${files}/img/icon-192.png` });
  }));
});

// The page that is meant, if it is open; no other one is taken away, somebody may be at a board there.
addEventListener("notificationclick", (event) => {
  event.notification.close();
  const url = new URL(event.notification.data, location.origin).href;
  event.waitUntil(pages().then((open) => open.find((client) => client.url === url)?.focus() ?? clients.openWindow(url)));
});
