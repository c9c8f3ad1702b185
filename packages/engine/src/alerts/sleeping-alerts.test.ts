import { expect, test } from 'bun:test';
import { AlertCondition } from '@tickwire/contract';
import { CATALOGUE } from '../market/catalogue.ts';
import type { FlowEvent, TickEvent } from '../market/events.ts';
import { asSymbol } from '../market/instrument.ts';
import { asEpochMs } from '../market/time.ts';
import type { AlertSpec, Firing } from './alert.ts';
import { AlertBook } from './alert-book.ts';

const EURUSD = asSymbol('EURUSD');
const START = Date.UTC(2026, 2, 2, 10);
const COOLDOWN_S = 100;

const spec = (condition: unknown, rest: Partial<AlertSpec> = {}): AlertSpec => ({
  id: 'a',
  symbol: EURUSD,
  condition: AlertCondition.parse(condition),
  repeat: 'every_time',
  interval: null,
  cooldownMs: COOLDOWN_S * 1_000,
  expiresAt: null,
  sinceSeq: 0,
  sinceTime: asEpochMs(START),
  state: null,
  ...rest,
});

const tick = (second: number, bid: number): TickEvent => ({
  kind: 'tick',
  symbol: EURUSD,
  time: asEpochMs(START + second * 1_000),
  bid,
  ask: Math.round((bid + 0.0001) * 1e5) / 1e5,
  bidSize: 0,
  askSize: 0,
  volume: 1,
});

const trade = (second: number, price: number): FlowEvent => ({
  kind: 'flow',
  symbol: EURUSD,
  time: asEpochMs(START + second * 1_000),
  price,
  size: 1,
  side: 'buy',
  sideMethod: null,
  cumulativeDelta: 0,
  imbalance: 0,
  absorption: null,
});

function openBook(alert: AlertSpec): { book: AlertBook; firedAt: () => number[] } {
  const firings: Firing[] = [];
  const book = new AlertBook({ instruments: CATALOGUE, onFire: (firing) => firings.push(firing) });
  book.seed(EURUSD, { bid: 1.19, ask: 1.1901, trade: 1.19, time: asEpochMs(START) });
  book.add(alert);
  return { book, firedAt: () => firings.map(({ time }) => (time - START) / 1_000) };
}

/** Crosses the level up and down with every second event: at 1 beyond it, at 2 back, and so on. */
const flicker = (at: (second: number, price: number) => TickEvent | FlowEvent, seconds: number) =>
  Array.from({ length: seconds }, (_, n) => at(n + 1, n % 2 === 0 ? 1.21 : 1.19));

test.each([
  ['bid', tick],
  ['trade', trade],
] as const)('crossings of the %s within the cool-down are not looked at', (side, event) => {
  const { book, firedAt } = openBook(spec({ type: 'price', cross: 'above', level: 1.2, side }));
  for (const [n, each] of flicker(event, 90).entries()) book.read(n + 1, each);
  expect(firedAt()).toEqual([1]);
  // The firing, and the way back by the spread.
  expect(book.looked).toBe(2);
  for (const [n, each] of [event(100, 1.19), event(101, 1.21), event(102, 1.19)].entries()) book.read(101 + n, each);
  expect(firedAt()).toEqual([1, 101]);
});

test('a combined alert does not look at crossings within the cool-down either, and needs its states after it', () => {
  const cross = { type: 'price', cross: 'above', level: 1.2 };
  const { book, firedAt } = openBook(spec({ type: 'all', of: [cross, { type: 'price', is: 'below', level: 1.25 }] }));
  for (const [n, each] of flicker(tick, 90).entries()) book.read(n + 1, each);
  expect(firedAt()).toEqual([1]);
  expect(book.looked).toBe(2);
  // At 110 the state does not hold; at 112 it does.
  const after = [tick(105, 1.19), tick(110, 1.26), tick(111, 1.19), tick(112, 1.21)];
  for (const [n, each] of after.entries()) book.read(101 + n, each);
  expect(firedAt()).toEqual([1, 112]);
});

