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
  const intake = new Intake({ instruments: CATALOGUE, engine: new Engine(CATALOGUE), journal, log, now: () => NOW });
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
});
