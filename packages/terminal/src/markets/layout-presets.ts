// Ready-made layouts of the markets page.
import { ALL_PANELS, type ChartSlot, DEFAULT_LAYOUT, type Layout } from './layout.ts';

interface Preset {
  readonly name: string;
  /** What it is for. */
  readonly text: string;
  readonly layout: Layout;
}

const slots = (...intervals: readonly string[]): readonly ChartSlot[] =>
  intervals.map((interval) => ({ symbol: '', interval }));

export const PRESETS: readonly Preset[] = [
  { name: 'One chart', text: 'A chart with everything beside it', layout: DEFAULT_LAYOUT },
  {
    name: 'Scalper',
    text: 'One instrument in 1 and 5 minutes, with order flow',
    layout: { ...DEFAULT_LAYOUT, charts: slots('1m', '5m'), panels: { ...ALL_PANELS, headlines: false } },
  },
  {
    name: 'Swing trader',
    text: 'One instrument from 15 minutes to a day',
    layout: {
      ...DEFAULT_LAYOUT,
      charts: slots('1h', '4h', '1d', '15m'),
      panels: { watchlist: true, flow: false, headlines: false },
    },
  },
  {
    name: 'News reader',
    text: 'A chart beside a wide column of headlines',
    layout: {
      ...DEFAULT_LAYOUT,
      charts: slots('5m'),
      panels: { watchlist: true, flow: false, headlines: true },
      widths: { watchlist: null, side: 440 },
    },
  },
];
