// Trading calendars against real prices: a bar in closed hours, or none in open ones, shows a wrong calendar.
import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { asEpochMs, HOUR_MS, isMarketOpen, nextSessionChange, zoneToUtc } from '@tickwire/engine';
import { barsIn, importAll } from '../../testing/import/read-rows.fixture.ts';
import { recordingSets } from '../../testing/shared-data.fixture.ts';

/** Whether gold is in one state for a whole hour: open, closed, or `null` if it changes. */
function wholeHour(time: number): 'open' | 'closed' | null {
  const start = asEpochMs(time);
  if (nextSessionChange('metals', start) < time + HOUR_MS) return null;
  return isMarketOpen('metals', start) ? 'open' : 'closed';
}

describe.each(recordingSets('mt5'))('hourly gold prices of a broker, %s recordings', (set, path) => {
  const count = set === 'full' ? 57_600 : 5_843;
  // The server's clock is seven hours ahead of New York, so that its day ends with the trading day.
  const bars = readFileSync(path('mt5/XAUUSDh1.csv'), 'utf8')
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => zoneToUtc('America/New_York', Date.parse(`${line.slice(0, 19).replace(' ', 'T')}Z`) - 7 * HOUR_MS));

  test('are in open hours, but for weeks in which the server changed its clocks on another day', () => {
    expect(bars).toHaveLength(count);
    const outside = bars.filter((time) => wholeHour(time) === 'closed').map((time) => new Date(time).toISOString());
    const clockWeeks = ['2020-10-2', '2021-03-1', '2021-03-2', '2021-10-31', '2021-11-0'];
    expect(outside.filter((time) => !clockWeeks.some((week) => time.startsWith(week))).length).toBeLessThan(15);
    expect(outside.length).toBeLessThan(40);
  });

  test('are there in 99 % of the open hours', () => {
    const known = new Set(bars);
    const [first, last] = [bars[0]!, bars.at(-1)!];
    let [open, absent] = [0, 0];
    for (let time = first; time <= last; time += HOUR_MS) {
      if (wholeHour(time) !== 'open') continue;
      open++;
      if (!known.has(time)) absent++;
    }
    expect(open).toBeGreaterThan(0.98 * count);
    expect(absent / open).toBeLessThan(0.01);
  });
});

describe.each(recordingSets('lean'))('minutes of May 2014, %s recordings', (set, path) => {
  const DAYS = ['20140501_quote.zip', '20140502_quote.zip', '20140505_quote.zip'];

  test.each([
    ['XAUUSD', 'oanda', 'oanda-metals', 3],
    ['EURUSD', 'fxcm', 'forex', 5],
  ] as const)('of %s at %s are in the hours of %s', async (symbol, broker, hours, digits) => {
    const folder = `lean/${symbol.toLowerCase()}-${broker}/minute`;
    const { rows } = await importAll(
      DAYS.map((day) => path(`${folder}/${day}`)),
      { symbol, digits },
    );
    const times = barsIn(rows).map(({ time }) => time);
    expect(times.length).toBeGreaterThan(set === 'full' ? 2_700 : 900);
    expect(times.filter((time) => !isMarketOpen(hours, time)).map((time) => new Date(time).toISOString())).toEqual([]);
  });
});
