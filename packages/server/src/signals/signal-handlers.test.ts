// Signals over a real socket, in a market that the test controls: published, listed, proven, closed.

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { createHash } from 'node:crypto';
import {
  canonicalJson,
  type LogEntry,
  type LogHead,
  type LogPage,
  NO_HASH,
  type PublisherDetail,
  SIGNALS_CSV_COLUMNS,
  type Signal,
  type SignalProof,
} from '@tickwire/contract';
import { DAY_MS, MINUTE_MS } from '@tickwire/engine';
import { BUY, codeOf, EURO, LIMIT, STOP, TestMarket, TestPublisher } from '../../testing/publisher.fixture.ts';
import { type RunningService, startService } from '../../testing/service.fixture.ts';
import { isData, StreamClient } from '../../testing/stream-client.fixture.ts';
import { verifyHead } from './head.ts';

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
const idsOf = ({ items }: List): string[] => items.map(({ id }) => id);
const list = (query = ''): Promise<List> =>
  publisher.read(`/api/signals?user=${encodeURIComponent(publisher.name)}&${query}`);
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const isTrue = ({ hash, record }: LogEntry): boolean => sha256(canonicalJson(record)) === hash;

describe('publishing', () => {
  test('a market entry is pending until the next quote, and fills at the worse of the two', async () => {
    const signal = await publisher.published({ ...BUY, note: 'Zinsentscheid ✓' });
    expect(Object.keys(signal)).toEqual(
      'id user symbol direction entry stop_loss take_profit status timestamp order state'.split(' '),
    );
    expect(signal).toMatchObject({ ...BUY, user: publisher.name, status: 'active', order: 'market', state: 'pending' });
    expect(await publisher.detail(signal.id)).toMatchObject({
      state: 'pending',
      entry_price: null,
      filled_at: null,
      expires_at: new Date(Date.parse(signal.timestamp) + MINUTE_MS).toISOString(),
    });
    await Bun.sleep(2);
    await market.quote('EURUSD', 1.08418, 1.0843);
    expect(await publisher.filled(signal.id)).toMatchObject({
      publisher: publisher.id,
      order: 'market',
      state: 'open',
      entry_price: 1.0843,
      targets: [{ price: BUY.take_profit, fraction: 1 }],
      exits: [],
      current_stop_loss: BUY.stop_loss,
      close_requested_at: null,
      voided_reason: null,
      note: 'Zinsentscheid ✓',
      expires_at: new Date(Date.parse(signal.timestamp) + 30 * DAY_MS).toISOString(),
      closed_n: null,
      closed_hash: null,
    });
  });

  test('a limit entry below the market fills at its price; a stop entry above fills at the market price', async () => {
    const [limit, stop] = [await publisher.published(LIMIT), await publisher.published(STOP)];
    for (const [{ id, timestamp }, order] of [
      [limit, 'limit'],
      [stop, 'stop'],
    ] as const) {
      expect(await publisher.detail(id)).toMatchObject({
        order,
        entry_price: null,
        filled_at: null,
        expires_at: new Date(Date.parse(timestamp) + DAY_MS).toISOString(),
      });
    }
    await market.quote('EURUSD', 1.0828, 1.0829);
    await market.quote('EURUSD', 1.0861, 1.0862);
    for (const [id, price] of [
      [limit.id, 1.083],
      [stop.id, 1.0862],
    ] as const) {
      const filled = await publisher.filled(id);
      expect(filled).toMatchObject({ status: 'active', entry_price: price });
      expect(Date.parse(filled.filled_at!)).toBeWithin(Date.parse(limit.timestamp), Date.now() + 1_000);
    }
  });

  test('a sell mirrors a buy, and the symbol is case-insensitive', async () => {
    const sell = { symbol: 'eurusd', direction: 'sell', entry: 1.084, stop_loss: 1.086, take_profit: 1.08 };
    const { id, symbol } = await publisher.open(sell, market);
    expect(symbol).toBe('EURUSD');
    expect(await publisher.detail(id)).toMatchObject({ order: 'market', entry_price: 1.084 });
    await market.quote('EURUSD', 1.0859, 1.086);
    expect(await publisher.ended(id)).toMatchObject({
      close_reason: 'stop_loss',
      exit_price: 1.086,
      pnl: -20,
      pnl_r: -1,
    });
  });

  test('with the response it is in the feed and on /ws/signals, there without status', async () => {
    const stream = await StreamClient.open(`${service.wsUrl}/ws/signals`, publisher.issued.key);
    await stream.ask({ action: 'subscribe' });
    const { status, order, state, ...message } = await publisher.open(BUY, market);
    expect(idsOf(await list())).toEqual([message.id]);
    expect(await stream.next(isData)).toEqual(message);
    await publisher.closed(message.id, market);
    await stream.ask({ action: 'ping' });
    expect(stream.messages.filter(isData)).toHaveLength(1);
    stream.close();
  });

  test('closings are streamed with their result if the subscription asks for them', async () => {
    const stream = await StreamClient.open(`${service.wsUrl}/ws/signals`, publisher.issued.key);
    await stream.ask({ action: 'subscribe', symbols: ['EURUSD'], closes: true });
    const { id } = await publisher.open(BUY, market);
    await market.quote('EURUSD', 1.0881, 1.0882);
    const [published, closed] = await stream.take(2, (message) => isData(message) && message.id === id);
    expect(published).not.toHaveProperty('status');
    expect(closed).toMatchObject({ id, status: 'closed', close_reason: 'take_profit', exit_price: 1.088, pnl: 38.8 });
    expect(await list('status=closed')).toEqual({ items: [closed as unknown as Signal], count: 1 });
    stream.close();
  });

  test('`expires_at` closes it at the last price before, once the grace is over', async () => {
    const expires_at = new Date(Date.now() + 900).toISOString();
    const [filled, pending] = [
      await publisher.open({ ...BUY, expires_at }, market),
      await publisher.published({ ...LIMIT, expires_at }),
    ];
    expect(await publisher.detail(filled.id)).toMatchObject({ expires_at });
    await market.quote('EURUSD', 1.085, 1.0851, Date.parse(expires_at));
    expect(await publisher.detail(filled.id)).toMatchObject({ status: 'active' });
    await market.quote('EURUSD', 1.085, 1.0851, Date.parse(expires_at) + 5_000);
    expect(await publisher.ended(filled.id)).toMatchObject({
      close_reason: 'expired',
      closed_at: expires_at,
      exit_price: 1.084,
    });
    expect(await publisher.ended(pending.id)).toMatchObject({
      close_reason: 'unfilled',
      closed_at: expires_at,
      pnl: 0,
    });
  });
});

