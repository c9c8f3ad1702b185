import { expect, test } from 'bun:test';
import { completed, DEFAULT_LAYOUT, isLayout, readLayout, withCharts, withSlot } from './layout.ts';
import { PRESETS } from './layout-presets.ts';

const two = withCharts(completed(DEFAULT_LAYOUT, { symbol: 'EURUSD', interval: '5m' }), 2);

test('a stored layout is read back as it was', () => {
  for (const { layout } of PRESETS) {
    expect(readLayout(JSON.parse(JSON.stringify(layout)))).toEqual(layout);
    expect(isLayout({ ...layout })).toBe(true);
  }
});

test.each([
  [{}],
  [{ charts: 3, linked: null, panels: 'all', widths: [] }],
  [{ charts: [], linked: { symbol: 'yes' }, widths: { watchlist: Number.NaN } }],
])('a broken layout falls back to the default: %j', (stored) => {
  expect(readLayout(stored)).toEqual(DEFAULT_LAYOUT);
  expect(isLayout(stored)).toBe(false);
});

test('a layout of an unknown author stays within bounds', () => {
  const { charts, widths } = readLayout({
    charts: Array.from({ length: 9 }, () => ({ symbol: 'x'.repeat(99), interval: 5 })),
    widths: { watchlist: 1e9, side: -4 },
  });
  expect(charts).toEqual(Array.from({ length: 4 }, () => ({ symbol: 'x'.repeat(32), interval: '' })));
  expect(widths).toEqual({ watchlist: 900, side: 200 });
});

test('a new chart starts as the last one is, and there are one to four', () => {
  expect(two.charts).toEqual(Array.from({ length: 2 }, () => ({ symbol: 'EURUSD', interval: '5m' })));
  expect(withCharts(two, 9).charts.length).toBe(4);
  expect(withCharts(two, 0).charts.length).toBe(1);
});

test('linked charts follow the one that changed, others do not', () => {
  const moved = { symbol: 'BTCUSD', interval: '1h' };
  expect(withSlot(two, 1, moved).charts).toEqual([{ symbol: 'BTCUSD', interval: '5m' }, moved]);
  const linked = { symbol: false, interval: true, crosshair: false };
  expect(withSlot({ ...two, linked }, 0, moved).charts).toEqual([moved, { symbol: 'EURUSD', interval: '1h' }]);
});

test('an empty slot becomes the current selection; a named instrument stays unless charts share it', () => {
  const stored = {
    ...two,
    charts: [
      { symbol: '', interval: '' },
      { symbol: 'XAUUSD', interval: '1d' },
    ],
  };
  const now = { symbol: 'BTCUSD', interval: '1m' };
  const apart = { ...stored, linked: { ...stored.linked, symbol: false } };
  expect(completed(apart, now).charts).toEqual([now, { symbol: 'XAUUSD', interval: '1d' }]);
  expect(completed(stored, now).charts).toEqual([now, { symbol: 'BTCUSD', interval: '1d' }]);
});
