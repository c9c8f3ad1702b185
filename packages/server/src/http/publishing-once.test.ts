// A publication that is sent again publishes once; and who may publish at all.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { rmSync } from 'node:fs';
import type { ActiveSignal, ClosedSignal, LogHead, Signal } from '@tickwire/contract';
import { anotherKey, revoke } from '../testing/access.fixture.ts';
import { BUY, codeOf, EURO, LIMIT, TestMarket, TestPublisher } from '../testing/publisher.fixture.ts';
import { type RunningService, startService, temporaryFolder } from '../testing/service.fixture.ts';

let service: RunningService;
let market: TestMarket;
let desk: TestPublisher;
beforeAll(async () => {
  service = await startService({ feeds: 'push' });
  market = await TestMarket.of(service);
});
afterAll(() => service.stop());
beforeEach(async () => {
  // One of its own for each test: its signals and its allowance are nobody else's.
  desk = await TestPublisher.of(service);
  await market.quote(...EURO);
});

interface List {
  readonly items: Signal[];
  readonly count: number;
}
const list = (query = ''): Promise<List> => desk.read(`/api/signals?user=${desk.id}&${query}`);

describe('Idempotency-Key', () => {
  const key = { 'Idempotency-Key': 'once' };

  test('the same body gets the same signal, closed or not; another body 409; another account its own', async () => {
    const first = await desk.published(BUY, key);
    expect(await desk.published(BUY, key)).toEqual(first);
    expect(await codeOf(await desk.publish({ ...BUY, note: 'other' }, key))).toEqual([409, 'idempotency_conflict']);
    await desk.closed(first.id);
    expect(await desk.published(BUY, key)).toEqual(first);
    expect(await list('status=all')).toMatchObject({ count: 1 });
    const other = await TestPublisher.of(service);
    expect((await other.published(BUY, key)).id).not.toBe(first.id);
  });

  test('several at once publish one', async () => {
    const all = await Promise.all(Array.from({ length: 8 }, () => desk.published(BUY, key)));
    expect(new Set(all.map(({ id }) => id)).size).toBe(1);
    expect(await list()).toMatchObject({ count: 1 });
  });

  test('of two bodies at once one is published and the other is a conflict', async () => {
    const answers = await Promise.all([desk.publish(BUY, key), desk.publish(LIMIT, key)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409]);
    expect(await list()).toMatchObject({ count: 1 });
  });

  test('what was refused is not remembered', async () => {
    const wrong = { ...BUY, stop_loss: 1.09 };
    expect((await desk.publish(wrong, key)).status).toBe(422);
    await desk.published(BUY, key);
  });

  test.each(['', 'x'.repeat(256)])('%j is none', async (bad) => {
    const answer = await desk.publish(BUY, { 'Idempotency-Key': bad });
    expect(await answer.json()).toMatchObject({
      code: 'invalid_parameter',
      errors: [{ parameter: 'Idempotency-Key', allowed: 'a text of 1 to 255 characters' }],
    });
    expect(await list()).toMatchObject({ count: 0 });
  });
});

describe('a restart', () => {
  test('loses nothing: signals, the chain, and what an Idempotency-Key stands for', async () => {
    const data = temporaryFolder();
    const before = await startService({ feeds: 'push', data });
    const issued = await before.key('premium', ['read', 'publish']);
    let own = new TestPublisher(before, issued);
    await (await TestMarket.of(before)).quote(...EURO);
    const headers = { 'Idempotency-Key': 'deploy' };
    const [market1, limit] = [await own.published(BUY, headers), await own.published(LIMIT)];
    const details = [await own.detail(market1.id), await own.detail(limit.id)];
    const { log, n, hash } = await own.read<LogHead>('/api/signals/head');
    await before.stop();

    const after = await startService({ feeds: 'push', data });
    own = new TestPublisher(after, issued);
    expect(await own.read<LogHead>('/api/signals/head')).toMatchObject({ log, n, hash });
    expect([await own.detail(market1.id), await own.detail(limit.id)]).toEqual(details);
    expect(await own.read<List>('/api/signals')).toEqual({ items: [limit, market1], count: 2 });
    expect(await own.published(BUY, headers)).toEqual(market1);
    expect(await codeOf(await own.publish(LIMIT, headers))).toEqual([409, 'idempotency_conflict']);
    // Judged on: the limit fills, then both reach their targets.
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

describe('who may publish', () => {
  test('a key without the scope may not, one that is revoked or has expired is none', async () => {
    const reader = await TestPublisher.of(service, ['read', 'ingest', 'admin', 'hook']);
    expect(await codeOf(await reader.publish(BUY))).toEqual([403, 'missing_scope']);
    expect(await codeOf(await reader.close('sig_any'))).toEqual([403, 'missing_scope']);
    const { folder, app } = service;
    const expired = new TestPublisher(
      service,
      await anotherKey(folder, desk.issued.account, Date.now() + 50, ['publish']),
    );
    await revoke(folder, desk.issued);
    await app.keyring.refresh();
    await Bun.sleep(60);
    expect(await codeOf(await expired.publish(BUY))).toEqual([401, 'invalid_key']);
    expect(await codeOf(await desk.publish(BUY))).toEqual([401, 'invalid_key']);
    expect(await codeOf(await fetch(`${service.url}/api/signals`, { method: 'POST', body: '{}' }))).toEqual([
      401,
      'missing_key',
    ]);
    expect(await reader.read<List>(`/api/signals?status=all&user=${desk.id}`)).toMatchObject({ count: 0 });
  });

  test('publishing counts against the allowance, and a key that may only publish reads nothing', async () => {
    const only = await TestPublisher.of(service, ['publish']);
    const answer = await only.publish(BUY);
    expect([answer.status, answer.headers.get('x-ratelimit-remaining')]).toEqual([201, '299']);
    const { id } = (await answer.json()) as ActiveSignal;
    expect(await codeOf(await only.get(`/api/signals/${id}`))).toEqual([403, 'missing_scope']);
    expect((await only.close(id)).status).toBe(200);
  });
});
