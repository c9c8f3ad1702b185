import { describe, expect, test } from 'bun:test';
import { AlertCondition } from '@tickwire/contract';
import { CATALOGUE } from '../market/catalogue.ts';
import type { Bar } from '../market/events.ts';
import { asSymbol } from '../market/instrument.ts';
import { asEpochMs } from '../market/time.ts';
import { type AlertSpec, type Firing, MAX_WARM_UP_BARS } from './alert.ts';
import { AlertBook } from './alert-book.ts';
import { titleOf } from './title.ts';

const EURUSD = asSymbol('EURUSD');
const FRIDAY = Date.UTC(2026, 2, 6, 21, 40);
const MINUTES = 60_000;

/** A line that rises by a pip with each bar of five minutes, from 1.1 at Friday's bar. */
const rising = { type: 'trend_line', interval: '5m', cross: 'either', time: '2026-03-06T21:40:00Z', price: 1.1 };
const specOf = (state: string | null = null, more: object = {}): AlertSpec => ({
  id: 'a',
  symbol: EURUSD,
  condition: AlertCondition.parse({ ...rising, per_bar: 0.0001, ...more }),
  ...{ repeat: 'every_time', interval: null, cooldownMs: 0, expiresAt: null, sinceSeq: 0 },
  sinceTime: asEpochMs(FRIDAY),
  state,
});
const setAt = (time: number, more: object = {}): AlertSpec => ({ ...specOf(null, more), sinceTime: asEpochMs(time) });
const barOf = (time: number, close: number): Bar =>
  ({ time: asEpochMs(time), open: close, high: close, low: close, close, volume: 1, basis: 'bid' }) as never;

class Judged {
  readonly fired: Firing[] = [];
  readonly book = new AlertBook({ instruments: CATALOGUE, onFire: (firing) => this.fired.push(firing) });
  #seq: number;

  /** `last`: the bars before, or the close of the one before Friday's. */
  constructor(spec: AlertSpec, last: readonly Bar[] | number | null, seq = 0) {
    this.#seq = seq;
    const closed = typeof last === 'number' ? [barOf(FRIDAY - 5 * MINUTES, last)] : last;
    this.book.add(spec, closed ? { closed: { '5m': closed } } : {});
  }

  /** `at`: bars after Friday's. Returns the titles of what fired. */
  close(at: number, price: number, amended = false): readonly string[] {
    return this.closeAt(FRIDAY + at * 5 * MINUTES, price, amended);
  }

