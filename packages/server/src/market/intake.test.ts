import { describe, expect, test } from 'bun:test';
import {
  asEpochMs,
  asSymbol,
  CATALOGUE,
  Engine,
  type FeedEvent,
  MINUTE_MS,
  type QuoteEvent,
  type TradeEvent,
} from '@tickwire/engine';
import type { Batch } from '../journal/journal.ts';
import { MemoryJournal } from '../journal/memory-journal.ts';
import { type Log, silentLog } from '../ops/log.ts';
import { Intake } from './intake.ts';
import { type HeldEvent, SpikeFilter } from './spike-filter.ts';

const NOW = Date.UTC(2026, 2, 2, 11, 24, 7);
const symbol = asSymbol('EURUSD');
const quote = (changes: Partial<QuoteEvent> = {}): QuoteEvent => ({
  kind: 'quote',
  symbol,
  time: asEpochMs(NOW),
  bid: 1.08412,
  ask: 1.08424,
  bidSize: 1,
  askSize: 2,
  ...changes,
});
const trade = (changes: Partial<TradeEvent> = {}): TradeEvent => ({
  kind: 'trade',
  symbol,
  time: asEpochMs(NOW),
  price: 1.08424,
  size: 0.5,
  side: 'buy',
  sideMethod: null,
  ...changes,
});

async function intakeWith(log: Log = silentLog): Promise<{ intake: Intake; batches: Batch[] }> {
  const journal = await MemoryJournal.open({ load: async () => 1, save: async () => {} }, silentLog);
  const batches: Batch[] = [];
  journal.subscribe((batch) => batches.push(batch));
  const engine = new Engine(CATALOGUE);
  const spikes = new SpikeFilter(null);
  const intake = new Intake({ instruments: CATALOGUE, engine, journal, log, spikes, now: () => NOW });
  return { intake, batches };
}