describe('the feed', () => {
  test('shows active signals by default, newest first', async () => {
    const [one, two, three] = [
      await publisher.published(BUY),
      await publisher.published(LIMIT),
      await publisher.published({ ...BUY, note: 'again' }),
    ];
    const closed = await publisher.closed(two!.id, market);
    expect(idsOf(await list())).toEqual([three!.id, one!.id]);
    expect(await list('status=closed')).toEqual({ items: [closed], count: 1 });
    expect(idsOf(await list('status=all'))).toEqual([three!.id, two!.id, one!.id]);
    expect((await list('status=all')).items[1]).toEqual(closed);
  });

  test('filters by instrument and by publisher name or id, case-insensitive', async () => {
    await market.quote('USDJPY', 150.1, 150.12);
    const yen = await publisher.published({
      symbol: 'USDJPY',
      direction: 'sell',
      entry: 150.1,
      stop_loss: 151,
      take_profit: 149,
    });
    await publisher.published(BUY);
    await (await TestPublisher.of(service)).published(BUY);
    expect(idsOf(await list('symbol=usdjpy'))).toEqual([yen.id]);
    for (const user of [publisher.name.toUpperCase(), publisher.id])
      expect(await publisher.read(`/api/signals?user=${encodeURIComponent(user)}`)).toMatchObject({ count: 2 });
    for (const none of ['user=nobody', 'symbol=NOSUCH', 'before=sig_none', `user=${publisher.id}&symbol=XAUUSD`])
      expect(await publisher.read<object>(`/api/signals?${none}`)).toEqual({ items: [], count: 0 });
  });

  test('pages back with `before`: every signal once, whatever is closed or published meanwhile', async () => {
    const ids: string[] = [];
    for (let at = 0; at < 7; at++) ids.push((await publisher.published(BUY)).id);
    for (const at of [1, 4]) await publisher.closed(ids[at]!, market);
    const seen: string[] = [];
    for (let before = ''; ; ) {
      const page = await list(`status=all&limit=3${before}`);
      expect(page.count).toBe(page.items.length);
      if (page.count === 0) break;
      seen.push(...idsOf(page));
      before = `&before=${seen.at(-1)}`;
      await publisher.published(LIMIT);
    }
    expect(seen).toEqual(ids.toReversed());
    expect(idsOf(await list(`status=closed&before=${ids[4]}`))).toEqual([ids[1]!]);
  });
});

