import { describe, expect, test } from 'bun:test';
import {
  asEpochMs,
  asSymbol,
  CATALOGUE,
  DAY_MS,
  fitsDigits,
  type InstrumentSpec,
  type PriceEvent,
  type QuoteEvent,
} from '@tickwire/engine';
import fc from 'fast-check';
import { SimMarket, type SimOptions } from './sim-market.ts';

const START = Date.parse('2026-05-06T12:00:00Z');
const at = (offset: number) => asEpochMs(START + offset);
const market = (options: Partial<SimOptions> = {}, specs: readonly InstrumentSpec[] = CATALOGUE): SimMarket =>
  new SimMarket(specs, { seed: 7, rate: 50, hours: 'always', ...options });
const quotesOf = (events: readonly PriceEvent[], symbol: string): QuoteEvent[] =>
  events.filter((event) => event.kind === 'quote' && event.symbol === symbol) as QuoteEvent[];

describe('SimMarket', () => {
  test('gives the same events whatever was read before', () => {
    const steady = market({ rate: 400 });
    const jumping = market({ rate: 400 });
    for (const offset of [DAY_MS, -3_600_000, 30_000, 100_000, 95_017]) jumping.collect(at(offset), at(offset + 40));
    const whole = steady.collect(at(0), at(120_000));
    expect(jumping.collect(at(90_000), at(120_000))).toEqual(whole.filter((event) => event.time >= at(90_000)));
    expect([...jumping.events(at(0), at(120_000))]).toEqual(whole);
  });

  test('continues like a new instance from any time', () => {
    const worn = market({ rate: 600, hours: 'real' });
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 7 * DAY_MS }), fc.integer({ min: 1, max: 2500 }), (from, length) => {
        const fresh = market({ rate: 600, hours: 'real' });
        expect(worn.collect(at(from), at(from + length))).toEqual(fresh.collect(at(from), at(from + length)));
      }),
    );
  });

  test('gives the same events for a period in one piece or in several', () => {
    const whole = market({ rate: 1000 }).collect(at(0), at(3000));
    const pieces = market({ rate: 1000 });
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 3000 }), { maxLength: 30 }), (cuts) => {
        const edges = [0, ...cuts.sort((a, b) => a - b), 3000];
        const events: PriceEvent[] = [];
        for (let piece = 1; piece < edges.length; piece++)
          pieces.collect(at(edges[piece - 1]!), at(edges[piece]!), events);
        expect(events).toEqual(whole);
      }),
      { numRuns: 40 },
    );
  });

  test('gives other events for another seed', () => {
    expect(market({ seed: 8 }).collect(at(0), at(1000))).not.toEqual(market().collect(at(0), at(1000)));
  });

  test('gives events in the order of time, within the requested period', () => {
    let last = 0;
    for (const { time } of market({ rate: 3000 }).events(at(17), at(10_003))) {
      expect(time).toBeGreaterThanOrEqual(Math.max(last, at(17)));
      expect(time).toBeLessThan(at(10_003));
      expect(Number.isInteger(time)).toBe(true);
      last = time;
    }
  });

  test('has bids below asks, valid digits, and trades at the current bid or ask', () => {
    const digits = new Map(CATALOGUE.map((spec) => [spec.symbol, spec.digits]));
    const standing = new Map<string, QuoteEvent>();
    for (const event of market({ rate: 2000 }).events(at(0), at(20_000))) {
      const fits = (price: number) => fitsDigits(price, digits.get(event.symbol)!);
      if (event.kind === 'quote') {
        standing.set(event.symbol, event);
        if (!(event.bid > 0 && event.bid < event.ask && fits(event.bid) && fits(event.ask))) expect(event).toBeNull();
        if (!(event.bidSize > 0 && event.askSize > 0)) expect(event).toBeNull();
      } else {
        const quote = standing.get(event.symbol)!;
        expect(event.price).toBe(event.side === 'buy' ? quote.ask : quote.bid);
        expect(event.size).toBeGreaterThan(0);
        expect(fitsDigits(event.size, 5)).toBe(true);
      }
    }
    expect(standing.size).toBe(CATALOGUE.length);
  });

  test.each([50, 20_000])('gives %d quotes per second as requested, with one trade for every two', (rate) => {
    const seconds = rate > 1000 ? 20 : 600;
    let quotes = 0;
    let trades = 0;
    for (const event of market({ rate }).events(at(0), at(seconds * 1000)))
      event.kind === 'quote' ? quotes++ : trades++;
    expect(Math.abs(quotes / seconds / rate - 1)).toBeLessThan(0.1);
    expect(Math.abs(trades / quotes - 0.5)).toBeLessThan(0.05);
  });

  test('prices a cross as the product of its pairs, within a spread', () => {
    const events = market({ rate: 2000 }).collect(at(0), at(30_000));
    const middle = (symbol: string): number => {
      const quotes = quotesOf(events, symbol);
      return quotes.reduce((sum, { bid, ask }) => sum + (bid + ask) / 2, 0) / quotes.length;
    };
    expect(Math.abs(middle('EURUSD') * middle('USDJPY') - middle('EURJPY'))).toBeLessThan(0.01);
    expect(Math.abs(middle('EURUSD') / middle('GBPUSD') - middle('EURGBP'))).toBeLessThan(0.0001);
  });

  test('has no jumps between quotes', () => {
    const quotes = quotesOf(market().collect(at(0), at(1_800_000)), 'EURUSD');
    for (let place = 1; place < quotes.length; place++)
      expect(Math.abs(quotes[place]!.bid - quotes[place - 1]!.bid)).toBeLessThan(0.0006);
  });

  test('moves each class as much per day as its real market', () => {
    const sim = market();
    const dailyPercent = (symbol: string): number => {
      const days = 10;
      let squares = 0;
      for (let minute = 0; minute < days * 1440; minute++) {
        const from = sim.midPrice(asSymbol(symbol), at(minute * 60_000));
        squares += Math.log(sim.midPrice(asSymbol(symbol), at((minute + 1) * 60_000)) / from) ** 2;
      }
      return Math.sqrt(squares / days) * 100;
    };
    for (const [symbol, low, high] of [
      ['EURUSD', 0.4, 0.8],
      ['XAUUSD', 0.7, 1.4],
      ['BTCUSD', 2.2, 4],
      ['US500', 0.7, 1.4],
    ] as const) {
      const vol = dailyPercent(symbol);
      expect(vol).toBeGreaterThan(low);
      expect(vol).toBeLessThan(high);
    }
  });

  test('trades only coins on a Saturday and everything on a Wednesday afternoon with real hours', () => {
    const sim = market({ hours: 'real', rate: 500 });
    const saturday = asEpochMs(Date.parse('2026-05-09T12:00:00Z'));
    const types = new Map(CATALOGUE.map((spec) => [spec.symbol, spec.type]));
    const weekend = sim.collect(saturday, asEpochMs(saturday + 20_000));
    expect(new Set(weekend.map((event) => types.get(event.symbol)))).toEqual(new Set(['crypto']));
    expect(new Set(sim.collect(at(0), at(20_000)).map((event) => event.symbol)).size).toBe(CATALOGUE.length);
  });

  test('sometimes has absorption: large trades of one side at a stable price', () => {
    const sim = market({ rate: 200 });
    const windows = new Map<string, { sold: number; bought: number }>();
    for (const event of sim.events(at(0), at(1_800_000))) {
      if (event.kind !== 'trade' || event.symbol !== 'XAUUSD') continue;
      const key = `${Math.floor(event.time / 45_000)}`;
      const flow = windows.get(key) ?? { sold: 0, bought: 0 };
      if (event.side === 'buy') flow.bought += event.size;
      else flow.sold += event.size;
      windows.set(key, flow);
    }
    const flows = [...windows.values()];
    const usual = flows.map(({ sold, bought }) => sold + bought).sort((a, b) => a - b)[flows.length >> 1]!;
    const absorbed = flows.filter(
      ({ sold, bought }) => sold + bought > 2.5 * usual && Math.abs(bought - sold) > 0.5 * (sold + bought),
    );
    expect(absorbed.length).toBeGreaterThan(0);
    expect(absorbed.length).toBeLessThan(flows.length / 4);
  });

  test('gives unknown instruments a market, always the same', () => {
    const spec = (symbol: string, type: InstrumentSpec['type'], digits: number): InstrumentSpec => ({
      ...CATALOGUE[0]!,
      symbol: asSymbol(symbol),
      type,
      digits,
    });
    const specs = [
      spec('ACME', 'equity', 2),
      spec('PEPEUSDT', 'crypto', 8),
      spec('BTCEUR', 'crypto', 2),
      spec('TOSTRING', 'index', 0),
      spec('USDTRY', 'forex', 5),
      spec('XPTUSD', 'metal', 2),
      spec('COAL', 'energy', 0),
    ];
    const events = market({}, specs).collect(at(0), at(10_000));
    expect(events).toEqual(market({}, specs).collect(at(0), at(10_000)));
    for (const { symbol } of specs) expect(quotesOf(events, symbol).length).toBeGreaterThan(5);
    const [btceur] = quotesOf(events, 'BTCEUR');
    const sim = market();
    const expected = sim.midPrice(asSymbol('BTCUSD'), btceur!.time) / sim.midPrice(asSymbol('EURUSD'), btceur!.time);
    expect(Math.abs(btceur!.bid / expected - 1)).toBeLessThan(0.001);
  });
});
