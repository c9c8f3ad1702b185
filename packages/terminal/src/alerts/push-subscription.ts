// This browser as a destination: registers the worker, subscribes it with the key of the service, and returns the code that
// the service pushes to it.
import { type CoreClient, type CreatedDestination, TickwireError } from '@tickwire/client';
import type { TerminalServices } from '../services/terminal-services.ts';
import { registerWorker } from '../ui/worker.ts';

/** The push service of the browser is not ours: it may take a while. */
const VERIFY_WITHIN_MS = 60_000;

/** Why this browser cannot receive push messages; `null` if it can. */
export function pushProblem(): string | null {
  if (!('serviceWorker' in navigator)) return 'Push messages need HTTPS or localhost.';
  if (!('PushManager' in window))
    return 'This browser does not support push messages. On an iPhone, add the terminal to the home screen first.';
  return Notification.permission === 'denied' ? 'Notifications of this site are blocked in the browser.' : null;
}

type OnCode = (code: string) => void;
const waiting = new Set<OnCode>();

/** Messages of the worker: a code that verifies this browser, or a clicked notification. */
export function listenToPush({ session, navigator: terminal }: Pick<TerminalServices, 'session' | 'navigator'>): void {
  if (!('serviceWorker' in navigator)) return;
  const onMessage = ({ data, ports }: MessageEvent): void => {
    if (data?.type === 'push-code' && waiting.size > 0) {
      // The worker verifies the code itself if no page answers.
      ports[0]?.postMessage('taken');
      for (const onCode of waiting) onCode(String(data.code));
    }
    // A path of this terminal, never another site.
    if (data?.type === 'push-open' && /^\/\w/.test(String(data.path))) terminal.go(String(data.path));
  };
  navigator.serviceWorker.addEventListener('message', onMessage, { signal: session.signal });
}

/** Asks for permission, subscribes and creates the destination. Resolves when it is verified, or to why it is not. */
export async function subscribeThisBrowser(client: CoreClient, name: string): Promise<string | null> {
  const { public_key: key } = await client.pushKey();
  if (key === null) return 'The operator of this service has not configured push messages.';
  if ((await Notification.requestPermission()) !== 'granted') return 'The browser does not allow notifications.';
  const registration = await registerWorker();
  await navigator.serviceWorker.ready;
  const subscription = await subscribe(registration, key);
  if (typeof subscription === 'string') return subscription;
  const codes: string[] = [];
  let created: CreatedDestination | null = null;
  return new Promise((resolve, reject) => {
    const finish = (problem: string | null): void => {
      clearTimeout(timer);
      waiting.delete(onCode);
      resolve(problem);
    };
    const verify = (code: string): void => {
      client.verifyDestination(created!.id, code).then(() => finish(null), reject);
    };
    // The code can arrive before the response that created the destination.
    const onCode: OnCode = (code) => (created === null ? codes.push(code) : verify(code));
    waiting.add(onCode);
    const timer = setTimeout(() => finish('No message arrived within a minute. Try again later.'), VERIFY_WITHIN_MS);
    client.createDestination({ channel: 'push', subscription, ...(name !== '' && { name }) }).then(
      (destination) => {
        created = destination;
        if (destination.state === 'active') finish(null);
        else for (const code of codes) verify(code);
      },
      (error: unknown) => {
        finish('');
        reject(error);
      },
    );
  });
}

type SubscriptionJson = {
  readonly endpoint: string;
  readonly keys: { readonly p256dh: string; readonly auth: string };
};

async function subscribe(registration: ServiceWorkerRegistration, key: string): Promise<SubscriptionJson | string> {
  const options = { userVisibleOnly: true, applicationServerKey: bytesOf(key) };
  try {
    // A subscription with another key of this service cannot be renewed.
    const before = await registration.pushManager.getSubscription();
    await before?.unsubscribe();
    const { endpoint, keys } = (await registration.pushManager.subscribe(options)).toJSON();
    const { p256dh, auth } = keys ?? {};
    if (endpoint === undefined || p256dh === undefined || auth === undefined)
      return 'The browser returned no address for push messages.';
    return { endpoint, keys: { p256dh, auth } };
  } catch (error) {
    if (error instanceof TickwireError) throw error;
    return 'The push service of the browser cannot be reached.';
  }
}

/** From base64url. */
function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(binary, (character) => character.charCodeAt(0));
}
