// Closing signals over a real socket: who may close, at what price, and only once.
import { afterAll, beforeAll, beforeEach, describe, expect, spyOn, test } from 'bun:test';
import { createHash } from 'node:crypto';
import { type ClosedSignal, type ClosingSignal, ENDPOINTS } from '@tickwire/contract';
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
  test('uses the worse of the standing quote and the next one, and works once', async () => {
    const { id } = await publisher.open(BUY, market);
    await market.quote('EURUSD', 1.085, 1.0851);
    const closing = publisher.close(id);
    for (let tries = 0; (await publisher.detail(id)).close_requested_at === null && tries < 100; tries++);
    expect(await publisher.detail(id)).toMatchObject({ status: 'active', state: 'open' });
    expect(await codeOf(await publisher.close(id))).toEqual([409, 'close_requested']);
    await market.quote('EURUSD', 1.086, 1.0861);
    const response = await closing;
    expect(response.status).toBe(200);
    const closed = (await response.json()) as ClosedSignal;
    expect(ENDPOINTS.closeSignal.response.parse(closed)).toStrictEqual(closed);
    expect(closed).toMatchObject({ close_reason: 'manual', exit_price: 1.085, entry_price: 1.08412, pnl: 8.8 });
    expect(await codeOf(await publisher.close(id))).toEqual([409, 'signal_closed']);
    const { status, ...rest } = await publisher.detail(id);
    expect(rest).toMatchObject({ closed_at: closed.closed_at, pnl: 8.8 });

    const worse = await publisher.open({ ...BUY, entry: 1.0861, stop_loss: 1.08, take_profit: 1.09 }, market);
    const other = publisher.close(worse.id);
    for (let tries = 0; (await publisher.detail(worse.id)).close_requested_at === null && tries < 100; tries++);
    // The next quote is one of a later millisecond.
    await Bun.sleep(2);
    await market.quote('EURUSD', 1.0855, 1.0856);
    expect(await (await other).json()).toMatchObject({ close_reason: 'manual', exit_price: 1.0855 });
  });

  test('without a further quote is accepted after 5 s, and carried out by the next one', async () => {
    const { id } = await publisher.open(BUY, market);
    // Waiting for the store is limited to 5 s, too; the rest of them is the wait for a quote.
    const { sleep } = Bun;
    const wait = spyOn(Bun, 'sleep').mockImplementation((ms) => sleep(Number(ms) > 4_000 && ms !== 5_000 ? 20 : ms));
    const response = await publisher.close(id, { 'Idempotency-Key': 'late' });
    wait.mockRestore();
    expect(response.status).toBe(202);
    const closing = (await response.json()) as ClosingSignal;
    expect(ENDPOINTS.closeSignal.accepted.parse(closing)).toStrictEqual(closing);
    expect((await publisher.detail(id)).close_requested_at).toBe(closing.close_requested_at);
    await market.repeat('EURUSD');
    expect(await publisher.ended(id)).toMatchObject({ close_reason: 'manual' });
    const again = await publisher.close(id, { 'Idempotency-Key': 'late' });
    expect([again.status, await again.json()]).toEqual([202, closing]);
  });

  test('by another account gets a 403 and leaves it open, also once closed; an unknown one gets a 404', async () => {
    const other = await TestPublisher.of(service);
    const { id } = await publisher.open(BUY, market);
    expect(await codeOf(await other.close(id))).toEqual([403, 'not_your_signal']);
    expect(await codeOf(await other.amend(id, { stop_loss: 1.083 }))).toEqual([403, 'not_your_signal']);
    expect((await publisher.detail(id)).status).toBe('active');
    expect(await codeOf(await other.close('sig_none'))).toEqual([404, 'signal_not_found']);
    await publisher.closed(id, market);
    expect(await codeOf(await other.close(id))).toEqual([403, 'not_your_signal']);
  });

  test('of a pending signal withdraws it: unfilled, with zero result', async () => {
    const { id } = await publisher.published(LIMIT);
    expect(await publisher.closed(id, market)).toMatchObject({
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

  test('with an Idempotency-Key returns the first response again, and 409 for a different request', async () => {
    const [one, two] = [await publisher.published(BUY), await publisher.published(BUY)];
    const key = { 'Idempotency-Key': 'out' };
    const first = await publisher.closed(one.id, market, key);
    const again = await publisher.close(one.id, key);
    expect([again.status, await again.json()]).toEqual([200, first]);
    expect(await codeOf(await publisher.close(two.id, key))).toEqual([409, 'idempotency_conflict']);
    expect((await publisher.detail(two.id)).status).toBe('active');
  });

  test('whose response was lost, as by a crash, returns that response on a retry', async () => {
    const { access } = service.app.store;
    const lost = async (id: string, key: string): Promise<void> => {
      const bodyHash = createHash('sha256').update(`close ${id}`).digest();
      await access.rememberResponse({
        accountId: publisher.issued.account.id,
        key,
        bodyHash,
        response: 'begun',
        at: Date.now(),
      });
    };
    const [one, pending, open, judged] = [
      await publisher.open(BUY, market),
      await publisher.published(LIMIT),
      await publisher.open(BUY, market),
      await publisher.open(BUY, market),
    ];
    for (const [at, { id }] of [one, pending].entries()) {
      const closed = await publisher.closed(id, market);
      await lost(id, `lost ${at}`);
      for (const _ of ['again', 'and again']) {
        const response = await publisher.close(id, { 'Idempotency-Key': `lost ${at}` });
        expect([response.status, await response.json()]).toEqual([200, closed]);
      }
    }
    // An attempt that had no effect takes effect now; one that came after the market is too late.
    await lost(open.id, 'open');
    expect(await publisher.closed(open.id, market, { 'Idempotency-Key': 'open' })).toMatchObject({ id: open.id });
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
    const expires_at = new Date(Date.now() + 3_000).toISOString();
    const lapsed = await publisher.published({ ...LIMIT, expires_at });
    await lost(lapsed.id, 'lapsed');
    await market.quote(...EURO, Date.parse(expires_at) + 5_000);
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
    await publisher.closed(id, market);
    for (const _ of ['once', 'twice'])
      expect(await codeOf(await publisher.close(id, key))).toEqual([409, 'signal_closed']);
    for (const _ of ['once', 'twice'])
      expect(await codeOf(await other.close(id, key))).toEqual([403, 'not_your_signal']);
  });
});
