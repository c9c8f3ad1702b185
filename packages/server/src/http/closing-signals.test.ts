// Closing signals over a real socket: who may close, at what price, and only once.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { createHash } from 'node:crypto';
import { ENDPOINTS, type LogHead } from '@tickwire/contract';
import { BUY, codeOf, EURO, LIMIT, TestMarket, TestPublisher } from '../../testing/publisher.fixture.ts';
import { type RunningService, startService } from '../../testing/service.fixture.ts';

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

describe('closing', () => {
  test('by its publisher uses the exit side of the current quote, and works once', async () => {
    const { id } = await publisher.published(BUY);
    await market.quote('EURUSD', 1.085, 1.0851);
    const closed = await publisher.closed(id);
    expect(ENDPOINTS.closeSignal.response.parse(closed)).toStrictEqual(closed);
    expect(closed).toMatchObject({ close_reason: 'manual', exit_price: 1.085, entry_price: 1.08412, pnl: 8.8 });
    expect(await codeOf(await publisher.close(id))).toEqual([409, 'signal_closed']);
    const { status, ...rest } = await publisher.detail(id);
    expect(rest).toMatchObject({ closed_at: closed.closed_at, pnl: 8.8 });
  });

  test('by another account gets a 403 and leaves it open, also once closed; an unknown one gets a 404', async () => {
    const other = await TestPublisher.of(service);
    const { id } = await publisher.published(BUY);
    expect(await codeOf(await other.close(id))).toEqual([403, 'not_your_signal']);
    expect((await publisher.detail(id)).status).toBe('active');
    expect(await codeOf(await other.close('sig_none'))).toEqual([404, 'signal_not_found']);
    await publisher.closed(id);
    expect(await codeOf(await other.close(id))).toEqual([403, 'not_your_signal']);
  });

  test('twice in parallel gets one 200 and one 409, and writes one record', async () => {
    const { id } = await publisher.published(BUY);
    const { n } = await publisher.read<LogHead>('/api/signals/head');
    const responses = await Promise.all([publisher.close(id), publisher.close(id)]);
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect((await publisher.read<LogHead>('/api/signals/head')).n).toBe(n + 1);
  });

  test('of a pending signal withdraws it: unfilled, with zero result', async () => {
    const { id } = await publisher.published(LIMIT);
    expect(await publisher.closed(id)).toMatchObject({
      close_reason: 'unfilled',
      pnl: 0,
      pnl_percent: 0,
      pnl_r: 0,
      entry_price: null,
      exit_price: null,
    });
    await market.quote('EURUSD', 1.0828, 1.0829);
    expect(await publisher.detail(id)).toMatchObject({ status: 'closed', close_reason: 'unfilled', filled_at: null });
  });

  test('after the deadline is too late, even if no tick has closed the signal yet', async () => {
    const expires_at = new Date(Date.now() + 300).toISOString();
    const signals = [
      await publisher.published({ ...BUY, expires_at }),
      await publisher.published({ ...LIMIT, expires_at }),
    ];
    await Bun.sleep(Date.parse(expires_at) - Date.now() + 5);
    for (const { id } of signals) expect(await codeOf(await publisher.close(id))).toEqual([409, 'signal_closed']);
    await market.quote(...EURO);
    for (const { id } of signals) expect(await publisher.ended(id)).toMatchObject({ closed_at: expires_at });
  });

  test('with an Idempotency-Key returns the first response again, and 409 for a different request', async () => {
    const [one, two] = [await publisher.published(BUY), await publisher.published(BUY)];
    const key = { 'Idempotency-Key': 'out' };
    const first = await publisher.close(one.id, key);
    expect(first.status).toBe(200);
    const again = await publisher.close(one.id, key);
    expect([again.status, await again.json()]).toEqual([200, await first.json()]);
    expect(await codeOf(await publisher.close(two.id, key))).toEqual([409, 'idempotency_conflict']);
    expect((await publisher.detail(two.id)).status).toBe('active');
  });

  test('whose response was lost, as by a crash, returns that response on a retry', async () => {
    const { access } = service.app.store;
    const lost = async (id: string, key: string): Promise<void> => {
      const bodyHash = createHash('sha256').update(`close ${id}`).digest();
      await access.remember({ accountId: publisher.issued.account.id, key, bodyHash, answer: 'begun', at: Date.now() });
    };
    const [one, pending, open, judged] = [
      await publisher.published(BUY),
      await publisher.published(LIMIT),
      await publisher.published(BUY),
      await publisher.published(BUY),
    ];
    for (const [at, { id }] of [one, pending].entries()) {
      const closed = await publisher.closed(id);
      await lost(id, `lost ${at}`);
      for (const _ of ['again', 'and again']) {
        const response = await publisher.close(id, { 'Idempotency-Key': `lost ${at}` });
        expect([response.status, await response.json()]).toEqual([200, closed]);
      }
    }
    // An attempt that had no effect takes effect now; one that came after the market is too late.
    await lost(open.id, 'open');
    expect((await publisher.close(open.id, { 'Idempotency-Key': 'open' })).status).toBe(200);
    await lost(judged.id, 'judged');
    await market.quote('EURUSD', 1.088, 1.0881);
    await publisher.ended(judged.id);
    for (const _ of ['once', 'twice'])
      expect(await codeOf(await publisher.close(judged.id, { 'Idempotency-Key': 'judged' }))).toEqual([
        409,
        'signal_closed',
      ]);
    // An expired signal was not withdrawn.
    await market.quote(...EURO);
    const expires_at = new Date(Date.now() + 300).toISOString();
    const lapsed = await publisher.published({ ...LIMIT, expires_at });
    await lost(lapsed.id, 'lapsed');
    await Bun.sleep(Date.parse(expires_at) - Date.now() + 5);
    await market.quote(...EURO);
    expect(await publisher.ended(lapsed.id)).toMatchObject({ close_reason: 'unfilled', closed_at: expires_at });
    expect(await codeOf(await publisher.close(lapsed.id, { 'Idempotency-Key': 'lapsed' }))).toEqual([
      409,
      'signal_closed',
    ]);
  });

  test('that was rejected is rejected again with the same key, even if the signal was closed since', async () => {
    const other = await TestPublisher.of(service);
    const { id } = await publisher.published(BUY);
    const key = { 'Idempotency-Key': 'mine' };
    await publisher.closed(id);
    for (const _ of ['once', 'twice'])
      expect(await codeOf(await publisher.close(id, key))).toEqual([409, 'signal_closed']);
    for (const _ of ['once', 'twice'])
      expect(await codeOf(await other.close(id, key))).toEqual([403, 'not_your_signal']);
  });
});
