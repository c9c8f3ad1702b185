import { expect, test } from 'bun:test';
import { AlertCondition } from '@tickwire/contract';
import { CATALOGUE } from '../market/catalogue.ts';
import type { TickEvent } from '../market/events.ts';
import { asSymbol } from '../market/instrument.ts';
import { asEpochMs } from '../market/time.ts';
import type { AlertSpec, Firing } from './alert.ts';
import { AlertBook } from './alert-book.ts';
import { titleOf } from './title.ts';

const EURUSD = asSymbol('EURUSD');
const START = Date.UTC(2026, 2, 2, 10);
const instrument = CATALOGUE.find(({ symbol }) => symbol === EURUSD)!;

const spec = (condition: unknown, rest: Partial<AlertSpec> = {}): AlertSpec => ({
  id: 'a',
  symbol: EURUSD,
  condition: AlertCondition.parse(condition),
  repeat: 'once',
  interval: null,
  cooldownMs: 0,
  expiresAt: null,
  sinceSeq: 0,
  sinceTime: asEpochMs(START),
  state: null,
  ...rest,
});

const tick = (second: number, bid: number, spread = 0.0001): TickEvent => ({
  kind: 'tick',
  symbol: EURUSD,
  time: asEpochMs(START + second * 1_000),
  bid,
  ask: Math.round((bid + spread) * 1e5) / 1e5,
  bidSize: 0,
  askSize: 0,
  volume: 1,
});

/** The seqs at which an alert fires: each event has its index plus one. */
function fire(alert: AlertSpec, ticks: readonly TickEvent[], standing?: number): number[] {
  const firings: Firing[] = [];
  const book = new AlertBook({ instruments: CATALOGUE, onFire: (firing) => firings.push(firing) });
  if (standing !== undefined) book.seed(EURUSD, { bid: standing, ask: standing, time: asEpochMs(START) });
  book.add(alert);
  for (const [at, event] of ticks.entries()) book.read(at + 1, event);
  return firings.map(({ seq }) => seq!);
}

const above = (level: number) => ({ type: 'price', cross: 'above', level });
const path = (...bids: number[]): TickEvent[] => bids.map((bid, at) => tick(at + 1, bid));

test('fires at the first price beyond the level', () =>
  expect(fire(spec(above(1.2)), path(1.1999, 1.2, 1.20001, 1.3))).toEqual([3]));

test('a level already beyond the price does not fire until it is crossed', () => {
  expect(fire(spec(above(1.2)), path(1.21, 1.22, 1.2, 1.20001))).toEqual([4]);
  expect(fire(spec(above(1.2)), path(1.21, 1.22), 1.205)).toEqual([]);
});

test('the price before the alert was set counts as the side it comes from', () =>
  expect(fire(spec(above(1.2)), path(1.21), 1.1999)).toEqual([1]));

test('touches a level when it is reached from the other side', () => {
  expect(fire(spec({ type: 'price', touch: 'above', level: 1.2 }), path(1.1999, 1.2))).toEqual([2]);
  expect(fire(spec({ type: 'price', touch: 'below', level: 1.2 }), path(1.2, 1.2001, 1.2))).toEqual([3]);
});

test('does not fire again before the price was back by the spread, or two ticks', () => {
  const alert = spec(above(1.2), { repeat: 'every_time' });
  expect(fire(alert, path(1.1999, 1.2001, 1.19995, 1.2001, 1.1999, 1.2001))).toEqual([2, 6]);
});

test('a late tick fires an alert that was armed at its time, and arms none', () => {
  const late = [tick(1, 1.1999), tick(5, 1.1998), tick(3, 1.2001), tick(6, 1.1999)];
  expect(fire(spec(above(1.2)), late)).toEqual([3]);
  const armedLater = [tick(4, 1.21), tick(5, 1.1998), tick(3, 1.2001), tick(6, 1.1999)];
  expect(fire(spec(above(1.2)), armedLater)).toEqual([]);
  const lateBelow = [tick(4, 1.21), tick(3, 1.19), tick(5, 1.21)];
  expect(fire(spec(above(1.2)), lateBelow)).toEqual([]);
});

test('waits for the cool-down, for the next bar and until it expires', () => {
  const wicks = [tick(1, 1.19), tick(2, 1.21), tick(10, 1.19), tick(20, 1.21), tick(50, 1.19), tick(62, 1.21)];
  expect(fire(spec(above(1.2), { repeat: 'every_time', cooldownMs: 18_000 }), wicks)).toEqual([2, 4, 6]);
  expect(fire(spec(above(1.2), { repeat: 'every_time', cooldownMs: 18_001 }), wicks)).toEqual([2, 6]);
  expect(fire(spec(above(1.2), { repeat: 'once_per_bar' }), wicks)).toEqual([2, 6]);
  expect(fire(spec(above(1.2), { repeat: 'every_time', expiresAt: asEpochMs(START + 20_000) }), wicks)).toEqual([2]);
});

test('says in one line what happened', () => {
  const firings: Firing[] = [];
  const book = new AlertBook({ instruments: CATALOGUE, onFire: (firing) => firings.push(firing) });
  const alert = spec(above(1.2));
  book.add(alert);
  for (const [at, event] of path(1.19, 1.20001).entries()) book.read(at + 1, event);
  expect(firings).toEqual([
    {
      alert: 'a',
      cause: 'seq:2',
      seq: 2,
      time: asEpochMs(START + 2_000),
      price: 1.20001,
      symbol: EURUSD,
      detail: { kind: 'crossing', direction: 'above' },
    },
  ]);
  expect(titleOf(firings[0]!, alert.condition, instrument)).toBe('EURUSD bid crossed above 1.20000');
});
