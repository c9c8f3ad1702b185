// The choices of the toolbar, stored in this browser for all instruments.
import { type RecordStorage, readRecord, storeRecord } from '../../ui/stored-record.ts';
import { readInterval } from '../bars/intervals.ts';

export const CHART_TYPES = ['candles', 'hollow', 'bars', 'line', 'area', 'heikin-ashi'] as const;
export type ChartType = (typeof CHART_TYPES)[number];
export const SCALES = ['linear', 'logarithmic', 'percent'] as const;
export type Scale = (typeof SCALES)[number];

export interface ChartChoices {
  /** Intervals with a button. */
  readonly favourites: readonly string[];
  readonly type: ChartType;
  readonly scale: Scale;
  /** Whether the scale fits itself to indicators over the prices, too. */
  readonly fitOverlays: boolean;
  readonly sessions: boolean;
  readonly signals: boolean;
  readonly news: boolean;
  readonly calendar: boolean;
}

const NAME = 'tickwire.chart';
const DEFAULT: ChartChoices = {
  favourites: ['1m', '5m', '15m', '1h', '4h', '1d'],
  type: 'candles',
  scale: 'linear',
  fitOverlays: false,
  sessions: true,
  signals: true,
  news: true,
  calendar: true,
};

export function readChoices(storage: RecordStorage): ChartChoices {
  const { favourites, type, scale, ...stored } = readRecord(storage, NAME);
  const flag = (name: 'signals' | 'news' | 'calendar' | 'fitOverlays' | 'sessions'): boolean => {
    const value = stored[name];
    return typeof value === 'boolean' ? value : DEFAULT[name];
  };
  return {
    favourites: Array.isArray(favourites)
      ? favourites.filter((each): each is string => readInterval(each) === each)
      : DEFAULT.favourites,
    type: CHART_TYPES.find((each) => each === type) ?? DEFAULT.type,
    scale: SCALES.find((each) => each === scale) ?? DEFAULT.scale,
    fitOverlays: flag('fitOverlays'),
    sessions: flag('sessions'),
    signals: flag('signals'),
    news: flag('news'),
    calendar: flag('calendar'),
  };
}

export function storeChoices(storage: RecordStorage, choices: ChartChoices): void {
  storeRecord(storage, NAME, choices);
}

/** Changes some choices and keeps the others. */
export function changeChoices(changes: Partial<ChartChoices>): void {
  storeChoices(localStorage, { ...readChoices(localStorage), ...changes });
}
