// Keeps the page for when there is no network. The build fills in what it consists of.
const CACHE = `cassius-${"VERSION"}`;
// What the engine of a browser without JSPI needs besides.
const FILES = ["FILES"].concat("Suspending" in WebAssembly ? [] : "PATCH");

addEventListener("install", (event) => {
  // Not what the browser has kept of an earlier version under the same names.
  const fresh = FILES.map((file) => new Request(file, { cache: "reload" }));
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(fresh)).then(() => skipWaiting()));
});
addEventListener("activate", (event) => {
  const old = (names) => names.filter((name) => name.startsWith("cassius-") && name !== CACHE);
  event.waitUntil(caches.keys().then((names) => Promise.all(old(names).map((name) => caches.delete(name)))).then(() => clients.claim()));
});
addEventListener("fetch", (event) => {
  if (event.request.method !== "GET" || !event.request.url.startsWith(registration.scope)) return;
  event.respondWith(caches.match(event.request, { ignoreSearch: true, cacheName: CACHE }).then((kept) => kept ?? fetch(event.request)));
});
