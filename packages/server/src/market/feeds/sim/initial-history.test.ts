import { afterAll, expect, test } from 'bun:test';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { TIMEFRAMES } from '@tickwire/contract';
import { asEpochMs, asSymbol, CATALOGUE, DAY_MS, Engine } from '@tickwire/engine';
import { temporaryFolder } from '../../../../testing/service.fixture.ts';
import { openSqliteStore } from '../../../store/sqlite/open-sqlite-store.ts';
import type { MarketStore } from '../../../store/store.ts';
import { MarketView } from '../../market-view.ts';
import { writeInitialHistory } from './initial-history.ts';
import { SimMarket } from './sim-market.ts';

const folder = temporaryFolder();
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('a start that ends before the marks are stored leaves those of the run before', async () => {
  const instruments = CATALOGUE.filter(({ symbol }) => symbol === asSymbol('EURUSD'));
  const market = new SimMarket(instruments, { seed: 1, rate: 1, hours: 'always' });
  const { market: store } = openSqliteStore({ folder, realm: 'sim', exclusive: true });
  const marks = () => Promise.all(['bars_until', 'tape_from'].map((name) => store.number(name)));
  const renew = (until: number, written: MarketStore): Promise<void> =>
    writeInitialHistory({
      ...{ market, store: written, until: asEpochMs(until), keepUntil: until - DAY_MS },
      ...{ engine: new Engine(instruments), view: new MarketView(instruments) },
    });
  const noon = Date.UTC(2026, 2, 4, 12);
  await renew(noon, store);
  expect(await marks()).toEqual([noon, noon]);
  const full = { ...store, write: () => Promise.reject(new Error('the process ends here')) };
  await expect(renew(noon + DAY_MS, full)).rejects.toThrow('ends here');
  expect(await marks()).toEqual([noon, noon]);
});

test('the bars of one instrument are written at a time', async () => {
  const instruments = CATALOGUE.slice(0, 3);
  const market = new SimMarket(instruments, { seed: 1, rate: 1, hours: 'always' });
  const { market: store } = openSqliteStore({ folder: join(folder, 'another'), realm: 'sim', exclusive: true });
  const written: string[][] = [];
  await writeInitialHistory({
    market,
    engine: new Engine(instruments),
    view: new MarketView(instruments),
    store: {
      ...store,
      writeImported: async ({ bars }) => {
        written.push([...new Set(bars.map(({ symbol, timeframe }) => `${symbol} ${timeframe}`))]);
      },
    },
    until: asEpochMs(Date.UTC(2026, 2, 4, 12)),
    keepUntil: 0,
  });
  expect(written).toEqual(instruments.map(({ symbol }) => TIMEFRAMES.map((timeframe) => `${symbol} ${timeframe}`)));
});
