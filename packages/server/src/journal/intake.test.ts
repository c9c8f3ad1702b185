import { describe, expect, test } from 'bun:test';
import {
  asEpochMs,
  asSymbol,
  CATALOGUE,
  Engine,
  type FeedEvent,
  type QuoteEvent,
  type TradeEvent,
} from '@tickwire/engine';
import { type Log, silentLog } from '../ops/log.ts';
import { Intake } from './intake.ts';
import type { Batch } from './journal.ts';
import { MemoryJournal } from './memory-journal.ts';

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

describe('the intake', () => {
  test('a batch of a feed is one batch of the journal', async () => {
    const { intake, batches } = await intakeWith();
    intake.accept([quote(), trade(), quote({ bid: 1.08413 })], 'feed');
    expect(batches).toHaveLength(1);
    expect(batches[0]!.events.map(({ kind }) => kind)).toEqual(['tick', 'flow', 'tick']);
    expect(intake.accepted).toBe(3);
  });

  test('a batch carries the source it came from; what the clock brings about carries none', async () => {
    const { intake, batches } = await intakeWith();
    const time = asEpochMs(NOW - (NOW % 60_000) - 60_000);
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
    const [kraken, coinbase] = [intake.from('kraken'), intake.from('coinbase')];
    kraken.fill([{ kind: 'minute', symbol, bar }]);
    kraken.accept([quote()]);
    coinbase.accept([trade()]);
    intake.clock(NOW + 60_000);
    kraken.accept([quote({ time: asEpochMs(NOW + 1) })]);
    // Bars that close go before what closed them.
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
  test.each(REFUSED)('%s: the event is refused by name, those around it are not', async (reason, event) => {
    const { intake, batches } = await intakeWith();
    intake.accept([quote(), event, trade()], 'feed');
    expect([...intake.refused]).toEqual([[reason as never, 1]]);
    expect(batches[0]!.events.map(({ kind }) => kind)).toEqual(['tick', 'flow']);
  });

  test('a locked market (bid equals ask) and a clock that is seconds ahead are fine', async () => {
    const { intake } = await intakeWith();
    intake.accept([quote({ bid: 1.08424 }), quote({ time: asEpochMs(NOW + 9_000) })], 'feed');
    expect(intake.refused.size).toBe(0);
  });

  test('the log names a fault of one instrument once a minute, the count has every one', async () => {
    const lines: string[] = [];
    const { intake } = await intakeWith({ ...silentLog, warn: (message: string) => lines.push(message) } as Log);
    intake.from('feed').accept(Array.from({ length: 100 }, () => quote({ bid: 2 })));
    expect(lines).toHaveLength(1);
    expect(intake.refused.get('crossed_quote')).toBe(100);
  });
});
