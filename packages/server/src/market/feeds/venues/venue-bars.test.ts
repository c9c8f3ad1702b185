import { describe, expect, test } from 'bun:test';
import { asEpochMs, asSymbol, type Bar, MINUTE_MS } from '@tickwire/engine';
import { checkBar, requestedBars } from './venue-bars.ts';

const T0 = Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS;
const RAW = { time: asEpochMs(T0), open: '10', high: '12', low: '9', close: '11', volume: '0.3', bought: '0.1' };
const bar = (minutes: number, volume = 1): Bar =>
  checkBar({ ...RAW, time: asEpochMs(T0 + minutes * MINUTE_MS), volume, bought: 0 }, '1m') as Bar;
const request = (from: number, to: number) => ({
  ...{ symbol: asSymbol('BTC'), venueSymbol: 'BTC', length: '1m' as const },
  ...{ from: asEpochMs(T0 + from * MINUTE_MS), to: asEpochMs(T0 + to * MINUTE_MS) },
});
const minutesOf = (bars: readonly Bar[]): number[] => bars.map(({ time }) => (time - T0) / MINUTE_MS);

describe('checkBar', () => {
  test('divides the volume by the side of the taker, without an error of floats', () => {
    expect(checkBar(RAW, '1m')).toEqual({
      ...{ time: asEpochMs(T0), open: 10, high: 12, low: 9, close: 11, basis: 'trade' },
      ...{ volume: 0.3, askVolume: 0.1, bidVolume: 0.2 },
    });
  });

  test('names every problem', () => {
    expect(checkBar({ ...RAW, time: asEpochMs(T0 + 1) }, '1m')).toBe('bar without time');
    expect(checkBar({ ...RAW, close: '0' }, '1m')).toBe('bar without prices');
    expect(checkBar({ ...RAW, high: '10.5' }, '1m')).toBe('bar with inconsistent prices');
    expect(checkBar({ ...RAW, low: '10.5' }, '1m')).toBe('bar with inconsistent prices');
    expect(checkBar({ ...RAW, volume: '-1' }, '1m')).toBe('bar without volume');
    expect(checkBar({ ...RAW, bought: '0.4' }, '1m')).toBe('bar without taker volume');
  });
});

describe('requestedBars', () => {
  test('are ascending, each once, in the range, and had trades', () => {
    const bars = [bar(-3), bar(-5), bar(-4, 0), bar(-5), bar(-9), bar(-2)];
    expect(minutesOf(requestedBars(bars, request(-8, -2)))).toEqual([-5, -3]);
  });

  test('leave out the newest bar until its end lies five seconds back', () => {
    expect(minutesOf(requestedBars([bar(-2), bar(0)], request(-9, 1)))).toEqual([-2]);
    const running = (to: number) => requestedBars([bar(-2), bar(-1)], { ...request(-9, to), running: true });
    expect(running(0).map(({ partial }) => partial)).toEqual([undefined, true]);
    expect(running(4.9 / 60).map(({ partial }) => partial)).toEqual([undefined, true]);
    expect(running(5 / 60).map(({ partial }) => partial)).toEqual([undefined, undefined]);
  });

  test('take a later bar as proof that the one before it is closed', () => {
    const bars = requestedBars([bar(-1), bar(0)], { ...request(-9, 1 / 60), running: true });
    expect(bars.map(({ partial }) => partial)).toEqual([undefined, true]);
  });
});
