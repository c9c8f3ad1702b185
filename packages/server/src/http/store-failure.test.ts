// The store fails while signals are published and closed: what was not stored never was, and what the market decided
// meanwhile is written once the store works again, in its order.
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import type { ActiveSignal, ClosedRecord, LogHead, LogPage, PublisherDetail } from '@tickwire/contract';
import { StoreError } from '../store/store.ts';
import { eventually } from '../testing/process.fixture.ts';
import { BUY, codeOf, EURO, LIMIT, TestMarket, TestPublisher } from '../testing/publisher.fixture.ts';
import { type RunningService, startService } from '../testing/service.fixture.ts';
import { isData, StreamClient } from '../testing/stream-client.fixture.ts';

let service: RunningService;
let market: TestMarket;
let desk: TestPublisher;
let stream: StreamClient;
beforeEach(async () => {
  service = await startService({ feeds: 'push' });
  market = await TestMarket.of(service);
  desk = await TestPublisher.of(service);
  await market.quote(...EURO);
  stream = await StreamClient.open(`${service.wsUrl}/ws/signals`, desk.issued.key);
  await stream.ask({ action: 'subscribe', closes: true });
});
afterEach(async () => {
  stream.close();
  await service.stop();
});

/** A part of the store that writes nothing until it is mended. */
function broken(part: 'signals' | 'tape'): () => void {
  const { signals, market: prices } = service.app.store;
  const fail = (): Promise<never> => Promise.reject(new StoreError('/srv/secret/market.db: the disk is full'));
  if (part === 'signals') {
    const { write } = signals;
    signals.write = fail;
    return () => {
      signals.write = write;
    };
  }
  const { writeTape } = prices;
  prices.writeTape = fail;
  return () => {
    prices.writeTape = writeTape;
  };
}

const head = (): Promise<LogHead> => desk.read('/api/signals/head');
const count = async (query: string): Promise<number> =>
  (await desk.read<{ count: number }>(`/api/signals?${query}`)).count;
const readiness = async (): Promise<number> => (await fetch(`${service.url}/readyz`)).status;

test.each(['signals', 'tape'] as const)(
  'where the store of %s cannot write, publishing is a 503 and nothing of it remains',
  async (part) => {
    const before = await head();
    const mend = broken(part);
    // New prices, so that there is tape to write.
    await market.quote(...EURO);
    const headers = { 'Idempotency-Key': 'again' };
    const answers = await Promise.all([desk.publish(BUY, headers), desk.publish(LIMIT), desk.publish(BUY)]);
    for (const answer of answers) {
      const text = await answer.clone().text();
      expect(await codeOf(answer)).toEqual([503, 'store_unavailable']);
      expect(text).not.toContain('secret');
    }
    expect(await readiness()).toBe(503);
    expect(await head()).toMatchObject({ n: before.n, hash: before.hash });
    expect(await count('status=all')).toBe(0);
    expect(await desk.read<object>('/api/session')).toMatchObject({ signals_active: 0 });
    // Through the levels of all three: nobody is there to be closed.
    await market.quote('EURUSD', 1.0825, 1.0826);
    await market.quote('EURUSD', 1.09, 1.0901);
    mend();
    await market.quote(...EURO);
    // By itself: nobody sends publications to a service that says it is not ready.
    await eventually('ready', async () => (await readiness()) === 200);
    await desk.published(BUY, headers);
    expect((await head()).n).toBe(before.n + 1);
    expect(await count('status=all')).toBe(1);
    await stream.ask({ action: 'ping' });
    expect(stream.messages.filter(isData)).toHaveLength(1);
  },
  15_000,
);

test('closings that were decided meanwhile are written once it works again, in their order', async () => {
  const [near, far, pending, last] = [
    await desk.published({ ...BUY, take_profit: 1.086 }),
    await desk.published({ ...BUY, take_profit: 1.087 }),
    await desk.published(LIMIT),
    await desk.published({ ...BUY, take_profit: 1.1 }),
  ];
  const { n } = await head();
  const mend = broken('signals');
  await market.quote('EURUSD', 1.0861, 1.0862);
  expect((await desk.publish(BUY)).status).toBe(503);
  await market.quote('EURUSD', 1.0829, 1.083);
  await market.quote('EURUSD', 1.0872, 1.0873);
  // Decided, but not written: nobody is told what could still be lost.
  expect((await head()).n).toBe(n);
  expect(await count('status=closed')).toBe(0);
  expect(await codeOf(await desk.close(near.id))).toEqual([409, 'signal_closed']);
  // The publisher's own closing waits as long as it can be waited for.
  const closing = desk.close(last.id);
  await Bun.sleep(300);
  mend();
  expect((await closing).status).toBe(200);
  for (const { id } of [near, far, pending, last]) await desk.ended(id);
  const { items } = await desk.read<LogPage>(`/api/signals/log?after=${n}`);
  const records = items.map(({ record }) => record as ClosedRecord);
  expect(records.map(({ signal, reason, exit_price, filled }) => [signal, reason, exit_price, filled?.kind])).toEqual([
    [near.id, 'take_profit', 1.086, undefined],
    // By the same quote: in the order they were published.
    [far.id, 'take_profit', 1.087, undefined],
    [pending.id, 'take_profit', 1.087, 'quote'],
    [last.id, 'manual', 1.0872, undefined],
  ]);
  const told = await stream.take(4, ({ status }) => status === 'closed');
  expect(told.map(({ id }) => id)).toEqual(records.map(({ signal }) => signal));
}, 15_000);

