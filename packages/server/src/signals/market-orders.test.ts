// Market orders over real sockets: acceptance, fill, slippage, a restart before the fill, signatures and track records.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { rmSync } from 'node:fs';
import { ENDPOINTS, type LogPage, type PublisherDetail } from '@tickwire/contract';
import { EURO, TestMarket, TestPublisher } from '../../testing/publisher.fixture.ts';
import { type RunningService, startService, temporaryFolder } from '../../testing/service.fixture.ts';
import { SigningPublisher } from '../../testing/signals/signing.fixture.ts';
import { findingsOf } from '../../testing/signals/tampering.fixture.ts';

let service: RunningService;
let market: TestMarket;
let publisher: TestPublisher;
beforeAll(async () => {
  service = await startService({ feeds: 'push', trusted_sources: 'push' });
  market = await TestMarket.of(service);
});
afterAll(() => service.stop());
beforeEach(async () => {
  publisher = await TestPublisher.of(service);
  await market.quote(...EURO);
});

/** The market is at 1.08400 / 1.08412. */
const BUY = { symbol: 'EURUSD', direction: 'buy', order: 'market', stop_loss: 1.082, take_profit: 1.088 };
const SELL = { ...BUY, direction: 'sell', stop_loss: 1.086, take_profit: 1.08 };

const recordsOf = async (id: string): Promise<LogPage['items'][number]['record'][]> =>
  (await publisher.read<{ records: LogPage['items'] }>(`/api/signals/${id}/proof`)).records.map(({ record }) => record);
/** Pushes the quote that follows a publication. */
async function next(bid: number, ask: number): Promise<void> {
  await Bun.sleep(2);
  await market.quote('EURUSD', bid, ask);
}

