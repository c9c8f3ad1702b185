// The store fails while signals are published and closed: what was not stored never happened, and what the market decided
// meanwhile is written in order once the store works again.
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import type { ActiveSignal, ClosedRecord, LogHead, LogPage, PublisherDetail } from '@tickwire/contract';
import { eventually } from '../../testing/process.fixture.ts';
import { BUY, codeOf, EURO, LIMIT, TestMarket, TestPublisher } from '../../testing/publisher.fixture.ts';
import { type RunningService, startService } from '../../testing/service.fixture.ts';
import { isData, StreamClient } from '../../testing/stream-client.fixture.ts';
import { StoreError } from '../errors/store-error.ts';

let service: RunningService;
let market: TestMarket;
let publisher: TestPublisher;
let stream: StreamClient;
beforeEach(async () => {
  service = await startService({ feeds: 'push' });
  market = await TestMarket.of(service);
  publisher = await TestPublisher.of(service);
  await market.quote(...EURO);
  stream = await StreamClient.open(`${service.wsUrl}/ws/signals`, publisher.issued.key);
  await stream.ask({ action: 'subscribe', closes: true });
});
afterEach(async () => {
  stream.close();
  await service.stop();
});

/** Makes a part of the store fail to write until it is repaired. */
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

const head = (): Promise<LogHead> => publisher.read('/api/signals/head');
const count = async (query: string): Promise<number> =>
  (await publisher.read<{ count: number }>(`/api/signals?${query}`)).count;
const readiness = async (): Promise<number> => (await fetch(`${service.url}/readyz`)).status;

test.each(['signals', 'tape'] as const)(
  'if the store of %s cannot write, publishing is a 503 and leaves nothing behind',
  async (part) => {
    const before = await head();
    const mend = broken(part);
    // New prices, so that there are ticks to write.
    await market.quote(...EURO);
    const headers = { 'Idempotency-Key': 'again' };
    const responses = await Promise.all([
      publisher.publish(BUY, headers),
      publisher.publish(LIMIT),
      publisher.publish(BUY),
    ]);
    for (const response of responses) {
      const text = await response.clone().text();
      expect(await codeOf(response)).toEqual([503, 'store_unavailable']);
      expect(text).not.toContain('secret');
    }
    expect(await readiness()).toBe(503);
    expect(await head()).toMatchObject({ n: before.n, hash: before.hash });
    expect(await count('status=all')).toBe(0);
    expect(await publisher.read<object>('/api/session')).toMatchObject({ signals_active: 0 });
    // Through the levels of all three: there is no signal to close.
    await market.quote('EURUSD', 1.0825, 1.0826);
    await market.quote('EURUSD', 1.09, 1.0901);
    mend();
    await market.quote(...EURO);
    // On its own: nobody publishes to a service that is not ready.
    await eventually('ready', async () => (await readiness()) === 200);
    await publisher.published(BUY, headers);
    expect((await head()).n).toBe(before.n + 1);
    expect(await count('status=all')).toBe(1);
    await stream.ask({ action: 'ping' });
    expect(stream.messages.filter(isData)).toHaveLength(1);
  },
);

test('closings decided meanwhile are written in order once it works again', async () => {
  const near = await publisher.open({ ...BUY, take_profit: 1.086 }, market);
  const far = await publisher.open({ ...BUY, take_profit: 1.087 }, market);
  const last = await publisher.open({ ...BUY, take_profit: 1.1 }, market);
  const pending = await publisher.published(LIMIT);
  const { n } = await head();
  const mend = broken('signals');
  await market.quote('EURUSD', 1.0861, 1.0862);
  expect((await publisher.publish(BUY)).status).toBe(503);
  await market.quote('EURUSD', 1.0829, 1.083);
  await market.quote('EURUSD', 1.0872, 1.0873);
  // Decided but not written: nothing is announced that could still be lost.
  expect((await head()).n).toBe(n);
  expect(await count('status=closed')).toBe(0);
  // It is closed, but that could still be lost.
  expect(await codeOf(await publisher.close(near.id))).toEqual([503, 'store_unavailable']);
  // The publisher's own request waits as long as it can.
  const closing = publisher.close(last.id);
  await Bun.sleep(300);
  mend();
  await market.repeat('EURUSD');
  expect((await closing).status).toBe(200);
  for (const { id } of [near, far, pending, last]) await publisher.ended(id);
  const { items } = await publisher.read<LogPage>(`/api/signals/log?after=${n}`);
  const records = items.map(({ record }) => record as ClosedRecord);
  expect(records.map(({ type, signal, reason, exit_price }) => [type, signal, reason, exit_price])).toEqual([
    ['closed', near.id, 'take_profit', 1.086],
    ['filled', pending.id, undefined, undefined],
    // Closed by the same quote: in the order they were published.
    ['closed', far.id, 'take_profit', 1.087],
    ['closed', pending.id, 'take_profit', 1.087],
    ['close_requested', last.id, undefined, undefined],
    ['closed', last.id, 'manual', 1.0872],
  ] as never);
  const told = await stream.take(4, ({ status }) => status === 'closed');
  expect(told.map(({ id }) => id)).toEqual([near.id, far.id, pending.id, last.id]);
});

