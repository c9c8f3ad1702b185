// The service worker of the terminal. It shows push messages as notifications, opens the terminal when one is clicked, and
// returns the code that verifies this browser as a destination. It also keeps the page of the terminal, see shell-cache.ts.
import { cacheShell, installShell, type ShellScope } from './shell-cache.ts';

/** The content of a push message. */
export interface PushContent {
  readonly id?: string;
  readonly title?: string;
  readonly body?: string;
  readonly symbol?: string | null;
  /** Only in the message that verifies this browser. */
  readonly code?: string;
}

interface WindowClient {
  postMessage(message: unknown, transfer?: Transferable[]): void;
  focus(): Promise<unknown>;
}

/** The part of the worker's global scope that is used here. */
export interface WorkerScope {
  readonly registration: { showNotification(title: string, options: object): Promise<void> };
  readonly clients: {
    matchAll(options: { type: 'window'; includeUncontrolled: boolean }): Promise<readonly WindowClient[]>;
    openWindow(url: string): Promise<unknown>;
    claim(): Promise<void>;
  };
  fetch(path: string, init?: RequestInit): Promise<Response>;
  skipWaiting(): Promise<void>;
  addEventListener(type: string, listener: (event: WorkerEvent) => void): void;
}

interface WorkerEvent {
  waitUntil(work: Promise<unknown>): void;
  readonly data?: { json(): unknown } | null;
  readonly notification?: { close(): void; readonly data?: { readonly path?: string } };
}

const ICON = '/icons/icon-192.png';
const WINDOWS = { type: 'window', includeUncontrolled: true } as const;

/** `install`: what has to be fetched before the worker starts. */
export function startWorker(scope: WorkerScope, install: () => Promise<void> = async () => {}): void {
  // A new version replaces the old one at once: both keep the same files in the same way.
  scope.addEventListener('install', (event) => event.waitUntil(Promise.all([install(), scope.skipWaiting()])));
  scope.addEventListener('activate', (event) => event.waitUntil(scope.clients.claim()));
  scope.addEventListener('push', (event) => event.waitUntil(receive(scope, read(event.data ?? null))));
  scope.addEventListener('notificationclick', (event) => {
    event.notification?.close();
    event.waitUntil(open(scope, event.notification?.data?.path ?? '/alerts'));
  });
}

function read(data: { json(): unknown } | null): PushContent {
  try {
    return Object(data?.json());
  } catch {
    return {};
  }
}

async function receive(scope: WorkerScope, content: PushContent): Promise<void> {
  const { id, title = 'Tickwire', body = '', symbol, code } = content;
  if (code !== undefined && (await verify(scope, code))) return;
  const text = code === undefined ? body : `Code of this browser: ${code}`;
  const path = symbol ? `/markets/${encodeURIComponent(symbol)}` : '/alerts';
  // The same message twice is one notification.
  await scope.registration.showNotification(title, { body: text, icon: ICON, data: { path }, ...(id && { tag: id }) });
}

/** A page that waits for a code answers at once. */
const ANSWER_MS = 1_000;

/** Offers the code to a page. Resolves to whether the page waits for one. */
function offer(window: WindowClient, code: string): Promise<boolean> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    const end = (taken: boolean): void => {
      clearTimeout(timer);
      port1.close();
      resolve(taken);
    };
    const timer = setTimeout(() => end(false), ANSWER_MS);
    port1.onmessage = () => end(true);
    window.postMessage({ type: 'push-code', code }, [port2]);
  });
}

/** The page that asked for the subscription verifies it. Without one, the worker does, with the session cookie. */
async function verify(scope: WorkerScope, code: string): Promise<boolean> {
  const windows = await scope.clients.matchAll(WINDOWS);
  const taken = await Promise.all(windows.map((each) => offer(each, code)));
  if (taken.includes(true)) return true;
  try {
    const response = await scope.fetch('/api/destinations');
    const { items } = (await response.json()) as { items: { id: string; channel: string; state: string }[] };
    const waiting = items.findLast(({ channel, state }) => channel === 'push' && state === 'unverified');
    if (!waiting) return false;
    const verified = await scope.fetch(`/api/destinations/${encodeURIComponent(waiting.id)}/verify`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ code }),
    });
    // A browser wants to see something for every message while no page is open.
    if (verified.ok) await scope.registration.showNotification('This browser receives your alerts', { icon: ICON });
    return verified.ok;
  } catch {
    return false;
  }
}

async function open(scope: WorkerScope, path: string): Promise<void> {
  const [window] = await scope.clients.matchAll(WINDOWS);
  if (!window) {
    await scope.clients.openWindow(path);
    return;
  }
  await window.focus();
  // The page changes its address itself, so that its streams stay open.
  window.postMessage({ type: 'push-open', path });
}

if ('registration' in globalThis && 'clients' in globalThis) {
  const scope = globalThis as unknown as WorkerScope & ShellScope;
  // Push messages arrive whether or not the page could be kept.
  startWorker(scope, () => installShell(scope).catch(() => {}));
  cacheShell(scope);
}
