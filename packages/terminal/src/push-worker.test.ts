import { expect, test } from 'bun:test';
import { type PushContent, startWorker, type WorkerScope } from './push-worker.ts';

/** A worker scope that records what the worker does. */
function scopeWith({ windows = 0, waits = true, answers = [] as readonly unknown[] } = {}) {
  const listeners = new Map<string, (event: never) => void>();
  const done: unknown[] = [];
  const left = [...answers];
  const window = {
    postMessage: (message: unknown, transfer: readonly unknown[] = []) => {
      done.push(['message', message]);
      if (waits) for (const port of transfer) (port as MessagePort).postMessage('taken');
    },
    focus: async () => done.push(['focus']),
  };
  const scope: WorkerScope = {
    registration: { showNotification: async (title, options) => void done.push(['notification', title, options]) },
    clients: {
      matchAll: async () => Array.from({ length: windows }, () => window),
      openWindow: async (url) => done.push(['window', url]),
      claim: async () => undefined,
    },
    fetch: async (path, init) => {
      done.push(['fetch', path, init?.body ?? null]);
      const answer = left.shift();
      return answer === undefined ? new Response('{}', { status: 401 }) : Response.json(answer);
    },
    skipWaiting: async () => undefined,
    addEventListener: (type, listener) => listeners.set(type, listener),
  };
  startWorker(scope);
  const fire = async (type: string, event: object): Promise<void> => {
    const work: Promise<unknown>[] = [];
    listeners.get(type)!({ ...event, waitUntil: (each: Promise<unknown>) => work.push(each) } as never);
    await Promise.all(work);
  };
  const push = (content: PushContent) => fire('push', { data: { json: () => content } });
  return { done, fire, push };
}

test('shows a message once under its id, with the address of its symbol', async () => {
  const { done, push } = scopeWith();
  await push({ id: 'msg_1', title: 'EURUSD bid crossed above 1.20000', body: 'Sell half', symbol: 'EURUSD' });
  expect(done).toEqual([
    [
      'notification',
      'EURUSD bid crossed above 1.20000',
      { body: 'Sell half', icon: '/icons/icon-192.png', tag: 'msg_1', data: { path: '/markets/EURUSD' } },
    ],
  ]);
});

test('shows a message that it cannot read', async () => {
  const { done, fire } = scopeWith();
  await fire('push', {
    data: {
      json: () => {
        throw new SyntaxError();
      },
    },
  });
  expect(done).toEqual([
    ['notification', 'Tickwire', { body: '', icon: '/icons/icon-192.png', data: { path: '/alerts' } }],
  ]);
});

test('verifies the code itself if pages are open, but none waits for it', async () => {
  const items = [{ id: 'dst_1', channel: 'push', state: 'unverified' }];
  const { done, push } = scopeWith({ windows: 1, waits: false, answers: [{ items }, {}] });
  await push({ code: '482913' });
  expect(done).toEqual([
    ['message', { type: 'push-code', code: '482913' }],
    ['fetch', '/api/destinations', null],
    ['fetch', '/api/destinations/dst_1/verify', '{"code":"482913"}'],
    ['notification', 'This browser receives your alerts', { icon: '/icons/icon-192.png' }],
  ]);
});

test('gives the code to the open page, and shows nothing', async () => {
  const { done, push } = scopeWith({ windows: 1 });
  await push({ code: '482913' });
  expect(done).toEqual([['message', { type: 'push-code', code: '482913' }]]);
});

test('verifies the newest push destination itself if no page is open', async () => {
  const items = [
    { id: 'dst_1', channel: 'push', state: 'unverified' },
    { id: 'dst_2', channel: 'push', state: 'unverified' },
    { id: 'dst_3', channel: 'email', state: 'unverified' },
  ];
  const { done, push } = scopeWith({ answers: [{ items }, {}] });
  await push({ code: '482913' });
  expect(done.slice(0, 2)).toEqual([
    ['fetch', '/api/destinations', null],
    ['fetch', '/api/destinations/dst_2/verify', '{"code":"482913"}'],
  ]);
  expect(done[2]).toMatchObject(['notification', 'This browser receives your alerts', {}]);
});

test('shows the code if it cannot verify: the user is signed out', async () => {
  const { done, push } = scopeWith();
  await push({ code: '482913' });
  expect(done.at(-1)).toMatchObject(['notification', 'Tickwire', { body: 'Code of this browser: 482913' }]);
});

test('a click opens the terminal at the symbol: in an open window, or in a new one', async () => {
  const notification = { close: () => undefined, data: { path: '/markets/EURUSD' } };
  const none = scopeWith();
  await none.fire('notificationclick', { notification });
  expect(none.done).toEqual([['window', '/markets/EURUSD']]);
  const one = scopeWith({ windows: 1 });
  await one.fire('notificationclick', { notification });
  expect(one.done).toEqual([['focus'], ['message', { type: 'push-open', path: '/markets/EURUSD' }]]);
});
