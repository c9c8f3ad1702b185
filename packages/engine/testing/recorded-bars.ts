// Hours of XAUUSD of 2015, as recorded by MetaTrader 5.
import { readFileSync } from 'node:fs';
import type { IndicatorBar } from '../src/market/indicators/indicator.ts';
import { asEpochMs } from '../src/market/time.ts';

const FILE = new URL('../../server/testing/recordings/mt5/XAUUSDh1.csv', import.meta.url);
const POINTS = 100;

export function recordedBars(): IndicatorBar[] {
  const [, ...lines] = readFileSync(FILE, 'utf8').trim().split(/\r?\n/);
  return lines.map((line) => {
    const [time, ...numbers] = line.split(',') as [string, ...string[]];
    const [open, high, low, close, volume] = numbers.map(Number) as [number, number, number, number, number];
    const price = (points: number): number => Math.round(points) / POINTS;
    return {
      time: asEpochMs(Date.parse(`${time.replace(' ', 'T')}Z`)),
      open: price(open),
      high: price(high),
      low: price(low),
      close: price(close),
      volume,
      // The recording has no sides: a share that differs from bar to bar.
      bidVolume: Math.round(volume * (close > open ? 0.4 : 0.7)),
      askVolume: volume - Math.round(volume * (close > open ? 0.4 : 0.7)),
    };
  });
}