test('if the store stays down, the closing is a 503 that says it is pending, and is written later', async () => {
  const { id } = await publisher.open(BUY, market);
  const mend = broken('signals');
  const key = { 'Idempotency-Key': 'out' };
  const response = await publisher.close(id, key);
  expect(await codeOf(response.clone() as Response)).toEqual([503, 'store_unavailable']);
  expect(((await response.json()) as { detail: string }).detail).toContain('not stored yet');
  // Until it is written it could still be lost, so both wait for it.
  const meanwhile = await Promise.all([publisher.close(id), publisher.close(id, key)]);
  for (const each of meanwhile) expect(await codeOf(each)).toEqual([503, 'store_unavailable']);
  const last = publisher.close(id, key);
  mend();
  const accepted = await last;
  const body = await accepted.json();
  expect([accepted.status, body]).toMatchObject([
    202,
    { id, status: 'active', close_requested_at: expect.any(String) },
  ]);
  await market.repeat('EURUSD');
  expect(await publisher.ended(id)).toMatchObject({ close_reason: 'manual', exit_price: 1.084 });
  expect(await codeOf(await publisher.close(id))).toEqual([409, 'signal_closed']);
  const again = await publisher.close(id, key);
  expect([again.status, await again.json()]).toEqual([202, body]);
});

test('reads from the store are a 503 while it fails, and the feed in memory keeps working', async () => {
  const { id } = await publisher.published(BUY);
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
    expect(await codeOf(await publisher.get(path))).toEqual([503, 'store_unavailable']);
  expect(await count('status=all')).toBe(1);
  expect((await head()).n).toBe(1);
  Object.assign(signals, { signal, log, list });
  expect((await publisher.detail(id)).status).toBe('active');
});

describe('a signal that the market closes while it is being stored', () => {
  /** Holds the next writes until told how they end; `reached` resolves with the first. */
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
    const response = publisher.publish(BUY);
    await reached;
    await market.quote('EURUSD', 1.0885, 1.0886);
    release(fails);
    return response;
  }

  test('is published first and then closed, for every client', async () => {
    const response = await publishedUnderFire(false);
    expect(response.status).toBe(201);
    const { id, status } = (await response.json()) as ActiveSignal;
    expect(status).toBe('active');
    expect(await publisher.ended(id)).toMatchObject({ close_reason: 'take_profit', exit_price: 1.088 });
    const told = await stream.take(2, isData);
    expect(told.map((message) => message.status ?? 'published')).toEqual(['published', 'closed']);
    expect(await publisher.read<object>('/api/session')).toMatchObject({ signals_active: 0 });
  });

  test('never existed if it cannot be stored: no closing record, nothing counted', async () => {
    const before = await head();
    expect(await codeOf(await publishedUnderFire(true))).toEqual([503, 'store_unavailable']);
    await market.quote(...EURO);
    // The next signal gets the next record.
    await publisher.published(BUY);
    expect((await head()).n).toBe(before.n + 1);
    expect(await publisher.read<PublisherDetail>(`/api/publishers/${publisher.id}`)).toMatchObject({
      signals: 1,
      closed: 0,
    });
    await stream.ask({ action: 'ping' });
    expect(stream.messages.filter(isData)).toHaveLength(1);
  });
});