  closeAt(time: number, price: number, amended = false): readonly string[] {
    const before = this.fired.length;
    const bar = barOf(time, price);
    this.book.read(++this.#seq, { kind: 'bar', symbol: EURUSD, timeframe: '5m', bar, amended } as never);
    const eurusd = CATALOGUE.find(({ symbol }) => symbol === EURUSD)!;
    return this.fired.slice(before).map((firing) => titleOf(firing, specOf().condition, eurusd));
  }
}

describe('an alert on a trend line', () => {
  test('fires when a bar closes on the other side of where the line is by then', () => {
    const judged = new Judged(specOf(), 1.0995);
    expect(judged.close(0, 1.0998)).toEqual([]);
    expect(judged.close(1, 1.1)).toEqual([]);
    // Above the price that the line started from, but not above the line.
    expect(judged.close(2, 1.10015)).toEqual([]);
    expect(judged.close(3, 1.10031)).toEqual(['EURUSD 5m bar closed above the trend line at 1.10031']);
    expect(judged.fired[0]).toMatchObject({ price: 1.10031, detail: { kind: 'crossing', direction: 'above' } });
    // Level with it: not yet below. The line rises on.
    expect(judged.close(4, 1.1004)).toEqual([]);
    expect(judged.close(5, 1.1004)).toEqual(['EURUSD 5m bar closed below the trend line at 1.10040']);
  });

  test('counts bars, not time: over a weekend the line does not move', () => {
    const judged = new Judged(specOf(), 1.0995);
    judged.close(0, 1.0998);
    const sunday = FRIDAY + 48 * 60 * MINUTES;
    expect(judged.closeAt(sunday, 1.1001)).toEqual([]);
    expect(judged.closeAt(sunday + 5 * MINUTES, 1.1002)).toEqual([]);
    expect(judged.closeAt(sunday + 10 * MINUTES, 1.10031)).toHaveLength(1);
  });

  test('counts the closed bars since its start, however much time was between them', () => {
    const sunday = FRIDAY + 48 * 60 * MINUTES;
    const closed = [-1, 0, 1].map((at) => barOf(FRIDAY + at * 5 * MINUTES, 1.1));
    // Set while the second bar of Sunday forms: the line is at 1.1002 at the first one, and at 1.1003 at that one.
    const judged = new Judged(setAt(sunday + 7 * MINUTES), [...closed, barOf(sunday, 1.1002)]);
    expect(judged.closeAt(sunday + 5 * MINUTES, 1.1003)).toEqual([]);
    expect(judged.closeAt(sunday + 10 * MINUTES, 1.10041)).toHaveLength(1);
  });

  test('starts at the bar that forms, also at the first one after a weekend', () => {
    const sunday = FRIDAY + 48 * 60 * MINUTES;
    const onSunday = { time: new Date(sunday).toISOString() };
    // Friday's last bar is one before it: the line was at 1.0999 there, which is the side that the price comes from.
    const judged = new Judged(setAt(sunday + 2 * MINUTES, onSunday), [barOf(FRIDAY, 1.09985)]);
    expect(judged.closeAt(sunday, 1.1)).toEqual([]);
    expect(judged.closeAt(sunday + 5 * MINUTES, 1.1001)).toEqual([]);
    expect(judged.closeAt(sunday + 10 * MINUTES, 1.10021)).toHaveLength(1);
    const below = new Judged(setAt(sunday + 2 * MINUTES, onSunday), [barOf(FRIDAY, 1.09985)]);
    expect(below.closeAt(sunday, 1.10001)).toHaveLength(1);
    const above = new Judged(setAt(sunday + 2 * MINUTES, onSunday), [barOf(FRIDAY, 1.09995)]);
    expect(above.closeAt(sunday, 1.10001)).toEqual([]);
  });

  test('with a start in the future counts down to it, and is at its price there', () => {
    const start = { time: new Date(FRIDAY + 15 * MINUTES).toISOString() };
    const last = [barOf(FRIDAY - 5 * MINUTES, 1.0995)];
    const judged = new Judged(setAt(FRIDAY, start), last);
    // 1.1 - 3 pips, then - 2 pips.
    expect(judged.close(0, 1.0997)).toEqual([]);
    expect(judged.close(1, 1.09981)).toHaveLength(1);
    const gap = new Judged(setAt(FRIDAY, start), last);
    expect(gap.close(0, 1.0997)).toEqual([]);
    // Two bars fewer than expected.
    expect(gap.close(3, 1.1)).toEqual([]);
    expect(gap.close(4, 1.10011)).toHaveLength(1);
  });

  test('counts by their length what is too far back to be read', () => {
    const bars = Array.from({ length: MAX_WARM_UP_BARS }, (_, n) =>
      barOf(FRIDAY - (MAX_WARM_UP_BARS - n) * 5 * MINUTES, 1.4),
    );
    const time = new Date(bars[0]!.time - 50 * MINUTES).toISOString();
    const judged = new Judged(setAt(FRIDAY, { time, per_bar: 0.00001 }), bars);
    const level = 1.1 + 0.00001 * (MAX_WARM_UP_BARS + 10);
    expect(judged.close(0, level + 0.00001)).toEqual([]);
    expect(judged.close(1, level)).toEqual(['EURUSD 5m bar closed below the trend line at 1.30010']);
  });

  test('knows from the last closed bar on which side the price is, and does not fire on the side it starts on', () => {
    expect(new Judged(specOf(), 1.0995).close(0, 1.1001)).toHaveLength(1);
    expect(new Judged(specOf(), 1.1005).close(0, 1.1001)).toEqual([]);
    expect(new Judged(specOf(), null).close(0, 1.1001)).toEqual([]);
    expect(new Judged(specOf(null, { cross: 'below' }), 1.0995).close(0, 1.1001)).toEqual([]);
  });

  test('judges the newest bar again if it is amended, and ignores older ones', () => {
    const judged = new Judged(specOf(), 1.0995);
    judged.close(0, 1.0999);
    judged.close(1, 1.1);
    expect(judged.close(0, 1.2, true)).toEqual([]);
    expect(judged.close(1, 1.1002, true)).toHaveLength(1);
    expect(judged.close(1, 1.1003, true)).toEqual([]);
    // It counts as one bar.
    expect(judged.close(2, 1.1002)).toEqual([]);
    expect(judged.close(3, 1.10029)).toHaveLength(1);
  });

  test('goes on after a restart where it was', () => {
    const before = new Judged(specOf(), 1.0995);
    before.close(0, 1.0998);
    const sunday = FRIDAY + 48 * 60 * MINUTES;
    before.closeAt(sunday, 1.1001);
    const after = new Judged(specOf(before.book.stateOf('a')), null, 2);
    expect(after.closeAt(sunday + 5 * MINUTES, 1.1002)).toEqual([]);
    expect(after.closeAt(sunday + 10 * MINUTES, 1.10031)).toHaveLength(1);
  });
});
