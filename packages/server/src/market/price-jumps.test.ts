// Price jumps over a real socket: an unconfirmed one changes no signal and no price, and while it waits nothing can be
// published or closed. A confirmed one counts with its own time.
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { rmSync } from 'node:fs';
import {
  type ClosedRecord,
  FeedList,
  type IngestAnswer,
  type OhlcvBar,
  type PublishedRecord,
  type SymbolQuote,
} from '@tickwire/contract';
import { eventually } from '../../testing/process.fixture.ts';
import { BUY, codeOf, EURO, LIMIT, STOP, TestMarket, TestPublisher } from '../../testing/publisher.fixture.ts';
import { type RunningService, startService, temporaryFolder } from '../../testing/service.fixture.ts';
import { StreamClient } from '../../testing/stream-client.fixture.ts';

const SELL = { symbol: 'EURUSD', direction: 'sell', entry: 1.084, stop_loss: 1.0862, take_profit: 1.08 };
interface Proof {
  readonly published: { readonly record: PublishedRecord };
  readonly closed: { readonly record: ClosedRecord };
}
type Quote = [symbol: string, bid: number, ask: number];
/** 4.9 % above and below. */
const WICK_UP = ['EURUSD', 1.13712, 1.13724] satisfies Quote;
const WICK_DOWN = ['EURUSD', 1.03088, 1.031] satisfies Quote;

let data: string;
let service: RunningService;
let market: TestMarket;
let publisher: TestPublisher;
beforeEach(async () => {
  data = temporaryFolder();
  await start();
  await market.quote(...EURO);
});
afterEach(async () => {
  await service.stop();
  rmSync(data, { recursive: true, force: true });
});

async function start(): Promise<void> {
  service = await startService({ feeds: 'push', data });
  market = await TestMarket.of(service);
  publisher = await TestPublisher.of(service, ['read', 'publish', 'admin']);
}

async function publishAll(): Promise<string[]> {
  const ids: string[] = [];
  for (const terms of [BUY, SELL, LIMIT, STOP]) ids.push((await publisher.published(terms)).id);
  await market.quote(...EURO);
  return ids;
}

const currentBid = async (): Promise<number> => (await publisher.read<SymbolQuote>('/api/market/EURUSD/quote')).bid;
const quarantine = async (): Promise<number[]> =>
  FeedList.parse(await publisher.read('/api/feeds')).quarantine.map(({ price }) => price);
async function range(): Promise<[low: number, high: number]> {
  const { ohlcv } = await publisher.read<{ ohlcv: OhlcvBar[] }>('/api/market/EURUSD?timeframe=1m&bars=10');
  return [Math.min(...ohlcv.map(({ low }) => low)), Math.max(...ohlcv.map(({ high }) => high))];
}

describe('a wick of 4.9 % in a currency pair', () => {
  test('fills, stops and pays nothing, and is in no bar', async () => {
    const ids = await publishAll();
    for (const wick of [WICK_UP, WICK_DOWN]) {
      await market.held(...wick);
      expect(await currentBid()).toBe(1.084);
      await market.quote(...EURO);
    }
    // A fill is shown once it is stored.
    const isFilled = async (id: string): Promise<boolean> => (await publisher.detail(id)).filled_at !== null;
    for (const id of ids.slice(0, 2)) await eventually('the fill', () => isFilled(id));
    const details = await Promise.all(ids.map((id) => publisher.detail(id)));
    expect(details.map(({ status, filled_at }) => [status, filled_at !== null])).toEqual([
      ['active', true],
      ['active', true],
      ['active', false],
      ['active', false],
    ]);
    expect(await range()).toEqual([1.084, 1.084]);
    expect(await quarantine()).toEqual([1.13712, 1.03088]);
  });

  test('does so on one side of the quote alone too', async () => {
    const ids = await publishAll();
    await market.held('EURUSD', 1.084, 1.13724);
    await market.quote(...EURO);
    await market.held('EURUSD', 1.03088, 1.08412);
    await market.quote(...EURO);
    for (const id of ids) expect((await publisher.detail(id)).status).toBe('active');
  });

  test('does so however often it alternates with good quotes', async () => {
    const [buy, sell] = await publishAll();
    for (let times = 0; times < 20; times++) {
      await market.held(...(times % 2 === 0 ? WICK_UP : WICK_DOWN));
      await market.quote(...EURO);
    }
    for (const id of [buy!, sell!]) expect((await publisher.detail(id)).status).toBe('active');
  });
});

describe('while a jump waits', () => {
  test('nothing is published, closed or withdrawn; afterwards everything is', async () => {
    const [buy, , limit] = await publishAll();
    await market.held(...WICK_UP);
    const refused = [await publisher.publish(BUY), await publisher.publish(LIMIT)];
    refused.push(await publisher.close(buy!), await publisher.close(limit!));
    for (const response of refused) {
      expect(response.headers.get('retry-after')).toBe('1');
      expect(await codeOf(response)).toEqual([409, 'price_unconfirmed']);
    }
    // Other instruments are not concerned.
    await market.quote('GBPUSD', 1.29, 1.2901);
    await publisher.published({ ...BUY, symbol: 'GBPUSD', entry: 1.2901, stop_loss: 1.28, take_profit: 1.3 });
    await market.quote(...EURO);
    await publisher.published(BUY);
    await publisher.closed(limit!, market);
  });

  test('a bad tick before silence never enters, even across a restart', async () => {
    const [buy] = await publishAll();
    await market.held(...WICK_UP);
    await market.quote('GBPUSD', 1.29, 1.2901, Date.now() + 5_000);
    expect(await currentBid()).toBe(1.084);
    await service.stop();
    await start();
    expect(await currentBid()).toBe(1.084);
    // The last good quote is known from before.
    await market.held(...WICK_UP);
    await market.quote(...EURO);
    expect((await publisher.detail(buy!)).status).toBe('active');
    expect(await range()).toEqual([1.084, 1.084]);
  });
});

