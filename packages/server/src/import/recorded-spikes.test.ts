// The spike filter on real recordings: every tick passes at once, crossed quotes included.
import { expect, test } from 'bun:test';
import { specOf } from '../../testing/import/store-dump.fixture.ts';
import { sharedData, sharedDataMissing } from '../../testing/shared-data.fixture.ts';
import { PASS, SpikeFilter } from '../market/spike-filter.ts';
import { readImport } from './read-files.ts';
import { RowEvents } from './row-events.ts';

const threeDays = (folder: string): string[] =>
  ['01', '02', '05'].map((day) => `lean/${folder}/tick/201405${day}_quote.zip`);
const RECORDINGS: [symbol: string, ticks: number, paths: string[]][] = [
  ['BTCUSDT', 37_797, ['binance-spot/btcusdt_20240808.gz']],
  ['ETHUSDT', 30_183, ['binance-spot/ethusdt_20240808.gz']],
  ['EURUSD', 3_733, ['dukascopy/sample_tick_data.json']],
  ['EURUSD', 205_602, threeDays('eurusd-fxcm')],
  ['XAUUSD', 580_963, threeDays('xauusd-oanda')],
];

test.skipIf(RECORDINGS.some(([, , [path]]) => sharedDataMissing(path!))).each(RECORDINGS)(
  'the recording of %s passes with all of its %p ticks',
  async (symbol, ticks, paths) => {
    const instrument = specOf(symbol);
    const filter = new SpikeFilter(null);
    const events = new RowEvents(instrument.symbol);
    let [passed, others] = [0, 0];
    const { batches } = readImport(paths.map(sharedData), { symbol, digits: 5, format: 'auto' });
    for await (const { rows } of batches) {
      for (const row of rows) {
        if (row.kind === 'bar') continue;
        if (filter.decide(instrument, events.convert(row), 'recording') === PASS) passed++;
        else others++;
      }
    }
    expect([passed, others]).toEqual([ticks, 0]);
  },
);