describe('the proof', () => {
  test('the records of a signal match their hashes, contain its terms, and are covered by the signed head', async () => {
    const signal = await publisher.open({ ...BUY, note: 'as said' }, market);
    await market.quote('EURUSD', 1.0818, 1.0819);
    const detail = await publisher.ended(signal.id);
    const proof = await publisher.read<SignalProof>(`/api/signals/${signal.id}/proof`);
    expect(isTrue(proof.published) && isTrue(proof.closed!)).toBe(true);
    expect(proof.records.map(({ record }) => record.type)).toEqual(['published', 'filled', 'closed']);
    expect(proof.records.every(isTrue)).toBe(true);
    expect([proof.published.hash, proof.closed!.hash]).toEqual([detail.published_hash, detail.closed_hash!]);
    expect(proof.published.record).toMatchObject({
      ...BUY,
      type: 'published',
      signal: signal.id,
      publisher: publisher.id,
      at: signal.timestamp,
      note_sha256: sha256('as said'),
      quote: { kind: 'quote', bid: 1.084, ask: 1.08412, source: expect.stringMatching(/^push:pub_/) },
    } as never);
    // A stop that the market gaps through fills at the first available price.
    expect(proof.closed!.record).toMatchObject({
      reason: 'stop_loss',
      exit_price: 1.0818,
      decided: { bid: 1.0818, ask: 1.0819 },
      pnl: detail.pnl,
    });
    expect([proof.note, proof.seals]).toEqual(['as said', []]);
    expect(verifyHead(proof.head)).toBe(true);
    expect(verifyHead({ ...proof.head, n: proof.head.n + 1 })).toBe(false);
  });

  test('the log is one hash chain from its first record to the head, in pages of any size', async () => {
    for (let at = 0; at < 3; at++) await publisher.closed((await publisher.published(BUY)).id, market);
    const head = await publisher.read<LogHead>('/api/signals/head');
    const entries: LogEntry[] = [];
    for (let after: number | null = -1; after !== null; ) {
      const page: LogPage = await publisher.read(`/api/signals/log?after=${after}&limit=4`);
      expect(page.count).toBe(page.items.length);
      entries.push(...page.items);
      after = page.next;
    }
    entries.forEach(({ record }, at) => {
      expect(isTrue(entries[at]!)).toBe(true);
      expect([record.n, record.prev]).toEqual([at, entries[at - 1]?.hash ?? NO_HASH]);
    });
    const [opened] = entries;
    expect(opened!.record).toMatchObject({ type: 'opened', realm: 'live', log: head.log, public_key: head.public_key });
    expect([head.n, head.hash]).toEqual([entries.length - 1, entries.at(-1)!.hash]);
    expect(verifyHead(head)).toBe(true);
    expect(await publisher.read<LogPage>(`/api/signals/log?after=${head.n}`)).toEqual({
      items: [],
      count: 0,
      next: null,
    });
  });
});

describe('publishers', () => {
  test('have a track record as soon as they have published a signal', async () => {
    const address = `/api/publishers/${encodeURIComponent(publisher.name)}`;
    expect(await codeOf(await publisher.get(address))).toEqual([404, 'publisher_not_found']);
    const won = await publisher.open(BUY, market);
    await publisher.published(LIMIT);
    await market.quote('EURUSD', 1.088, 1.0881);
    const { pnl_r } = await publisher.ended(won.id);
    const record = await publisher.read<PublisherDetail>(address);
    // Another account pushed the prices, and no pushed source is trusted by default.
    expect(record).toMatchObject({
      name: publisher.name,
      publisher: publisher.id,
      rank: null,
      status: 'unproven',
      decisions: 0,
      e_value: 1,
      signals: 2,
      active: 1,
      closed: 1,
      unranked: 1,
      total_r: 0,
      equity: [],
      instruments: [{ symbol: 'EURUSD', signals: 2, unranked: 1 }],
    });
    const { equity, equity_now, risk, months, instruments, progress, ...summary } = record;
    const { items } = await publisher.read<{ items: object[] }>('/api/publishers?limit=200');
    expect(items).toContainEqual(summary);
    const again = await publisher.read<PublisherDetail>(`/api/publishers/${publisher.id}`);
    expect(again).toEqual({ ...record, equity_now: again.equity_now });
    const csv = await (await publisher.get(`${address}/signals.csv`)).text();
    const [columns, pending, closed, ...rest] = csv.split('\r\n').map((line) => line.split(','));
    expect(columns).toEqual([...SIGNALS_CSV_COLUMNS]);
    expect(pending!.slice(2, 5)).toEqual(['EURUSD', 'buy', 'limit']);
    expect([closed![0], closed![15]]).toEqual([won.id, String(pnl_r)]);
    expect(rest).toEqual([['']]);
    expect(await (await publisher.get(`${address}/equity.csv`)).text()).toBe('at,r,total_r,open\r\n');
    expect(await codeOf(await publisher.get('/api/publishers/nobody/signals.csv'))).toEqual([
      404,
      'publisher_not_found',
    ]);
    expect(await codeOf(await publisher.get('/api/publishers/nobody/equity.csv'))).toEqual([
      404,
      'publisher_not_found',
    ]);
  });

  test('that push the prices of their own signals win nothing', async () => {
    const both = await TestPublisher.of(service, ['read', 'publish', 'ingest']);
    const { id } = await both.open(BUY, market);
    const tick = { symbol: 'EURUSD', time: Date.now() + 5, bid: 1.088, ask: 1.0881 };
    expect((await both.post('/ingest/ticks', JSON.stringify(tick))).status).toBe(200);
    expect(await both.ended(id)).toMatchObject({ close_reason: 'take_profit', self_sourced: true });
    expect(await both.read<PublisherDetail>(`/api/publishers/${both.id}`)).toMatchObject({
      closed: 1,
      unranked: 0,
      breakeven: 1,
      total_r: 0,
    });
  });
});
