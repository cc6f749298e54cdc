// The service worker: shows what is pushed, and a page of its own when there is no connection. It answers with nothing
// else that it has kept: a match is never shown as it was.
/* global files */

const shell = [`${files}/css/tokens+base.css`, `${files}/js/core.js`, `${files}/js/outbox.js`, `${files}/js/typed.js`,
  `${files}/js/offline.js`, `${files}/font/inter.woff2`];
const lost = `/offline${location.search}`;
const showsAll = navigator.userAgent.includes("AppleWebKit/") && !navigator.userAgent.includes("Chrome/");

addEventListener("install", (event) => {
  // A new worker waits until no page needs the old one: taking over would lose a page that is just being opened.
  event.waitUntil(caches.open(files).then((cache) => cache.addAll([new Request(lost, { credentials: "omit" }), ...shell])));
});

addEventListener("activate", (event) => {
  event.waitUntil(caches.keys()
    .then((names) => Promise.all(names.filter((name) => name !== files).map((name) => caches.delete(name))))
    .then(() => registration.navigationPreload?.enable())); // a page is asked for while the worker wakes up
});

addEventListener("fetch", (event) => {
  const { request } = event, { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin) return;
  if (request.mode === "navigate") {
    event.respondWith(Promise.resolve(event.preloadResponse).then((early) => early ?? fetch(request)).catch(() => caches.match(lost)));
  } else if (shell.includes(pathname)) event.respondWith(fetch(request).catch(() => caches.match(pathname)));
});

/** All pages of the site that are open, also those that were before there was a worker. */
const pages = () => clients.matchAll({ type: "window", includeUncontrolled: true });

addEventListener("push", (event) => {
  const { title, body, url, tag } = event.data.json();
  event.waitUntil(pages().then((open) => {
    // The page says it itself; but Safari takes the permission back from who does not show what comes.
    if (!showsAll && open.some((client) => client.visibilityState === "visible")) return undefined;
    return registration.showNotification(title, { body, tag, data: url, icon: `${files}/img/icon-192.png`, badge: `${files}/img/icon-192.png` });
  }));
});

// A push service that gives a browser another address: the site hears of it, and pushes there.
addEventListener("pushsubscriptionchange", (event) => {
  const { oldSubscription: old, newSubscription } = event;
  const tell = (path, fields) => fetch(path, { method: "POST", body: new URLSearchParams(fields), headers: { Accept: "application/json" } });
  event.waitUntil(Promise.resolve(newSubscription ?? (old && registration.pushManager.subscribe(old.options))).then((now) => {
    if (!now) return undefined;
    const { endpoint, keys: { p256dh, auth } } = now.toJSON();
    return tell("/settings/push", { endpoint, key: p256dh, auth });
  }).then(() => old && tell("/settings/push/drop", { endpoint: old.endpoint })));
});

// The page that is meant, if it is open; no other one is taken away, somebody may be at a board there.
addEventListener("notificationclick", (event) => {
  event.notification.close();
  const url = new URL(event.notification.data, location.origin).href;
  event.waitUntil(pages().then((open) => open.find((client) => client.url === url)?.focus() ?? clients.openWindow(url)));
});