describe('a market order', () => {
  test('is entered at the entry side of the standing quote, and the record says so', async () => {
    for (const [terms, entry] of [
      [BUY, 1.08412],
      [{ ...SELL, max_slippage: 0.0003 }, 1.084],
    ] as const) {
      const signal = await publisher.published(terms);
      expect(ENDPOINTS.publishSignal.response.parse(signal)).toStrictEqual(signal);
      expect(signal).toMatchObject({ entry, order: 'market', state: 'pending' });
      const max_slippage = 'max_slippage' in terms ? terms.max_slippage : null;
      expect((await recordsOf(signal.id))[0]).toMatchObject({
        type: 'published',
        entry,
        order: 'market',
        max_slippage,
      });
      const detail = await publisher.detail(signal.id);
      expect(ENDPOINTS.signal.response.parse(detail)).toStrictEqual(detail);
      expect(detail).toMatchObject({ entry, max_slippage });
    }
  });

  test('has the record of before without "order"', async () => {
    const { order: _, ...terms } = BUY;
    const { id } = await publisher.published({ ...terms, entry: 1.08412 });
    expect((await recordsOf(id))[0]).not.toHaveProperty('max_slippage');
  });

  test.each([
    ['a buy at the worse ask', BUY, 1.0842, 1.08432, 1.08432],
    ['a buy at the standing ask', BUY, 1.0838, 1.08392, 1.08412],
    ['a sell at the worse bid', SELL, 1.0838, 1.08392, 1.0838],
    ['a sell at the standing bid', SELL, 1.0842, 1.08432, 1.084],
    ['a buy at exactly its slippage', { ...BUY, max_slippage: 0.0002 }, 1.0842, 1.08432, 1.08432],
    ['a sell at exactly its slippage', { ...SELL, max_slippage: 0.0002 }, 1.0838, 1.08392, 1.0838],
    ['a buy that allows none', { ...BUY, max_slippage: 0 }, 1.084, 1.08412, 1.08412],
  ])('fills %s', async (_, terms, bid, ask, entry_price) => {
    const { id, entry } = await publisher.published(terms);
    await next(bid, ask);
    expect(await publisher.filled(id)).toMatchObject({ status: 'active', state: 'open', entry, entry_price });
  });

  test.each([
    ['a buy', { ...BUY, max_slippage: 0.0002 }, 1.08421, 1.08433],
    ['a sell', { ...SELL, max_slippage: 0.0002 }, 1.08379, 1.08391],
    ['a buy that allows none', { ...BUY, max_slippage: 0 }, 1.08401, 1.08413],
  ])('ends %s one tick beyond its slippage as unfilled', async (_, terms, bid, ask) => {
    const { id } = await publisher.published(terms);
    await next(bid, ask);
    const unfilled = {
      close_reason: 'unfilled',
      entry_price: null,
      exit_price: null,
      pnl: 0,
      pnl_r: 0,
      filled_at: null,
    };
    expect(await publisher.ended(id)).toMatchObject(unfilled);
    const [, closed, ...others] = await recordsOf(id);
    expect(others).toEqual([]);
    expect(closed).toMatchObject({ type: 'closed', reason: 'unfilled', filled: null, decided: { bid, ask } });
  });

  test('that is unfilled counts for nothing in the track record', async () => {
    const { id } = await publisher.published({ ...BUY, max_slippage: 0 });
    await next(1.0845, 1.08462);
    await publisher.ended(id);
    const record = await publisher.read<PublisherDetail>(`/api/publishers/${publisher.id}`);
    expect(record).toMatchObject({
      decisions: 0,
      e_value: 1,
      total_r: 0,
      ranked_signals: 0,
      unfilled: 1,
      warnings: [],
    });
    expect(record.equity).toEqual([]);
  });

  test('can be withdrawn before its fill, and fills first if the next quote allows it', async () => {
    const [slips, fills] = [
      await publisher.published({ ...BUY, max_slippage: 0.0001 }),
      await publisher.published({ ...BUY, max_slippage: 0.001 }),
    ];
    const closing = [slips, fills].map(({ id }) => publisher.close(id));
    for (const { id } of [slips, fills])
      await publisher.once(id, ({ close_requested_at }) => close_requested_at !== null);
    await next(1.0844, 1.08452);
    expect(await publisher.ended(slips.id)).toMatchObject({ close_reason: 'unfilled' });
    expect(await publisher.filled(fills.id)).toMatchObject({ state: 'open', entry_price: 1.08452 });
    await market.repeat('EURUSD');
    expect(await publisher.ended(fills.id)).toMatchObject({ close_reason: 'manual', entry_price: 1.08452 });
    expect((await Promise.all(closing)).map(({ status }) => status)).toEqual([200, 200]);
  });

  test('is repeated safely, whatever the market does in between', async () => {
    const headers = { 'Idempotency-Key': 'once' };
    const first = await publisher.published(BUY, headers);
    await next(1.0842, 1.08432);
    expect(await publisher.published(BUY, headers)).toEqual(first);
  });

  test('is signed as it was sent, without an entry', async () => {
    const signer = await SigningPublisher.of(service, publisher);
    for (const terms of [BUY, { ...BUY, max_slippage: 0.0002, note: 'now' }])
      await publisher.published(signer.publication(terms));
    const { items } = await publisher.read<LogPage>('/api/signals/log?limit=1000');
    const lines = items.map(({ record, hash }) => ({ n: record.n, hash, text: JSON.stringify(record) }));
    const findings = await findingsOf(lines);
    // The response does not have the canonical text.
    expect(findings.filter(({ code }) => code !== 'not_canonical')).toEqual([]);
  });

  test('is published by a TradingView alert', async () => {
    const hook = await service.key('premium', ['hook']);
    const body = JSON.stringify({ ...BUY, symbol: 'OANDA:EURUSD', direction: 'long', max_slippage: '0.0002' });
    const response = await fetch(`${service.url}/hooks/tradingview/${hook.key}`, { method: 'POST', body });
    const { id } = (await response.json()) as { id: string };
    expect(await publisher.detail(id)).toMatchObject({ entry: 1.08412, order: 'market', max_slippage: 0.0002 });
  });
});

test('after a restart, the next quote fills market orders or finds them beyond their slippage', async () => {
  const data = temporaryFolder();
  const before = await startService({ feeds: 'push', data });
  const issued = await before.key('premium', ['read', 'publish']);
  let own = new TestPublisher(before, issued);
  await (await TestMarket.of(before)).quote(...EURO);
  const [fills, slips] = [
    await own.published({ ...BUY, max_slippage: 0.0003 }),
    await own.published({ ...BUY, max_slippage: 0.0001 }),
  ];
  await before.stop();

  const after = await startService({ feeds: 'push', data });
  own = new TestPublisher(after, issued);
  expect(await own.detail(slips.id)).toMatchObject({ state: 'pending', entry: 1.08412, max_slippage: 0.0001 });
  await (await TestMarket.of(after)).quote('EURUSD', 1.0842, 1.08432);
  expect(await own.filled(fills.id)).toMatchObject({ state: 'open', entry_price: 1.08432 });
  expect(await own.ended(slips.id)).toMatchObject({ close_reason: 'unfilled', entry_price: null });
  await after.stop();
  rmSync(data, { recursive: true });
});
