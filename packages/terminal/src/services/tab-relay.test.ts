import { afterEach, expect, test } from 'bun:test';
import type { StreamHandlers, StreamKind } from '@tickwire/client';
import { TabRelay } from './tab-relay.ts';

/** Locks of a browser: one holder, and requests that wait for it. */
function browserLocks() {
  const held = new Map<string, Promise<unknown>>();
  const request = async (name: string, ...rest: unknown[]): Promise<unknown> => {
    const run = rest.at(-1) as () => unknown;
    const { signal } = (rest.length > 1 ? rest[0] : {}) as { signal?: AbortSignal };
    await held.get(name);
    if (signal?.aborted) throw signal.reason;
    const done = Promise.resolve(run());
    held.set(name, done);
    return done;
  };
  return { request } as Pick<LockManager, 'request'>;
}

const ends: AbortController[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end.abort();
});

const wanted = { kind: 'market', options: { symbols: ['*'] } } as const;

function tabOf(locks: Pick<LockManager, 'request'>, { connected = false, account = 'acc_1' } = {}) {
  const end = new AbortController();
  ends.push(end);
  const lent: { handlers: StreamHandlers<StreamKind>; closed: boolean }[] = [];
  const relay = new TabRelay({
    account,
    locks,
    signal: end.signal,
    canLend: () => connected,
    lend: (_wanted, handlers) => {
      const stream = { handlers, closed: false };
      lent.push(stream);
      return { close: () => Object.assign(stream, { closed: true }) };
    },
  });
  return { relay, lent, leave: () => end.abort() };
}

async function until(check: () => boolean): Promise<void> {
  while (!check()) await Bun.sleep(1);
}

test('a tab without a connection takes part in a stream of one that has one', async () => {
  const locks = browserLocks();
  const lender = tabOf(locks, { connected: true });
  const other = tabOf(locks);
  const heard: unknown[] = [];
  const handlers = { onMessage: (tick: unknown) => heard.push(tick), onState: (state: string) => heard.push(state) };
  const borrowed = await other.relay.borrow(wanted, handlers as never, () => heard.push('gone'));
  await until(() => lender.lent.length === 1);
  lender.lent[0]!.handlers.onState?.('live', { end: null, retryInMs: null });
  lender.lent[0]!.handlers.onMessage({ symbol: 'EURUSD', bid: 1.1 } as never);
  await until(() => heard.length === 2);
  expect(heard).toEqual(['live', { symbol: 'EURUSD', bid: 1.1 }]);
  borrowed!.close();
  await until(() => lender.lent[0]!.closed);
});

test('gets nothing if no other tab of the account has a connection', async () => {
  const locks = browserLocks();
  tabOf(locks);
  tabOf(locks, { connected: true, account: 'acc_2' });
  expect(await tabOf(locks).relay.borrow(wanted, { onMessage: () => undefined }, () => undefined)).toBeNull();
});

test('notices that the other tab is gone, on both sides', async () => {
  const locks = browserLocks();
  const lender = tabOf(locks, { connected: true });
  const first = tabOf(locks);
  const second = tabOf(locks);
  let gone = 0;
  for (const { relay } of [first, second])
    await relay.borrow(wanted, { onMessage: () => undefined }, () => {
      gone++;
    });
  await until(() => lender.lent.length === 2);
  first.leave();
  await until(() => lender.lent.some(({ closed }) => closed));
  expect(lender.lent.map(({ closed }) => closed)).toEqual([true, false]);
  lender.leave();
  await until(() => gone >= 1);
});
