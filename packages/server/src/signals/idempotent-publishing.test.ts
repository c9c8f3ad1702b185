// Idempotent publishing, and permission to publish.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { rmSync } from 'node:fs';
import type { ActiveSignal, ClosedSignal, LogHead, Signal } from '@tickwire/contract';
import { anotherKey, revoke } from '../../testing/access.fixture.ts';
import { BUY, codeOf, EURO, LIMIT, TestMarket, TestPublisher } from '../../testing/publisher.fixture.ts';
import { type RunningService, startService, temporaryFolder } from '../../testing/service.fixture.ts';

let service: RunningService;
let market: TestMarket;
let publisher: TestPublisher;
beforeAll(async () => {
  service = await startService({ feeds: 'push' });
  market = await TestMarket.of(service);
});
afterAll(() => service.stop());
beforeEach(async () => {
  // A new publisher for each test, with its own signals and allowance.
  publisher = await TestPublisher.of(service);
  await market.quote(...EURO);
});

interface List {
  readonly items: Signal[];
  readonly count: number;
}
const list = (query = ''): Promise<List> => publisher.read(`/api/signals?user=${publisher.id}&${query}`);

describe('Idempotency-Key', () => {
  const key = { 'Idempotency-Key': 'once' };

  test('returns the same signal for the same body, closed or not; 409 for another body; accounts are separate', async () => {
    const first = await publisher.published(BUY, key);
    expect(await publisher.published(BUY, key)).toEqual(first);
    expect(await codeOf(await publisher.publish({ ...BUY, note: 'other' }, key))).toEqual([
      409,
      'idempotency_conflict',
    ]);
    await publisher.closed(first.id, market);
    expect(await publisher.published(BUY, key)).toEqual(first);
    expect(await list('status=all')).toMatchObject({ count: 1 });
    const other = await TestPublisher.of(service);
    expect((await other.published(BUY, key)).id).not.toBe(first.id);
  });

  test('parallel requests publish once', async () => {
    const all = await Promise.all(Array.from({ length: 8 }, () => publisher.published(BUY, key)));
    expect(new Set(all.map(({ id }) => id)).size).toBe(1);
    expect(await list()).toMatchObject({ count: 1 });
  });

  test('of two different parallel bodies one is published and the other is a conflict', async () => {
    const responses = await Promise.all([publisher.publish(BUY, key), publisher.publish(LIMIT, key)]);
    expect(responses.map(({ status }) => status).sort()).toEqual([201, 409]);
    expect(await list()).toMatchObject({ count: 1 });
  });

  test('a rejected publication is not remembered', async () => {
    const wrong = { ...BUY, stop_loss: 1.09 };
    expect((await publisher.publish(wrong, key)).status).toBe(422);
    await publisher.published(BUY, key);
  });

  test.each(['', 'x'.repeat(256)])('rejects %j as a key', async (bad) => {
    const response = await publisher.publish(BUY, { 'Idempotency-Key': bad });
    expect(await response.json()).toMatchObject({
      code: 'invalid_parameter',
      errors: [{ parameter: 'Idempotency-Key', allowed: 'a string of 1 to 255 characters' }],
    });
    expect(await list()).toMatchObject({ count: 0 });
  });
});

describe('a restart', () => {
  test('keeps signals, the hash chain and idempotency keys', async () => {
    const data = temporaryFolder();
    const before = await startService({ feeds: 'push', data });
    const issued = await before.key('premium', ['read', 'publish']);
    let own = new TestPublisher(before, issued);
    const first = await TestMarket.of(before);
    await first.quote(...EURO);
    const headers = { 'Idempotency-Key': 'deploy' };
    const [market1, limit] = [await own.published(BUY, headers), await own.published(LIMIT)];
    await first.repeat('EURUSD');
    await own.filled(market1.id);
    const details = [await own.detail(market1.id), await own.detail(limit.id)];
    const { log, n, hash } = await own.read<LogHead>('/api/signals/head');
    await before.stop();

    const after = await startService({ feeds: 'push', data });
    own = new TestPublisher(after, issued);
    expect(await own.read<LogHead>('/api/signals/head')).toMatchObject({ log, n, hash });
    expect([await own.detail(market1.id), await own.detail(limit.id)]).toEqual(details);
    expect(await own.read<List>('/api/signals')).toMatchObject({
      items: [{ id: limit.id }, { id: market1.id }],
      count: 2,
    });
    expect(await own.published(BUY, headers)).toEqual(market1);
    expect(await codeOf(await own.publish(LIMIT, headers))).toEqual([409, 'idempotency_conflict']);
    // Judging continues: the limit fills, then both reach their targets.
    const prices = await TestMarket.of(after);
    await prices.quote('EURUSD', 1.0829, 1.083);
    await prices.quote('EURUSD', 1.088, 1.0881);
    for (const { id } of [limit, market1]) await own.ended(id);
    const closed = (await own.read<List>('/api/signals?status=closed')).items as ClosedSignal[];
    expect(closed.map(({ id, close_reason, entry_price }) => [id, close_reason, entry_price])).toEqual([
      [limit.id, 'take_profit', 1.083],
      [market1.id, 'take_profit', 1.08412],
    ]);
    await after.stop();
    const third = await startService({ feeds: 'push', data });
    own = new TestPublisher(third, issued);
    expect((await own.read<List>('/api/signals?status=all')).items).toEqual(closed as Signal[]);
    await third.stop();
    rmSync(data, { recursive: true });
  });
});

describe('permission to publish', () => {
  test('rejects a key without the scope, a revoked key and an expired key', async () => {
    const reader = await TestPublisher.of(service, ['read', 'ingest', 'admin', 'hook']);
    expect(await codeOf(await reader.publish(BUY))).toEqual([403, 'missing_scope']);
    expect(await codeOf(await reader.close('sig_any'))).toEqual([403, 'missing_scope']);
    const { folder, app } = service;
    const expired = new TestPublisher(
      service,
      await anotherKey(folder, publisher.issued.account, Date.now() + 50, ['publish']),
    );
    await revoke(folder, publisher.issued);
    await app.keyring.refresh();
    await Bun.sleep(60);
    expect(await codeOf(await expired.publish(BUY))).toEqual([401, 'invalid_key']);
    expect(await codeOf(await publisher.publish(BUY))).toEqual([401, 'invalid_key']);
    expect(await codeOf(await fetch(`${service.url}/api/signals`, { method: 'POST', body: '{}' }))).toEqual([
      401,
      'missing_key',
    ]);
    expect(await reader.read<List>(`/api/signals?status=all&user=${publisher.id}`)).toMatchObject({ count: 0 });
  });

  test('publishing counts against the allowance, and a publish-only key cannot read', async () => {
    const only = await TestPublisher.of(service, ['publish']);
    const response = await only.publish(BUY);
    expect([response.status, response.headers.get('x-ratelimit-remaining')]).toEqual([201, '299']);
    const { id } = (await response.json()) as ActiveSignal;
    expect(await codeOf(await only.get(`/api/signals/${id}`))).toEqual([403, 'missing_scope']);
    const closing = only.close(id);
    await Bun.sleep(50);
    // The first quote fills it, the second one closes it.
    for (const _ of ['fill', 'close']) await market.repeat('EURUSD');
    expect((await closing).status).toBe(200);
  });
});