describe('Intake', () => {
  test('appends a batch of a feed as one batch of the journal', async () => {
    const { intake, batches } = await intakeWith();
    intake.accept([quote(), trade(), quote({ bid: 1.08413 })], 'feed');
    expect(batches).toHaveLength(1);
    expect(batches[0]!.events.map(({ kind }) => kind)).toEqual(['tick', 'flow', 'tick']);
    expect(intake.accepted).toBe(3);
  });

  test('records the source of each batch, and none for clock events', async () => {
    const { intake, batches } = await intakeWith();
    const time = asEpochMs(NOW - (NOW % MINUTE_MS) - MINUTE_MS);
    const bar = {
      time,
      open: 1,
      high: 1,
      low: 1,
      close: 1,
      volume: 1,
      bidVolume: 0,
      askVolume: 1,
      basis: 'trade',
    } as const;
    const [kraken, coinbase] = [intake.sinkFor('kraken'), intake.sinkFor('coinbase')];
    kraken.fill([{ kind: 'minute', symbol, bar }]);
    kraken.accept([quote()]);
    coinbase.accept([trade()]);
    intake.clock(NOW + MINUTE_MS);
    kraken.accept([quote({ time: asEpochMs(NOW + 1) })]);
    // Closed bars precede the event that closed them.
    expect(batches.map(({ source, events }) => [source, events.at(-1)!.kind])).toEqual([
      ['kraken', 'minute'],
      ['kraken', 'tick'],
      ['coinbase', 'flow'],
      ['', 'clock'],
      ['kraken', 'tick'],
    ]);
  });

  const REFUSED: [string, FeedEvent][] = [
    ['unknown_symbol', quote({ symbol: asSymbol('NOSUCH') })],
    ['unknown_symbol', { kind: 'disconnect', symbols: [asSymbol('NOSUCH')], time: asEpochMs(NOW) }],
    ['bad_price', quote({ bid: 0 })],
    ['bad_price', quote({ bid: Number.NaN })],
    ['bad_price', quote({ ask: Number.POSITIVE_INFINITY })],
    ['bad_price', trade({ price: -1 })],
    ['crossed_quote', quote({ bid: 1.08425 })],
    ['finer_than_digits', quote({ bid: 1.084121 })],
    ['finer_than_digits', trade({ price: 1.0842401 })],
    ['bad_size', quote({ bidSize: -1 })],
    ['bad_size', trade({ size: Number.NaN })],
    ['future_time', quote({ time: asEpochMs(NOW + 10_001) })],
    ['bad_time', quote({ time: (NOW + 0.5) as never })],
    ['bad_time', trade({ time: -1 as never })],
  ];
  test.each(REFUSED)('refuses an event with %s and accepts its neighbours', async (reason, event) => {
    const { intake, batches } = await intakeWith();
    intake.accept([quote(), event, trade()], 'feed');
    expect([...intake.refused]).toEqual([[reason as never, 1]]);
    expect(batches[0]!.events.map(({ kind }) => kind)).toEqual(['tick', 'flow']);
  });

  test('accepts a locked quote and a clock that is seconds ahead', async () => {
    const { intake } = await intakeWith();
    intake.accept([quote({ bid: 1.08424 }), quote({ time: asEpochMs(NOW + 9_000) })], 'feed');
    expect(intake.refused.size).toBe(0);
  });

  test('logs a refusal once a minute and counts every one', async () => {
    const lines: string[] = [];
    const { intake } = await intakeWith({ ...silentLog, warn: (message: string) => lines.push(message) } as Log);
    intake.sinkFor('feed').accept(Array.from({ length: 100 }, () => quote({ bid: 2 })));
    expect(lines).toHaveLength(1);
    expect(intake.refused.get('crossed_quote')).toBe(100);
  });

  describe('with a price jump', () => {
    const at = (ms: number, price: number): QuoteEvent => quote({ time: asEpochMs(NOW + ms), bid: price, ask: price });
    const pricesOf = (batches: readonly Batch[]): [string, number[]][] =>
      batches.map(({ source, events }) => [
        source,
        events.flatMap((event) => (event.kind === 'tick' ? event.bid : [])),
      ]);

    test('publishes nothing until a second quote confirms it, then everything with its own time and source', async () => {
      const { intake, batches } = await intakeWith();
      intake.accept([at(0, 1.08)], 'one');
      intake.accept([at(1, 1.13)], 'two');
      expect([intake.isQuarantined(symbol), intake.accepted, batches.length]).toEqual([true, 1, 1]);
      intake.accept([at(2, 1.131), at(3, 1.132)], 'one');
      expect([intake.isQuarantined(symbol), intake.accepted]).toEqual([false, 4]);
      expect(pricesOf(batches)).toEqual([
        ['one', [1.08]],
        ['two', [1.13]],
        ['one', [1.131, 1.132]],
      ]);
      expect(batches[1]!.events[0]).toMatchObject({ kind: 'tick', time: NOW + 1 });
      expect(intake.refused.size).toBe(0);
    });

    test('counts it as a spike when a later quote refutes it, or when the service stops', async () => {
      const lines: string[] = [];
      const { intake, batches } = await intakeWith({
        ...silentLog,
        warn: (message: string) => lines.push(message),
      } as Log);
      intake.accept([at(0, 1.08), at(1, 1.13)], 'feed');
      expect(intake.refused.size).toBe(0);
      intake.accept([at(2, 1.08), at(3, 1.03)], 'feed');
      expect([...intake.refused]).toEqual([['spike', 1]]);
      intake.stop();
      expect([...intake.refused]).toEqual([['spike', 2]]);
      expect(pricesOf(batches).flatMap(([, prices]) => prices)).toEqual([1.08, 1.08]);
      expect(lines.map((line) => line.slice(0, line.indexOf(':')))).toEqual(['tick held', 'tick refused']);
    });

    test('reports it as held, and its outcome when that is known', async () => {
      const { intake } = await intakeWith();
      const waiting: HeldEvent[] = [];
      const report = {
        refused: () => {
          throw new Error('nothing is refused at once');
        },
        held: (_index: number, held: HeldEvent) => waiting.push(held),
      };
      const outcomes = (...events: QuoteEvent[]): string[] => {
        intake.accept(events, 'feed', report);
        return waiting.map(({ outcome }) => outcome);
      };
      expect(outcomes(at(0, 1.08), at(1, 1.13))).toEqual(['held']);
      expect(outcomes(at(2, 1.08), at(3, 1.13))).toEqual(['dropped', 'held']);
      expect(outcomes(at(4, 1.13), at(5, 1.13))).toEqual(['dropped', 'released']);
      expect([intake.accepted, intake.refused.get('spike')]).toEqual([5, 1]);
    });

    test('amends the bar of its own minute, if the minute has ended meanwhile', async () => {
      const { intake, batches } = await intakeWith();
      const minute = asEpochMs(NOW - (NOW % MINUTE_MS));
      intake.accept([quote({ time: minute, bid: 1.08, ask: 1.08 }), at(0, 1.13)], 'feed');
      intake.clock(minute + MINUTE_MS);
      intake.accept([at(5_000, 1.131)], 'feed');
      const bars = batches
        .flatMap(({ events }) => events)
        .filter((event) => event.kind === 'bar' && event.timeframe === '1m');
      expect(bars.map((event) => event.kind === 'bar' && [event.bar.time, event.bar.high, event.amended])).toEqual([
        [minute, 1.08, false],
        [minute, 1.13, true],
        [minute, 1.131, true],
      ]);
    });
  });
});
