import { describe, expect, test } from 'bun:test';
import { type Bar, CATALOGUE } from '@tickwire/engine';
import fc from 'fast-check';
import { alertEvent } from '../../../testing/alerts.fixture.ts';
import { calendarEvent } from '../../../testing/calendar.fixture.ts';
import { newsEvent } from '../../../testing/news.fixture.ts';
import { changedEvent, closedEvent, filledEvent, signalEvent } from '../../../testing/signals.fixture.ts';
import { type Batch, CALENDAR_CHANGES, isSignalEvent, type JournalEvent, NOOP } from '../../journal/journal.ts';
import { decodeEntry, EntryEncoder, UnknownEntry } from './entry-encoding.ts';

const anySymbol = fc.constantFrom(...CATALOGUE.map(({ symbol }) => symbol as string));
const anySymbols = fc.array(anySymbol, { minLength: 1, maxLength: 5 });
const time = fc.nat(4e12);
const size = fc.double({ min: 0, max: 1e12, noNaN: true }).map((value) => (value === 0 ? 0 : value));
const signed = fc.double({ min: -1e12, max: 1e12, noNaN: true });
const price = fc.double({ min: 1e-9, max: 1e9, noNaN: true });
const side = fc.constantFrom('buy', 'sell');
const aBar: fc.Arbitrary<unknown> = fc.record(
  {
    ...{ time, open: price, high: price, low: price, close: price, volume: size, bidVolume: size, askVolume: size },
    basis: fc.constantFrom('trade', 'bid'),
    partial: fc.constant(true),
  },
  { requiredKeys: ['time', 'open', 'high', 'low', 'close', 'volume', 'bidVolume', 'askVolume', 'basis'] },
);
const aFlow = fc.record(
  {
    kind: fc.constant('flow'),
    ...{ symbol: anySymbol, time, price, size, side, cumulativeDelta: signed },
    sideMethod: fc.constantFrom(null, 'quote_rule', 'tick_rule'),
    imbalance: fc.double({ min: -1, max: 1, noNaN: true }),
    absorption: fc.constantFrom(null, 'buy', 'sell'),
    id: fc.nat(),
  },
  {
    requiredKeys: [
      ...(['kind', 'symbol', 'time', 'price', 'size', 'side', 'cumulativeDelta'] as const),
      ...(['sideMethod', 'imbalance', 'absorption'] as const),
    ],
  },
);
/** One event of every kind; the type ensures that none is missing. */
const KINDS: Readonly<Record<JournalEvent['kind'], fc.Arbitrary<unknown>>> = {
  tick: fc.record({
    kind: fc.constant('tick'),
    ...{ symbol: anySymbol, time, bid: price, ask: price, bidSize: size, askSize: size, volume: size },
  }),
  flow: aFlow,
  bar: fc.record({
    kind: fc.constant('bar'),
    symbol: anySymbol,
    timeframe: fc.constantFrom('1m', '5m', '1h', '1d'),
    bar: aBar,
    amended: fc.boolean(),
  }),
  minute: fc.record({ kind: fc.constant('minute'), symbol: anySymbol, bar: aBar as fc.Arbitrary<Bar> }),
  history: fc.record({
    kind: fc.constant('history'),
    symbol: anySymbol,
    bars: fc.dictionary(fc.constantFrom('1m', '1h', '1d'), fc.array(aBar)),
  }),
  clock: fc.record({ kind: fc.constant('clock'), time }),
  disconnect: fc.record({ kind: fc.constant('disconnect'), symbols: anySymbols, time }),
  gap: fc.record({ kind: fc.constant('gap'), symbols: anySymbols, from: time, to: time, time }),
  backfilled: fc.record({
    kind: fc.constant('backfilled'),
    ...{ symbols: anySymbols, count: fc.nat(), from: time, to: time, time },
  }),
  failover: fc.record({ kind: fc.constant('failover'), symbols: anySymbols, source: fc.string(), time }),
  signal: fc.string().map((id) => signalEvent(id)),
  signal_filled: fc.string().map((id) => filledEvent(signalEvent(id))),
  signal_changed: fc.string().map((id) => changedEvent(signalEvent(id))),
  signal_closed: fc.string().map((id) => closedEvent(signalEvent(id))),
  news: fc.string({ unit: 'grapheme' }).map((title) => newsEvent('a', { title })),
  news_cluster: fc.record({ kind: fc.constant('news_cluster'), id: fc.string({ minLength: 1 }), cluster: fc.nat() }),
  calendar: fc.record({
    kind: fc.constant('calendar'),
    item: fc.constant(calendarEvent('cal_1', 1)),
    change: fc.constantFrom(...CALENDAR_CHANGES),
  }),
  alert: fc.string({ unit: 'grapheme' }).map((title) => alertEvent('fir_1', { title })),
  instrument: fc.record({
    kind: fc.constant('instrument'),
    spec: fc.record({ symbol: anySymbol, digits: fc.nat() }),
    added: fc.record({ symbol: anySymbol, venue: fc.string(), listing: fc.string(), addedAt: fc.nat() }),
  }),
  perpetual: fc.record({
    kind: fc.constant('perpetual'),
    ...{ symbol: anySymbol, venue: fc.string(), time, markPrice: price, indexPrice: price },
    // JSON has no −0.
    fundingRate: fc.option(signed.map((rate) => rate + 0)),
    ...{ fundingIntervalMs: fc.option(time), nextFundingTime: fc.option(time), openInterest: fc.option(size) },
  }),
  liquidation: fc.record({
    kind: fc.constant('liquidation'),
    ...{ symbol: anySymbol, venue: fc.string(), time, side, price, size },
  }),
  noop: fc.record({ kind: fc.constant('noop') }),
};
const anEvent = fc.oneof(...Object.values(KINDS)) as fc.Arbitrary<JournalEvent>;
const aBatch = fc.record({
  source: fc.oneof(fc.constantFrom('', 'sim', 'push:pub_a'), fc.string({ unit: 'grapheme', maxLength: 40 })),
  events: fc.array(anEvent, { minLength: 1, maxLength: 30 }),
});

