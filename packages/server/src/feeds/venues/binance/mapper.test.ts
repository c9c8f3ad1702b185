import { describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { asEpochMs, asSymbol, type QuoteEvent, type TradeEvent } from '@tickwire/engine';
import { gunzipSync } from 'bun';
import { check, fuzz } from '../mapper-fuzz.fixture.ts';
import { rawMessages, realData } from '../real-data.fixture.ts';
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

describe('Binance messages', () => {
  test('a trade whose buyer was the maker is a sale of the taker, at the time of the trade', () => {
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

  test('a quote has our time until trades have shown the venue’s, then that', () => {
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

  test('raw streams, without the wrapping, are read as well', () => {
    expect(mapped(TRADE.data).events).toHaveLength(1);
    expect(mapped(QUOTE.data).events).toHaveLength(1);
  });

  test('answers to requests are told apart by their ids', () => {
    expect(mapped({ result: null, id: 7 }).answers).toEqual([{ request: '7', error: null }]);
    expect(mapped({ error: { code: 2, msg: 'Invalid request' }, id: 7 }).answers).toEqual([
      { request: '7', error: '{"code":2,"msg":"Invalid request"}' },
    ]);
    expect(mapped({ code: 1, msg: 'Invalid value type', id: 7 }).answers?.[0]?.error).toContain('Invalid value');
  });

  test('a shutdown that is announced ends the connection at once', () => {
    const message = { stream: '!serverShutdown', data: { e: 'serverShutdown', E: 1_770_123_456_789 } };
    expect(mapped(message).leaving).toBe('the server is about to shut down');
  });

  test('what is wrong has a name', () => {
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

  test('nothing makes it throw', () => {
    fuzz(() => binanceMapper(SYMBOLS), [TRADE, QUOTE, { result: null, id: 1 }]);
  });
});

describe('real messages', () => {
  test.skipIf(!realData('messages'))('every one is mapped or refused by name', async () => {
    const messages = await rawMessages('binance', 'binance');
    expect(messages.length).toBeGreaterThan(50);
    const seen = { quote: 0, trade: 0, refused: 0, answers: 0 };
    for (const message of messages) {
      const result = mapped(message);
      check(result);
      for (const { kind } of result.events) seen[kind]++;
      seen.refused += result.complaints.length;
      seen.answers += result.answers?.length ?? 0;
      expect(result.events.length + result.complaints.length + (result.answers?.length ?? 0)).toBe(1);
    }
    // Of barter-rs' five trades one has the side "yes", and two met an insurance fund or a liquidation.
    expect(seen).toMatchObject({ trade: 2, answers: 1 });
    expect(seen.quote).toBeGreaterThanOrEqual(3);
  });

  const folder = realData('binance-spot');
  test.skipIf(!folder)('the recording gives every trade once, and quotes on the venue’s clock', async () => {
    for (const name of ['btcusdt', 'ethusdt']) {
      const packed = await Bun.file(join(folder!, `${name}_20240808.gz`)).bytes();
      const map = binanceMapper(SYMBOLS);
      const trades: TradeEvent[] = [];
      const quotes: QuoteEvent[] = [];
      let latest = 0;
      for (const line of new TextDecoder().decode(gunzipSync(packed)).split('\n')) {
        const space = line.indexOf(' ');
        if (space < 0) continue;
        const result = map(line.slice(space + 1), Math.floor(Number(line.slice(0, space)) / 1e6));
        check(result);
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
