// The spike filter on real recordings: every tick passes at once, crossed quotes included.
import { describe, expect, test } from 'bun:test';
import { surveyedImport } from '../../testing/import/read-rows.fixture.ts';
import { specOf } from '../../testing/import/store-dump.fixture.ts';
import { recordingSets } from '../../testing/shared-data.fixture.ts';
import { PASS, SpikeFilter } from '../market/spike-filter.ts';
import { RowEvents } from './write/row-events.ts';

const threeDays = (folder: string): string[] =>
  ['01', '02', '05'].map((day) => `lean/${folder}/tick/201405${day}_quote.zip`);
const RECORDINGS: [symbol: string, source: string, paths: string[], ticks: { compact: number; full: number }][] = [
  ['BTCUSDT', 'Binance', ['binance-spot/btcusdt_20240808.gz'], { compact: 37_797, full: 37_797 }],
  ['ETHUSDT', 'Binance', ['binance-spot/ethusdt_20240808.gz'], { compact: 30_183, full: 30_183 }],
  ['EURUSD', 'Dukascopy', ['dukascopy/sample_tick_data.json'], { compact: 3_733, full: 3_733 }],
  ['EURUSD', 'FXCM', threeDays('eurusd-fxcm'), { compact: 59_142, full: 205_602 }],
  ['XAUUSD', 'OANDA', threeDays('xauusd-oanda'), { compact: 64_507, full: 580_963 }],
];

describe.each(recordingSets('lean'))('%s recordings', (set, path) => {
  test.each(RECORDINGS)('every tick of %s from %s passes', async (symbol, _source, paths, ticks) => {
    const instrument = specOf(symbol);
    const filter = new SpikeFilter(null);
    const events = new RowEvents(instrument.symbol);
    let [passed, others] = [0, 0];
    const { batches } = await surveyedImport(paths.map(path), { symbol, digits: 5 });
    for await (const { rows } of batches) {
      for (const row of rows) {
        if (row.kind === 'bar') continue;
        if (filter.decide(instrument, events.convert(row), 'recording') === PASS) passed++;
        else others++;
      }
    }
    expect([passed, others]).toEqual([ticks[set], 0]);
  });
});