test('the last price of the cool-down says whether it is armed', () => {
  const above = { type: 'price', cross: 'above', level: 1.2 };
  const beyond = openBook(spec(above));
  for (const [n, each] of [tick(1, 1.21), tick(2, 1.19), tick(50, 1.22), tick(120, 1.23), tick(121, 1.19)].entries())
    beyond.book.read(n + 1, each);
  expect(beyond.firedAt()).toEqual([1]);
  beyond.book.read(9, tick(122, 1.21));
  expect(beyond.firedAt()).toEqual([1, 122]);

  const near = openBook(spec(above));
  for (const [n, each] of [tick(1, 1.21), tick(2, 1.19), tick(50, 1.22), tick(60, 1.2), tick(120, 1.21)].entries())
    near.book.read(n + 1, each);
  expect(near.firedAt()).toEqual([1, 120]);
});

test('a late quote from after the cool-down fires it, one from within does not', () => {
  const late = (second: number): number[] => {
    const { book, firedAt } = openBook(spec({ type: 'price', cross: 'above', level: 1.2 }));
    const events = [tick(1, 1.21), tick(2, 1.19), tick(3, 1.21), tick(4, 1.19), tick(150, 1.19), tick(second, 1.21)];
    for (const [n, each] of events.entries()) book.read(n + 1, each);
    return firedAt();
  };
  expect(late(130)).toEqual([1, 130]);
  expect(late(99)).toEqual([1]);
});

test('it is saved as armed or not while it sleeps', () => {
  const resumed = (last: number): number[] => {
    const alert = spec({ type: 'price', cross: 'above', level: 1.2 }, { repeat: 'once_per_bar', cooldownMs: 0 });
    const { book } = openBook(alert);
    for (const [n, each] of [tick(1, 1.21), tick(2, 1.19), tick(3, 1.21), tick(4, last)].entries())
      book.read(n + 1, each);
    const next = openBook({ ...alert, state: book.stateOf('a') });
    next.book.read(5, tick(61, 1.22));
    return next.firedAt();
  };
  expect(resumed(1.19)).toEqual([61]);
  expect(resumed(1.21)).toEqual([]);
});

test('a quote is compared with the lowest price of a filled minute', () => {
  const { book, firedAt } = openBook(spec({ type: 'move', percent: 1, direction: 'up', minutes: 60 }));
  book.read(1, tick(1, 1.19));
  book.read(2, tick(2, 1.19));
  const prices = { open: 1.19, high: 1.19, low: 1.17, close: 1.175 };
  const sizes = { volume: 0, bidVolume: 0, askVolume: 0 };
  const bar = { time: asEpochMs(START + 60_000), ...prices, ...sizes, basis: 'bid' } as const;
  book.read(3, { kind: 'minute', symbol: EURUSD, bar });
  book.read(4, tick(130, 1.19));
  expect(firedAt()).toEqual([130]);
});

test.each([
  ['up', 1.2121],
  ['down', 1.1879],
] as const)('a jump %s after a quiet time is a move from the price that stood', (direction, price) => {
  const { book, firedAt } = openBook(spec({ type: 'move', percent: 1, direction, minutes: 1 }));
  for (const [n, each] of [tick(1, 1.2), tick(2, 1.2), tick(200, price)].entries()) book.read(n + 1, each);
  expect(firedAt()).toEqual([200]);
});

test('a price that was replaced before the time began is no start of a move', () => {
  const { book, firedAt } = openBook(spec({ type: 'move', percent: 1, direction: 'up', minutes: 1 }));
  // 1.2 stood until 140 s, when the time of the price at 200 s begins.
  for (const [n, each] of [tick(1, 1.2), tick(140, 1.206), tick(200, 1.2125)].entries()) book.read(n + 1, each);
  expect(firedAt()).toEqual([]);
  book.read(4, tick(201, 1.2185));
  expect(firedAt()).toEqual([201]);
});
