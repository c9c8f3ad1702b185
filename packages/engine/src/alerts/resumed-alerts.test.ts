// Alerts of an earlier run in a new book.
import { expect, test } from 'bun:test';
import { AlertCondition } from '@tickwire/contract';
import { CATALOGUE } from '../market/catalogue.ts';
import type { Bar, TickEvent } from '../market/events.ts';
import { asSymbol } from '../market/instrument.ts';
import { asEpochMs } from '../market/time.ts';
import type { AlertSpec, Firing } from './alert.ts';
import { AlertBook } from './alert-book.ts';

const EURUSD = asSymbol('EURUSD');
const START = Date.UTC(2026, 2, 3, 10);

const spec = (condition: unknown, more: Partial<AlertSpec> = {}): AlertSpec => ({
  id: 'a',
  symbol: EURUSD,
  condition: AlertCondition.parse(condition),
  repeat: 'every_time',
  interval: null,
  cooldownMs: 0,
  expiresAt: null,
  sinceSeq: 0,
  sinceTime: asEpochMs(START),
  state: null,
  ...more,
});

const tick = (seconds: number, bid: number): TickEvent => ({
  kind: 'tick',
  symbol: EURUSD,
  time: asEpochMs(START + seconds * 1_000),
  bid,
  ask: bid + 0.0001,
  bidSize: 0,
  askSize: 0,
  volume: 1,
});
const clock = (seconds: number) => ({ kind: 'clock', time: asEpochMs(START + seconds * 1_000) }) as const;

function openBook(instruments = CATALOGUE): { book: AlertBook; fired: Firing[] } {
  const fired: Firing[] = [];
  return { book: new AlertBook({ instruments, onFire: (firing) => fired.push(firing) }), fired };
}

test('the time in which the service did not run does not make a quote old', () => {
  const before = openBook().book;
  before.add(spec({ type: 'stale', seconds: 20 }));
  for (let second = 0; second < 10; second++) {
    before.read(second * 2 + 1, tick(second, 1.1));
    before.read(second * 2 + 2, clock(second));
  }
  const { book, fired } = openBook();
  book.add(spec({ type: 'stale', seconds: 20 }, { state: before.stateOf('a') }));
  book.resume();
  book.read(101, clock(40));
  book.read(102, clock(59));
  expect(fired).toEqual([]);
  book.read(103, clock(60));
  expect(fired.map(({ cause }) => cause)).toEqual([`stale:${START + 40_000}`]);
});

test('an alert on an instrument that is not configured any more is left out', () => {
  const { book } = openBook(CATALOGUE.filter(({ symbol }) => symbol !== EURUSD));
  for (const condition of [
    { type: 'price', cross: 'above', level: 1.2 },
    { type: 'bar_close', interval: '5m', close: 'above', level: 1.1 },
    { type: 'absorption', side: 'buy' },
    { type: 'market', state: 'opens' },
  ])
    book.add(spec(condition));
  book.read(1, clock(1));
  expect(book.size).toBe(0);
  expect(book.has('a')).toBe(false);
});

test('an alert is armed again by the market if its instrument has other decimals than before', () => {
  const crossing = { type: 'price', cross: 'below', level: 1.2 };
  const before = openBook().book;
  before.add(spec(crossing));
  before.read(1, tick(1, 1.1));
  const state = before.stateOf('a');
  const coarser = CATALOGUE.map((each) => (each.symbol === EURUSD ? { ...each, digits: each.digits - 1 } : each));
  const { book, fired } = openBook(coarser);
  book.add(spec(crossing, { state }));
  for (const [at, bid] of [1.1, 1.3, 1.19].entries()) book.read(at + 2, tick(at + 2, bid));
  expect(fired.map(({ price }) => price)).toEqual([1.19]);
});