/** Consecutive batches from a number on. */
function numbered(batches: readonly Omit<Batch, 'firstSeq'>[], firstSeq: number): Batch[] {
  let next = firstSeq;
  return batches.map((batch) => {
    const first = next;
    next += batch.events.length;
    return { firstSeq: first, ...batch };
  });
}

describe('a journal entry', () => {
  test('encodes any batches exactly, whatever was encoded before', () => {
    const encoder = new EntryEncoder('0123456789ab');
    const property = fc.property(
      fc.array(aBatch, { minLength: 1, maxLength: 6 }),
      fc.integer({ min: 1, max: 2 ** 52 }),
      fc.nat(4e12),
      (given, firstSeq, sentAt) => {
        const batches = numbered(given, firstSeq);
        for (const batch of batches) encoder.add(batch);
        const count = batches.reduce((sum, { events }) => sum + events.length, 0);
        expect(encoder.lastSeq).toBe(firstSeq + count - 1);
        expect(decodeEntry(encoder.take(sentAt))).toEqual({ epoch: '0123456789ab', sentAt, firstSeq, count, batches });
      },
    );
    fc.assert(property, { numRuns: 300 });
  });

  test('can be read without signals, with the numbers of all other events', () => {
    const encoder = new EntryEncoder('0123456789ab');
    fc.assert(
      fc.property(fc.array(anEvent, { minLength: 1, maxLength: 20 }), (events) => {
        encoder.add({ firstSeq: 1, source: 'sim', events });
        const [batch] = decodeEntry(encoder.take(1), { signals: false }).batches;
        expect(batch!.events).toEqual(events.map((event) => (isSignalEvent(event) ? NOOP : event)));
      }),
      { numRuns: 100 },
    );
  });

  test('can hold one part of a batch, and the next entry the other', () => {
    const encoder = new EntryEncoder('0123456789ab');
    const events = fc.sample(anEvent, 7);
    encoder.add({ firstSeq: 10, source: 'sim', events }, 0, 3);
    const first = decodeEntry(encoder.take(1));
    encoder.add({ firstSeq: 10, source: 'sim', events }, 3, 7);
    const second = decodeEntry(encoder.take(2));
    expect([first.firstSeq, first.count, second.firstSeq, second.count]).toEqual([10, 3, 13, 4]);
    expect([...first.batches[0]!.events, ...second.batches[0]!.events]).toEqual(events);
  });

  test('can be relabelled with another epoch in place, before and after it is complete', () => {
    const encoder = new EntryEncoder('0123456789ab');
    encoder.add({ firstSeq: 1, source: '', events: fc.sample(anEvent, 3) });
    encoder.relabel('ffffffffffff');
    const entry = encoder.take(1);
    expect(decodeEntry(entry).epoch).toBe('ffffffffffff');
    entry.write('eeeeeeeeeeee', 3);
    expect(decodeEntry(entry).epoch).toBe('eeeeeeeeeeee');
  });

  test('of another version is rejected with UnknownEntry', () => {
    expect(() => decodeEntry(Buffer.from([0x54, 2, 0]))).toThrow(UnknownEntry);
    expect(() => decodeEntry(Buffer.from('{}'))).toThrow(UnknownEntry);
  });

  test('rejects a source that is too long, and does not truncate it', () => {
    const encoder = new EntryEncoder('0123456789ab');
    const [event] = fc.sample(anEvent, 1);
    expect(() => encoder.add({ firstSeq: 1, source: 'x'.repeat(30_000), events: [event!] })).toThrow(RangeError);
  });
});
