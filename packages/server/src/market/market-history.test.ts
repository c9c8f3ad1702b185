// The newest bars: when the response changes and when it does not, and that gzip always gives the same text.
import { describe, expect, test } from 'bun:test';
import { type MarketQuery, MarketResponse, OhlcvBarDetail } from '@tickwire/contract';
import { asEpochMs, asSymbol, type Bar, CATALOGUE, MINUTE_MS, type TickEvent } from '@tickwire/engine';
import type { ApiResponse } from '../http/handler.ts';
import { MarketHistory } from './market-history.ts';
import { MarketView } from './market-view.ts';

const START = Date.UTC(2026, 10, 10, 12);
const EURUSD = asSymbol('EURUSD');
const XAUUSD = asSymbol('XAUUSD');
const QUERY = { timeframe: '1m', bars: 500, detail: false } as const;

const barAt = (index: number): Bar => ({
  time: asEpochMs(START + index * MINUTE_MS),
  open: 1.1 + index / 100_000,
  high: 1.2,
  low: 1,
  close: 1.15,
  volume: index,
  bidVolume: index / 4,
  askVolume: (index * 3) / 4,
  basis: 'bid',
});

function market(bars: number) {
  const view = new MarketView(CATALOGUE);
  const end = START + bars * MINUTE_MS;
  view.restore(EURUSD, { '1m': Array.from({ length: bars }, (_, index) => barAt(index)) }, asEpochMs(end));
  const responses = new MarketHistory({
    market: view,
    history: { bars: async () => [] },
    startedAt: START,
    position: () => null,
  });
  const ask = (query: Partial<MarketQuery> = {}): ApiResponse =>
    responses.of(EURUSD, { ...QUERY, ...query }) as ApiResponse;
  const tick = (after: number, bid: number, symbol = EURUSD): void => {
    const event: TickEvent = {
      kind: 'tick',
      symbol,
      time: asEpochMs(end + after),
      bid,
      ask: bid + 0.0001,
      bidSize: 0,
      askSize: 0,
      volume: 1,
    };
    view.read({ events: [event] } as never);
  };
  const clock = (after: number): void =>
    view.read({ events: [{ kind: 'clock', time: asEpochMs(end + after) }] } as never);
  return { ask, tick, clock };
}

const unpacked = ({ gzip }: ApiResponse): string => new TextDecoder().decode(Bun.gunzipSync(gzip!()));
const barsOf = ({ body }: ApiResponse) => MarketResponse.parse(JSON.parse(body as string)).ohlcv;

describe('the newest bars', () => {
  test('are the same response until the instrument changes', () => {
    const { ask, tick, clock } = market(500);
    tick(1_000, 1.1);
    const first = ask();
    tick(2_000, 2_000, XAUUSD);
    clock(3_000);
    expect(ask()).toBe(first);
    tick(4_000, 1.1);
    const second = ask();
    expect(second.tag).not.toBe(first.tag);
    expect(second.body).not.toBe(first.body);
  });

  test('are a new response when the clock closes a bar', () => {
    const { ask, tick, clock } = market(5);
    tick(1_000, 1.1);
    const { tag } = ask();
    clock(MINUTE_MS);
    expect(ask().tag).not.toBe(tag);
  });

  test('are a different response for a different number of bars', () => {
    const { ask } = market(500);
    expect([barsOf(ask({ bars: 100 })).length, barsOf(ask()).length]).toEqual([100, 500]);
  });

  test('decompress to the same text while bars form and close and the requested number changes', () => {
    const { ask, tick, clock } = market(510);
    for (let step = 1; step < 40; step++) {
      tick(step * 10_000, 1.1 + step / 1_000);
      if (step % 7 === 0) clock(step * 10_000 + MINUTE_MS);
      const response = ask({ bars: 200 + (step % 3) });
      expect(unpacked(response)).toBe(response.body as string);
      expect(barsOf(response)).toHaveLength(200 + (step % 3));
    }
  });

  test('are a complete response without bars or with only the forming one', () => {
    const { ask, tick } = market(0);
    expect(JSON.parse(ask().body as string)).toEqual({ symbol: 'EURUSD', timeframe: '1m', ohlcv: [], quote: null });
    tick(1_000, 1.1);
    expect(barsOf(ask())).toHaveLength(1);
  });

  test('have taker volumes with detail and are otherwise the same, while bars form, close and are corrected', () => {
    const { ask, tick, clock } = market(510);
    for (let step = 1; step < 30; step++) {
      tick(step * 10_000, 1.1 + step / 1_000);
      if (step % 7 === 0) clock(step * 10_000 + MINUTE_MS);
      const [plain, detailed] = [ask({ bars: 300 }), ask({ bars: 300, detail: true })];
      expect(unpacked(detailed)).toBe(detailed.body as string);
      expect(detailed.tag).not.toBe(plain.tag);
      const bars = barsOf(detailed).map((bar) => OhlcvBarDetail.parse(bar));
      expect(bars.map(({ bid_volume: _bid, ask_volume: _ask, ...rest }) => rest)).toEqual(barsOf(plain));
      expect(plain.body).not.toContain('bid_volume');
      expect(ask({ bars: 300 })).toBe(plain);
    }
    const [first] = barsOf(ask({ bars: 500, detail: true }));
    const index = (Date.parse(first!.time) - START) / MINUTE_MS;
    expect(first).toMatchObject({ volume: index, bid_volume: index / 4, ask_volume: (index * 3) / 4 });
  });

  test('without trades have taker volumes of zero', () => {
    const { ask, tick } = market(0);
    tick(1_000, 1.1);
    expect(barsOf(ask({ detail: true }))).toMatchObject([{ bid_volume: 0, ask_volume: 0 }]);
  });
});