test('a trend line goes on counting its bars if its instrument has other decimals than before', () => {
  const rising = { type: 'trend_line', interval: '1m', cross: 'above', price: 1.1, per_bar: 0.001 };
  const bars = [-100, -2, -1, 0].map((minute) => ({ ...history(1)[0]!, time: asEpochMs(START + minute * 60_000) }));
  const closed = (at: number, close: number) =>
    ({ kind: 'bar', symbol: EURUSD, timeframe: '1m', bar: { ...bars[at]!, close }, amended: false }) as const;
  const condition = { ...rising, time: new Date(bars[0]!.time).toISOString() };
  const since = { sinceTime: bars[0]!.time };
  const before = openBook().book;
  before.add(spec(condition, since));
  before.read(1, closed(0, 1.09));
  before.read(2, closed(1, 1.09));
  const coarser = CATALOGUE.map((each) => (each.symbol === EURUSD ? { ...each, digits: each.digits - 1 } : each));
  const { book, fired } = openBook(coarser);
  book.add(spec(condition, { ...since, state: before.stateOf('a') }));
  book.read(3, closed(2, 1.102));
  book.read(4, closed(3, 1.1031));
  expect(fired.map(({ price }) => price)).toEqual([1.1031]);
});

test('a bar that the clock closed before a restart is not judged again by later states', () => {
  const above = { type: 'price', is: 'above', level: 1.2 };
  const condition = { type: 'all', of: [{ type: 'bar_close', interval: '1m', close: 'above', level: 1 }, above] };
  const [bar, next] = history(2) as [Bar, Bar];
  const closed = (of: Bar) => ({ kind: 'bar', symbol: EURUSD, timeframe: '1m', bar: of, amended: false }) as const;
  const since = { sinceTime: asEpochMs(bar.time) };
  const before = openBook().book;
  before.add(spec(condition, since));
  before.read(1, tick(-90, 1.1));
  before.read(2, closed(bar));
  const { book, fired } = openBook();
  book.add(spec(condition, { ...since, state: before.stateOf('a') }));
  book.read(3, tick(-30, 1.3));
  book.read(3, closed(bar));
  expect(fired).toEqual([]);
  book.read(4, closed(next));
  expect(fired.map(({ cause }) => cause)).toEqual([`bar:1m:${next.time}`]);
});

const release = (minutes: number, more: object = {}) =>
  ({
    kind: 'calendar_item',
    id: 'e1',
    time: asEpochMs(START + minutes * 60_000),
    title: 'Payrolls',
    impact: 'high',
    country: 'US',
    symbols: [EURUSD],
    allDay: false,
    cancelled: false,
    ...more,
  }) as const;
const CALENDAR = { type: 'calendar', minutes: 15, impact: 'high' };

test('a calendar event that was stored right before a crash, past its due minute, fires', () => {
  const before = openBook().book;
  before.add(spec(CALENDAR));
  before.read(1, clock(0));
  const state = before.stateOf('a');
  for (const [updated, expected] of [
    [-60, 0],
    [30, 1],
  ] as const) {
    const { book, fired } = openBook();
    book.read(null, release(10, { updatedAt: asEpochMs(START + updated * 1_000) }));
    book.add(spec(CALENDAR, { state }));
    book.resume();
    book.read(2, clock(90));
    expect(fired).toHaveLength(expected);
  }
});

test('alerts that are removed leave nothing behind in the calendar', () => {
  const { book } = openBook();
  book.read(1, clock(1));
  for (let n = 0; n < 500; n++) book.read(null, release(60 + n, { id: `e${n}` }));
  const before = heapUsed();
  for (let n = 0; n < 500; n++) {
    book.add(spec(CALENDAR));
    book.remove('a');
  }
  // A quarter of a million entries took 20 MB.
  expect(heapUsed() - before).toBeLessThan(4_000_000);
});

test('an indicator is computed only while an alert looks at it', () => {
  const { book } = openBook();
  const sma = (length: number) => ({
    type: 'indicator',
    indicator: `sma(${length})`,
    interval: '1m',
    is: 'above',
    value: 1,
  });
  book.add(spec(sma(3), { id: 'kept' }));
  const before = heapUsed();
  for (let length = 4; length < 200; length++) {
    book.add(spec(sma(length), { id: 'passing' }), { closed: { '1m': history(400) } });
    book.remove('passing');
  }
  expect(heapUsed() - before).toBeLessThan(1_000_000);
});

const history = (bars: number): Bar[] =>
  Array.from({ length: bars }, (_, n) => ({
    ...{ time: asEpochMs(START + (n - bars) * 60_000), open: 1.1, high: 1.1, low: 1.1, close: 1.1 },
    ...{ volume: 0, bidVolume: 0, askVolume: 0, ticks: 1, basis: 'bid' as const, partial: false },
  })) as unknown as Bar[];

function heapUsed(): number {
  Bun.gc(true);
  return process.memoryUsage().heapUsed;
}