describe('a confirmed jump', () => {
  test('judges with its own time and is in the bars', async () => {
    const [buy, sell] = await publishAll();
    const time = Date.now() + 5;
    await market.held(...WICK_DOWN, time);
    expect((await publisher.detail(buy!)).status).toBe('active');
    await market.quote('EURUSD', 1.032, 1.0321, time + 5);
    const closed = await publisher.ended(buy!);
    expect(closed).toMatchObject({
      close_reason: 'stop_loss',
      closed_at: new Date(time).toISOString(),
      exit_price: 1.03088,
    });
    expect(await publisher.ended(sell!)).toMatchObject({ close_reason: 'take_profit', exit_price: 1.08 });
    expect([await range(), await quarantine()]).toEqual([[1.03088, 1.084], []]);
  });

  // The filter cannot know whether two quotes are independent, or whether a slow move is true. The log names the account
  // whose quote decided.
  test('may come from two accounts', async () => {
    const other = await TestMarket.of(service);
    const [buy] = await publishAll();
    const time = Date.now() + 5;
    await other.held(...WICK_UP, time);
    await market.quote(...WICK_UP, time + 5);
    expect(await publisher.ended(buy!)).toMatchObject({ close_reason: 'take_profit' });
    const { published, closed } = await publisher.read<Proof>(`/api/signals/${buy}/proof`);
    const sources = [published.record.quote.source, closed.record.decided.source];
    for (const source of sources) expect(source).toStartWith('push:pub_');
    expect(sources[0]).not.toBe(sources[1]);
  });

  test('is not needed for a move in steps below the limit', async () => {
    const [buy] = await publishAll();
    for (const factor of [1.014, 1.028, 1.042])
      await market.quote('EURUSD', Math.round(108_400 * factor) / 1e5, Math.round(108_412 * factor) / 1e5);
    expect(await publisher.ended(buy!)).toMatchObject({ close_reason: 'take_profit', exit_price: 1.088 });
  });
});

describe('a pushed jump', () => {
  const line = (bid: number, time: number) => JSON.stringify({ symbol: 'EURUSD', time, bid, ask: bid });
  const summaryOf = ({ accepted, rejected, rejected_count }: IngestAnswer): unknown => ({
    accepted,
    rejected: rejected.map(({ line, code, detail }) => [line, code, detail.includes('held')]),
    rejected_count,
  });

  test('is answered as held, confirmed or refuted, over HTTP and WebSocket', async () => {
    const { key } = await service.key('free', ['ingest']);
    const headers = { 'X-API-Key': key };
    const stream = await StreamClient.open(`${service.wsUrl}/ws/ingest`, key);
    const overHttp = async (body: string): Promise<unknown> =>
      (await fetch(`${service.url}/ingest/ticks`, { method: 'POST', body, headers })).json();
    const overStream = (body: string): Promise<unknown> => {
      stream.sendRaw(body);
      return stream.next();
    };
    let time = Date.now() - 1_000;
    const lines = (...bids: number[]): string => bids.map((bid) => line(bid, ++time)).join('\n');
    for (const push of [overHttp, overStream]) {
      const answer = async (...bids: number[]) => summaryOf((await push(lines(...bids))) as IngestAnswer);
      const held = { accepted: 1, rejected: [[2, 'spike', true]], rejected_count: 1 };
      const refuted = { accepted: 2, rejected: [[2, 'spike', false]], rejected_count: 1 };
      expect(await answer(1.084, 1.137)).toEqual(held);
      expect(await answer(1.084, 1.137, 1.084)).toEqual(refuted);
      expect(await answer(1.137, 1.137, 1.137)).toEqual({ accepted: 3, rejected: [], rejected_count: 0 });
      expect(await answer(1.137, 1.084)).toEqual(held);
      // Confirms the held line of the request before.
      expect(await answer(1.084)).toEqual({ accepted: 1, rejected: [], rejected_count: 0 });
    }
    stream.close();
  });

  test('is accepted if any later line of a long request confirms it', async () => {
    const { key } = await service.key('free', ['ingest']);
    const start = Date.now() - 10_000;
    // Processed in pieces of 2,000 lines. Every 100th line is a jump, also the last one of a piece.
    const body = Array.from({ length: 5_990 }, (_, index) =>
      line(Math.floor((index + 1) / 100) % 2 === 0 ? 1.084 : 1.137, start + index),
    ).join('\n');
    const response = await fetch(`${service.url}/ingest/ticks`, {
      method: 'POST',
      body,
      headers: { 'X-API-Key': key },
    });
    expect(await response.json()).toEqual({ accepted: 5_990, rejected: [], rejected_count: 0 });
  });

  test('does not confirm itself if the request is repeated', async () => {
    const { key } = await service.key('free', ['ingest']);
    const body = line(1.137, Date.now());
    for (let times = 0; times < 3; times++) {
      const response = await fetch(`${service.url}/ingest/ticks`, {
        method: 'POST',
        body,
        headers: { 'X-API-Key': key },
      });
      expect(await response.json()).toMatchObject({ accepted: 0, rejected_count: 1 });
    }
    expect(await currentBid()).toBe(1.084);
  });
});
