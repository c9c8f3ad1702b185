// The part of the service worker that keeps the terminal for times without a connection: its page, scripts, styles and icons.
//
// The page comes from the network whenever the service responds, so that an update is never hidden by an older page. Files whose
// name contains a hash of their content come from the cache. A cache belongs to one page and is named after the hash of its text,
// which names all other files; it replaces the one before when it is complete. Requests to the interface are never touched.

const PREFIX = 'tickwire-shell-';
/** Under which a cache keeps the page. All addresses of the terminal have the same one. */
const PAGE = '/';
/** First parts of the addresses that open the terminal; the sign-in needs a connection anyway. */
const TERMINAL_PAGES = ['', 'markets', 'signals', 'publishers', 'news', 'calendar', 'alerts', 'settings'];
const HASHED = /^\/assets\//;
/** Named in the page and in the scripts: `/assets/chunk-1a2b3c.js`. */
const ASSETS = /["'(](\/assets\/[\w.-]+)["')]/g;
const FIXED = ['/manifest.webmanifest', '/icons/icon.svg', '/icons/icon-192.png'];
/** Of a proxy whose service is down. */
const DOWN = [502, 503, 504];

interface ShellCacheStore {
  match(path: string): Promise<Response | undefined>;
  put(path: string, response: Response): Promise<void>;
}

/** The part of the worker's global scope that is used here. */
export interface ShellScope {
  readonly caches: {
    open(name: string): Promise<ShellCacheStore>;
    keys(): Promise<readonly string[]>;
    delete(name: string): Promise<boolean>;
    match(path: string): Promise<Response | undefined>;
  };
  readonly location: { readonly origin: string };
  fetch(request: Request | string): Promise<Response>;
  addEventListener(type: 'fetch', listener: (event: FetchEvent) => void): void;
}

export interface FetchEvent {
  readonly request: Pick<Request, 'method' | 'mode' | 'url'>;
  respondWith(response: Promise<Response>): void;
  waitUntil(work: Promise<unknown>): void;
}

export function cacheShell(scope: ShellScope): void {
  scope.addEventListener('fetch', (event) => {
    const { method, mode, url } = event.request;
    const { origin, pathname } = new URL(url);
    if (method !== 'GET' || origin !== scope.location.origin) return;
    if (mode === 'navigate' && isTerminalPage(pathname)) event.respondWith(openPage(scope, event));
    else if (HASHED.test(pathname) || FIXED.includes(pathname)) event.respondWith(openFile(scope, pathname, event));
  });
}

const isTerminalPage = (pathname: string): boolean => TERMINAL_PAGES.includes(pathname.split('/')[1] ?? '');

async function openPage(scope: ShellScope, event: FetchEvent): Promise<Response> {
  try {
    const response = await scope.fetch(event.request as Request);
    if (DOWN.includes(response.status)) return (await scope.caches.match(PAGE)) ?? response;
    if (response.ok && !response.redirected) event.waitUntil(keepShell(scope, response.clone()).catch(() => {}));
    return response;
  } catch (error) {
    const kept = await scope.caches.match(PAGE);
    if (!kept) throw error;
    return kept;
  }
}

/** A file with a hash in its name never changes. The manifest and icons may, so the network comes first for them. */
async function openFile(scope: ShellScope, pathname: string, event: FetchEvent): Promise<Response> {
  const kept = await scope.caches.match(pathname);
  if (kept && HASHED.test(pathname)) return kept;
  try {
    return await scope.fetch(event.request as Request);
  } catch (error) {
    if (!kept) throw error;
    return kept;
  }
}

/** Fetches the page and keeps it with all its files. */
export async function installShell(scope: ShellScope): Promise<void> {
  const response = await scope.fetch(PAGE);
  if (response.ok) await keepShell(scope, response);
}

async function keepShell(scope: ShellScope, page: Response): Promise<void> {
  const text = await page.clone().text();
  const name = PREFIX + (await hashOf(text));
  const names = (await scope.caches.keys()).filter((each) => each.startsWith(PREFIX));
  const cache = await scope.caches.open(name);
  if (!(await cache.match(PAGE))) await fill(scope, cache, page, text);
  for (const old of names) if (old !== name) await scope.caches.delete(old);
}

/** Rejects if a file is missing. The page comes last, so that a cache with it is complete. */
async function fill(scope: ShellScope, cache: ShellCacheStore, page: Response, text: string): Promise<void> {
  const found = new Set([...FIXED, ...assetsIn(text)]);
  // Grows while it is read: scripts name further ones.
  for (const path of found) {
    const kept = HASHED.test(path) ? await scope.caches.match(path) : undefined;
    const file = kept ?? (await scope.fetch(path));
    if (!file.ok) throw new Error(`${path}: ${file.status}`);
    if (/\.(js|css)$/.test(path)) for (const more of assetsIn(await file.clone().text())) found.add(more);
    await cache.put(path, file);
  }
  await cache.put(PAGE, page);
}

const assetsIn = (text: string): readonly string[] => [...text.matchAll(ASSETS)].map(([, path]) => path!);

async function hashOf(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return Array.from(new Uint8Array(digest).slice(0, 8), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
