import { describe, expect, test } from 'bun:test';
import { asEpochMs, asSymbol, type QuoteEvent, type TradeEvent } from '@tickwire/engine';
import { gunzipSync } from 'bun';
import { checkMapped, fuzzMapper } from '../../../../../testing/feeds/mapper-fuzz.fixture.ts';
import { rawMessages } from '../../../../../testing/feeds/recorded-messages.fixture.ts';
import { recording } from '../../../../../testing/shared-data.fixture.ts';
import { binanceMapper } from './mapper.ts';

const SYMBOLS = new Map(['BTCUSDT', 'ETHUSDT'].map((name) => [name, asSymbol(name)]));
const LOCAL = 1_723_161_254_087;
const TRADE = {
  stream: 'btcusdt@trade',
  data: {
    e: 'trade',
    E: 1_723_161_255_343,
    s: 'BTCUSDT',
    t: 3_735_683_259,
    p: '61837.63000000',
    q: '0.02000000',
    T: 1_723_161_255_342,
    m: true,
    M: true,
  },
};
const QUOTE = {
  stream: 'btcusdt@bookTicker',
  data: { u: 50_093_239_212, s: 'BTCUSDT', b: '61837.63000000', B: '3.78826000', a: '61837.64000000', A: '1.54698000' },
};
const mapped = (message: unknown, map = binanceMapper(SYMBOLS)) => map(JSON.stringify(message), LOCAL);

describe('binanceMapper', () => {
  test('maps a trade whose buyer was the maker to a sell, at the time of the trade', () => {
    expect(mapped(TRADE).events).toEqual([
      {
        kind: 'trade',
        symbol: asSymbol('BTCUSDT'),
        time: asEpochMs(1_723_161_255_342),
        price: 61_837.63,
        size: 0.02,
        side: 'sell',
        sideMethod: null,
        id: 3_735_683_259,
      },
    ]);
    expect(mapped({ ...TRADE, data: { ...TRADE.data, m: false } }).events[0]).toMatchObject({ side: 'buy' });
  });

  test('dates quotes by local time until trades show the venue’s clock', () => {
    const map = binanceMapper(SYMBOLS);
    expect(mapped(QUOTE, map).events).toEqual([
      {
        kind: 'quote',
        symbol: asSymbol('BTCUSDT'),
        time: asEpochMs(LOCAL),
        bid: 61_837.63,
        ask: 61_837.64,
        bidSize: 3.78826,
        askSize: 1.54698,
      },
    ]);
    mapped(TRADE, map);
    expect(mapped(QUOTE, map).events[0]?.time).toBe(asEpochMs(TRADE.data.E));
  });

  test('accepts raw streams without the wrapper', () => {
    expect(mapped(TRADE.data).events).toHaveLength(1);
    expect(mapped(QUOTE.data).events).toHaveLength(1);
  });

  test('reports replies under the ids of their requests', () => {
    expect(mapped({ result: null, id: 7 }).replies).toEqual([{ request: '7', error: null }]);
    expect(mapped({ error: { code: 2, msg: 'Invalid request' }, id: 7 }).replies).toEqual([
      { request: '7', error: '{"code":2,"msg":"Invalid request"}' },
    ]);
    expect(mapped({ code: 1, msg: 'Invalid value type', id: 7 }).replies?.[0]?.error).toContain('Invalid value');
  });

  test('asks to close the connection before an announced shutdown', () => {
    const message = { stream: '!serverShutdown', data: { e: 'serverShutdown', E: 1_770_123_456_789 } };
    expect(mapped(message).closing).toBe('the server is about to shut down');
  });

  test('names every problem', () => {
    const spoilt = (change: object) => mapped({ ...TRADE, data: { ...TRADE.data, ...change } }).complaints[0];
    expect(spoilt({ m: 'yes' })).toStartWith('trade without side: ');
    expect(spoilt({ p: '0.00000000' })).toStartWith('trade without price: ');
    expect(spoilt({ q: '-1' })).toStartWith('trade without size: ');
    expect(spoilt({ t: '12' })).toStartWith('trade without id: ');
    expect(spoilt({ T: 1_723_161_255_342_123 })).toStartWith('trade without time: ');
    expect(spoilt({ s: 'LUNAUSDT' })).toBe('unknown symbol: LUNAUSDT');
    expect(spoilt({ e: 'aggTrade' })).toBe('unknown event: aggTrade');
    expect(spoilt({ X: 'INSURANCE_FUND' })).toBe('not a market trade: INSURANCE_FUND');
    expect(mapped({ ...QUOTE, data: { ...QUOTE.data, b: '' } }).complaints[0]).toStartWith('quote without price: ');
    expect(binanceMapper(SYMBOLS)('pong', LOCAL).complaints).toEqual(['not a JSON object: pong']);
  });

  test('never throws', () => {
    fuzzMapper(() => binanceMapper(SYMBOLS), [TRADE, QUOTE, { result: null, id: 1 }]);
  });
});

describe('real messages', () => {
  test('maps or rejects every one by name', async () => {
    const messages = await rawMessages('binance', 'binance');
    expect(messages.length).toBeGreaterThan(50);
    const seen = { quote: 0, trade: 0, rejected: 0, replies: 0 };
    for (const message of messages) {
      const result = mapped(message);
      checkMapped(result);
      for (const { kind } of result.events) seen[kind]++;
      seen.rejected += result.complaints.length;
      seen.replies += result.replies?.length ?? 0;
      expect(result.events.length + result.complaints.length + (result.replies?.length ?? 0)).toBe(1);
    }
    // Of barter-rs' five trades one has the side "yes", and two met an insurance fund or a liquidation.
    expect(seen).toMatchObject({ trade: 2, replies: 1 });
    expect(seen.quote).toBeGreaterThanOrEqual(3);
  });

  test('maps every trade of the recording once, and quotes on the venue’s clock', async () => {
    for (const name of ['btcusdt', 'ethusdt']) {
      const packed = await Bun.file(recording(`binance-spot/${name}_20240808.gz`)).bytes();
      const map = binanceMapper(SYMBOLS);
      const trades: TradeEvent[] = [];
      const quotes: QuoteEvent[] = [];
      let latest = 0;
      for (const line of new TextDecoder().decode(gunzipSync(packed)).split('\n')) {
        const space = line.indexOf(' ');
        if (space < 0) continue;
        const result = map(line.slice(space + 1), Math.floor(Number(line.slice(0, space)) / 1e6));
        checkMapped(result);
        for (const event of result.events) {
          if (event.kind === 'trade') trades.push(event);
          else {
            expect(event.time).toBeGreaterThanOrEqual(latest);
            quotes.push(event);
          }
          latest = Math.max(latest, event.time);
        }
      }
      const ids = trades.map((trade) => trade.id!);
      expect(ids.length).toBeGreaterThan(1_000);
      expect(ids).toEqual(ids.map((_, index) => ids[0]! + index));
      expect(quotes.every(({ bid, ask }) => bid < ask)).toBe(true);
      // Our clock was 1.27 s behind: quotes are moved by that, so the last of each kind lie close together.
      expect(Math.abs(quotes.at(-1)!.time - trades.at(-1)!.time)).toBeLessThan(1_000);
    }
  });
});
