import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { Engine } from './engine.ts';
import type { Bar, EngineEvent, EngineInput, Side } from './events.ts';
import { asSymbol, type InstrumentSpec } from './instrument.ts';
import { asEpochMs } from './time.ts';

const T0 = Date.UTC(2026, 0, 5, 23, 58);
const spec = (code: string): InstrumentSpec => ({
  symbol: asSymbol(code),
  name: code,
  type: 'forex',
  pipSize: 0.0001,
  digits: 5,
  contractSize: 100_000,
  marginRate: 0.03,
  minLot: 0.01,
  maxLot: 100,
  hours: 'always',
});
const INSTRUMENTS = [spec('EURUSD'), spec('GBPUSD')];

const inputs = fc
  .array(
    fc.record({
      step: fc.integer({ min: 0, max: 40_000 }),
      kind: fc.constantFrom('quote', 'trade', 'clock'),
      code: fc.constantFrom('EURUSD', 'GBPUSD'),
      price: fc.integer({ min: 100_000, max: 120_000 }),
      size: fc.integer({ min: 1, max: 99 }),
      side: fc.constantFrom<Side>('buy', 'sell'),
    }),
    { maxLength: 150 },
  )
  .map((list) => {
    let at = T0;
    return list.map(({ step, kind, code, price, size, side }): EngineInput => {
      at += step;
      const time = asEpochMs(at);
      const symbol = asSymbol(code);
      const bid = price / 1e5;
      if (kind === 'clock') return { kind, time };
      if (kind === 'trade') return { kind, symbol, time, price: bid, size, side, sideMethod: null };
      return { kind: 'quote', symbol, time, bid, ask: bid + 1e-5, bidSize: size, askSize: size };
    });
  });

function run(events: readonly EngineInput[]): EngineEvent[] {
  const engine = new Engine(INSTRUMENTS);
  const out: EngineEvent[] = [];
  for (const event of events) engine.apply(event, out);
  return out;
}

describe('engine', () => {
  test('gives byte-identical output for a replay', () => {
    fc.assert(fc.property(inputs, (events) => expect(JSON.stringify(run(events))).toBe(JSON.stringify(run(events)))));
  });

  test('keeps instruments independent of each other', () => {
    fc.assert(
      fc.property(inputs, (events) => {
        const alone = events.filter(
          (event) => event.kind === 'clock' || ('symbol' in event && event.symbol === 'EURUSD'),
        );
        const of = (list: EngineEvent[]) => list.filter((event) => 'symbol' in event && event.symbol === 'EURUSD');
        expect(of(run(alone))).toEqual(of(run(events)));
      }),
    );
  });

  test('emits one tick per quote and one flow event per trade, in order', () => {
    fc.assert(
      fc.property(inputs, (events) => {
        const expected = events.filter((e) => e.kind !== 'clock').map((e) => (e.kind === 'quote' ? 'tick' : 'flow'));
        const kinds: string[] = run(events).map((event) => event.kind);
        expect(kinds.filter((kind) => kind === 'tick' || kind === 'flow')).toEqual(expected);
      }),
    );
  });

  test('sets the volume of a tick to the size traded since the previous tick, once the feed has delivered a trade', () => {
    const symbol = asSymbol('EURUSD');
    const quote = (bidSize: number): EngineInput => ({
      kind: 'quote',
      symbol,
      time: asEpochMs(T0),
      bid: 1,
      ask: 2,
      bidSize,
      askSize: 1,
    });
    const trade = (size: number): EngineInput => ({
      kind: 'trade',
      symbol,
      time: asEpochMs(T0),
      price: 1,
      size,
      side: 'buy',
      sideMethod: null,
    });
    const ticks = run([quote(0), quote(7), trade(0.1), trade(0.2), quote(7), quote(7)]).filter(
      (e) => e.kind === 'tick',
    );
    expect(ticks.map((tick) => tick.volume)).toEqual([1, 7, 0.3, 0]);
  });

  test('forwards a partial minute bar without changing bars or order flow', () => {
    const bar: Bar = {
      time: asEpochMs(T0),
      open: 1,
      high: 2,
      low: 1,
      close: 2,
      volume: 9,
      bidVolume: 4,
      askVolume: 5,
      basis: 'trade',
      partial: true,
    };
    const minute: EngineInput = { kind: 'minute', symbol: asSymbol('EURUSD'), bar };
    fc.assert(
      fc.property(inputs, fc.nat(150), (events, at) => {
        const out = run(events.toSpliced(at, 0, minute));
        expect(out.filter((event) => event === minute)).toHaveLength(1);
        expect(out.filter((event) => event !== minute)).toEqual(run(events));
      }),
    );
  });
});
