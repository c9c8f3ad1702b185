// Closing signals over a real socket: by whom, at what, and once.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { createHash } from 'node:crypto';
import { ENDPOINTS, type LogHead } from '@tickwire/contract';
import { BUY, codeOf, EURO, LIMIT, TestMarket, TestPublisher } from '../testing/publisher.fixture.ts';
import { type RunningService, startService } from '../testing/service.fixture.ts';

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

describe('closing', () => {
  test('by its publisher: at the exit side of the standing quote, once', async () => {
    const { id } = await desk.published(BUY);
    await market.quote('EURUSD', 1.085, 1.0851);
    const closed = await desk.closed(id);
    expect(ENDPOINTS.closeSignal.response.parse(closed)).toStrictEqual(closed);
    expect(closed).toMatchObject({ close_reason: 'manual', exit_price: 1.085, entry_price: 1.08412, pnl: 8.8 });
    expect(await codeOf(await desk.close(id))).toEqual([409, 'signal_closed']);
    const { status, ...rest } = await desk.detail(id);
    expect(rest).toMatchObject({ closed_at: closed.closed_at, pnl: 8.8 });
  });

  test('by another: 403, and it stays open; of none: 404; of a closed one of another: 403', async () => {
    const other = await TestPublisher.of(service);
    const { id } = await desk.published(BUY);
    expect(await codeOf(await other.close(id))).toEqual([403, 'not_your_signal']);
    expect((await desk.detail(id)).status).toBe('active');
    expect(await codeOf(await other.close('sig_none'))).toEqual([404, 'signal_not_found']);
    await desk.closed(id);
    expect(await codeOf(await other.close(id))).toEqual([403, 'not_your_signal']);
  });

  test('twice at the same moment: one is answered 200, the other 409, and there is one record', async () => {
    const { id } = await desk.published(BUY);
    const { n } = await desk.read<LogHead>('/api/signals/head');
    const answers = await Promise.all([desk.close(id), desk.close(id)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect((await desk.read<LogHead>('/api/signals/head')).n).toBe(n + 1);
  });

  test('of a pending one withdraws it: unfilled, nothing won and nothing lost', async () => {
    const { id } = await desk.published(LIMIT);
    expect(await desk.closed(id)).toMatchObject({
      close_reason: 'unfilled',
      pnl: 0,
      pnl_percent: 0,
      pnl_r: 0,
      entry_price: null,
      exit_price: null,
    });
    await market.quote('EURUSD', 1.0828, 1.0829);
    expect(await desk.detail(id)).toMatchObject({ status: 'closed', close_reason: 'unfilled', filled_at: null });
  });

  test('past its deadline is too late, though nothing has come to end it yet', async () => {
    const expires_at = new Date(Date.now() + 300).toISOString();
    const signals = [await desk.published({ ...BUY, expires_at }), await desk.published({ ...LIMIT, expires_at })];
    await Bun.sleep(Date.parse(expires_at) - Date.now() + 5);
    for (const { id } of signals) expect(await codeOf(await desk.close(id))).toEqual([409, 'signal_closed']);
    await market.quote(...EURO);
    for (const { id } of signals) expect(await desk.ended(id)).toMatchObject({ closed_at: expires_at });
  });

  test('with an Idempotency-Key, the same closing again gets the first answer, another one 409', async () => {
    const [one, two] = [await desk.published(BUY), await desk.published(BUY)];
    const key = { 'Idempotency-Key': 'out' };
    const first = await desk.close(one.id, key);
    expect(first.status).toBe(200);
    const again = await desk.close(one.id, key);
    expect([again.status, await again.json()]).toEqual([200, await first.json()]);
    expect(await codeOf(await desk.close(two.id, key))).toEqual([409, 'idempotency_conflict']);
    expect((await desk.detail(two.id)).status).toBe('active');
  });

  test('whose answer was lost on the way, as by a crash, is answered when it is asked for again', async () => {
    const { access } = service.app.store;
    const lost = async (id: string, key: string): Promise<void> => {
      const bodyHash = createHash('sha256').update(`close ${id}`).digest();
      await access.remember({ accountId: desk.issued.account.id, key, bodyHash, answer: 'begun', at: Date.now() });
    };
    const [one, pending, open, judged] = [
      await desk.published(BUY),
      await desk.published(LIMIT),
      await desk.published(BUY),
      await desk.published(BUY),
    ];
    for (const [at, { id }] of [one, pending].entries()) {
      const closed = await desk.closed(id);
      await lost(id, `lost ${at}`);
      for (const _ of ['again', 'and again']) {
        const answer = await desk.close(id, { 'Idempotency-Key': `lost ${at}` });
        expect([answer.status, await answer.json()]).toEqual([200, closed]);
      }
    }
    // One that had done nothing does it now; one that came after the market is too late.
    await lost(open.id, 'open');
    expect((await desk.close(open.id, { 'Idempotency-Key': 'open' })).status).toBe(200);
    await lost(judged.id, 'judged');
    await market.quote('EURUSD', 1.088, 1.0881);
    await desk.ended(judged.id);
    for (const _ of ['once', 'twice'])
      expect(await codeOf(await desk.close(judged.id, { 'Idempotency-Key': 'judged' }))).toEqual([
        409,
        'signal_closed',
      ]);
    // One that lapsed was not withdrawn.
    await market.quote(...EURO);
    const expires_at = new Date(Date.now() + 300).toISOString();
    const lapsed = await desk.published({ ...LIMIT, expires_at });
    await lost(lapsed.id, 'lapsed');
    await Bun.sleep(Date.parse(expires_at) - Date.now() + 5);
    await market.quote(...EURO);
    expect(await desk.ended(lapsed.id)).toMatchObject({ close_reason: 'unfilled', closed_at: expires_at });
    expect(await codeOf(await desk.close(lapsed.id, { 'Idempotency-Key': 'lapsed' }))).toEqual([409, 'signal_closed']);
  });

  test('that was refused is refused again under its key, though it has been closed since', async () => {
    const other = await TestPublisher.of(service);
    const { id } = await desk.published(BUY);
    const key = { 'Idempotency-Key': 'mine' };
    await desk.closed(id);
    for (const _ of ['once', 'twice']) expect(await codeOf(await desk.close(id, key))).toEqual([409, 'signal_closed']);
    for (const _ of ['once', 'twice'])
      expect(await codeOf(await other.close(id, key))).toEqual([403, 'not_your_signal']);
  });
});