test('a store that stays away: the closing is a 503 that says it waits, and is written when it can be', async () => {
  const { id } = await desk.published(BUY);
  const mend = broken('signals');
  const key = { 'Idempotency-Key': 'out' };
  const answer = await desk.close(id, key);
  expect(await codeOf(answer.clone() as Response)).toEqual([503, 'store_unavailable']);
  expect(((await answer.json()) as { detail: string }).detail).toContain('waits to be written');
  // Until it is written it could still be lost; both wait for it.
  const meanwhile = await Promise.all([desk.close(id), desk.close(id, key)]);
  for (const each of meanwhile) expect(await codeOf(each)).toEqual([503, 'store_unavailable']);
  const last = desk.close(id, key);
  mend();
  expect(await desk.ended(id)).toMatchObject({ close_reason: 'manual', exit_price: 1.084 });
  expect(await codeOf(await desk.close(id))).toEqual([409, 'signal_closed']);
  for (const again of [await last, await desk.close(id, key)])
    expect([again.status, await again.json()]).toMatchObject([200, { id, close_reason: 'manual' }]);
}, 15_000);

test('what is read from the store is a 503 while it does not answer, and the feed in memory goes on', async () => {
  const { id } = await desk.published(BUY);
  const { signals } = service.app.store;
  const { signal, log, list } = signals;
  const fail = (): Promise<never> => Promise.reject(new StoreError('/srv/secret/market.db is locked'));
  Object.assign(signals, { signal: fail, log: fail, list: fail });
  for (const path of [
    `/api/signals/${id}`,
    `/api/signals/${id}/proof`,
    '/api/signals/log',
    `/api/signals?before=${id}`,
  ])
    expect(await codeOf(await desk.get(path))).toEqual([503, 'store_unavailable']);
  expect(await count('status=all')).toBe(1);
  expect((await head()).n).toBe(1);
  Object.assign(signals, { signal, log, list });
  expect((await desk.detail(id)).status).toBe('active');
});

describe('a signal that the market closes while it is being stored', () => {
  /** Holds the next writes up until told how they end; `reached` once there is one. */
  function held(): { reached: Promise<void>; release: (fails: boolean) => void } {
    const { signals } = service.app.store;
    const { write } = signals;
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const writing = Promise.withResolvers<void>();
    signals.write = async (batch) => {
      if (batch.published.length > 0) writing.resolve();
      if (await promise) throw new StoreError('/srv/secret/market.db: the disk is full');
      return write(batch);
    };
    const release = (fails: boolean): void => {
      signals.write = write;
      resolve(fails);
    };
    return { reached: writing.promise, release };
  }

  async function publishedUnderFire(fails: boolean): Promise<Response> {
    const { reached, release } = held();
    const answer = desk.publish(BUY);
    await reached;
    await market.quote('EURUSD', 1.0885, 1.0886);
    release(fails);
    return answer;
  }

  test('was published first and closed then, for every reader', async () => {
    const answer = await publishedUnderFire(false);
    expect(answer.status).toBe(201);
    const { id, status } = (await answer.json()) as ActiveSignal;
    expect(status).toBe('active');
    expect(await desk.ended(id)).toMatchObject({ close_reason: 'take_profit', exit_price: 1.088 });
    const told = await stream.take(2, isData);
    expect(told.map((message) => message.status ?? 'published')).toEqual(['published', 'closed']);
    expect(await desk.read<object>('/api/session')).toMatchObject({ signals_active: 0 });
  });

  test('never was where it cannot be stored: no record of its closing, nothing counted', async () => {
    const before = await head();
    expect(await codeOf(await publishedUnderFire(true))).toEqual([503, 'store_unavailable']);
    await market.quote(...EURO);
    // The next one is the next record.
    await desk.published(BUY);
    expect((await head()).n).toBe(before.n + 1);
    expect(await desk.read<PublisherDetail>(`/api/publishers/${desk.id}`)).toMatchObject({ signals: 1, closed: 0 });
    await stream.ask({ action: 'ping' });
    expect(stream.messages.filter(isData)).toHaveLength(1);
  });
});
