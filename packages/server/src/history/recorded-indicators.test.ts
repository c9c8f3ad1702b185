// Indicators of an imported recording: what REST reads from the store equals a run over the recording itself.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { rmSync } from 'node:fs';
import { parseIndicator } from '@tickwire/contract';
import {
  asSymbol,
  type Bar,
  CATALOGUE,
  chartContext,
  definitionOf,
  INDICATORS,
  IndicatorSeries,
  UTC_DAY,
} from '@tickwire/engine';
import { importInto, newFolder, specOf, ticksOf, withStore } from '../../testing/import/store-dump.fixture.ts';
import { recording } from '../../testing/shared-data.fixture.ts';
import { MarketView } from '../market/market-view.ts';
import { openSqliteStore } from '../store/sqlite/open-sqlite-store.ts';
import type { Store } from '../store/store.ts';
import { LATEST, parseChart } from './chart-reader.ts';
import { readIndicators } from './indicator-reader.ts';

const XAUUSD = asSymbol('XAUUSD');
const folder = newFolder();
let store: Store;
let bars: readonly Bar[];
beforeAll(async () => {
  const { fault } = await importInto(folder, 'XAUUSD', [recording('mt5/XAUUSDh1.csv')], {
    timezone: 'broker',
    pointDigits: 2,
  });
  expect(fault).toBeNull();
  store = openSqliteStore({ folder, realm: 'live', exclusive: true });
  bars = await store.market.bars({ symbol: XAUUSD, timeframe: '1h', from: 0, to: LATEST, limit: 1e5, first: 'oldest' });
});
afterAll(async () => {
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});

const read = (interval: string, name: string, limit: number, to = LATEST) =>
  readIndicators(
    { store: store.market, view: new MarketView(CATALOGUE) },
    parseChart({ interval, align: 'utc' }),
    [parseIndicator(name)],
    { symbol: XAUUSD, from: 0, to, limit, first: 'newest' },
  );

test('the recording is long enough for all indicators', () => expect(bars.length).toBeGreaterThan(5_000));

// The recording has no sides of trades.
describe.each([...INDICATORS.keys()].filter((name) => name !== 'cvd'))('%s', (name) => {
  test('of the newest hours, and of an earlier page, equals the whole recording', async () => {
    const spec = parseIndicator(name);
    const series = new IndicatorSeries(definitionOf(spec), spec.inputs, chartContext(UTC_DAY, true));
    const expected = new Map(bars.map((bar) => [bar.time, series.add(bar)]));
    for (const to of [LATEST, bars[4_000]!.time]) {
      const table = await read('1h', name, 300, to);
      expect(table.bars.length).toBe(300);
      for (const [at, { values, settled }] of table.columns[0]!.rows.entries()) {
        expect(settled).toBe(true);
        const reference = expected.get(table.bars[at]!.time)!;
        for (const [line, value] of values.entries()) {
          const distance = Math.abs(value - reference.values[line]!);
          expect(distance).toBeLessThanOrEqual(1e-9 * Math.max(1, Math.abs(reference.values[line]!)));
        }
      }
    }
  });
});

test('the delta of a recording without sides is refused', async () => {
  await expect(read('1h', 'cvd', 10)).rejects.toMatchObject({ code: 'no_trades' });
});

test('the delta of recorded trades is bought minus sold volume', async () => {
  const spec = { ...specOf('BTCUSDT'), symbol: asSymbol('BTCUSDT') };
  const at = newFolder();
  await importInto(at, 'BTCUSDT', [recording('binance-spot/btcusdt_20240808.gz')]);
  const trades = (await ticksOf(at)).flatMap((tick) => (tick.kind === 'trade' ? [tick] : []));
  const { bars: minutes, columns } = await withStore(at, ({ market }) =>
    readIndicators(
      { store: market, view: new MarketView([...CATALOGUE, spec]) },
      parseChart({ interval: '1m', align: 'utc' }),
      [parseIndicator('cvd(first)')],
      { symbol: spec.symbol, from: 0, to: LATEST, limit: 10_000, first: 'newest' },
    ),
  );
  rmSync(at, { recursive: true, force: true });
  expect(trades.length).toBeGreaterThan(100);
  for (const [index, { values, settled }] of columns[0]!.rows.entries()) {
    const end = minutes[index]!.time + 60_000;
    const before = trades.filter(({ time }) => time < end);
    const delta = before.reduce((sum, { side, size }) => sum + (side === 'buy' ? size : -size), 0);
    expect(values[0]!).toBeCloseTo(delta, 5);
    expect(settled).toBe(true);
  }
});
