// The keys 1 to 6 choose the length of a bar, in the order of the buttons above the chart.
import type { Timeframe } from '@tickwire/client';
import { TIMEFRAMES } from '../chart/bar-series.ts';
import type { Shortcut } from './keyboard.ts';

const WORDS: Readonly<Record<Timeframe, string>> = {
  '1m': '1 minute',
  '5m': '5 minutes',
  '15m': '15 minutes',
  '1h': '1 hour',
  '4h': '4 hours',
  '1d': '1 day',
};

export function timeframeShortcuts(choose: (timeframe: Timeframe) => void): readonly Shortcut[] {
  return TIMEFRAMES.map((timeframe, at) => ({
    keys: String(at + 1),
    title: `Timeframe ${timeframe}: bars of ${WORDS[timeframe]}`,
    group: 'Chart',
    run: () => choose(timeframe),
  }));
}
