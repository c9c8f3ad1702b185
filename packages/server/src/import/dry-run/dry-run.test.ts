import { afterAll, describe, expect, test } from 'bun:test';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { MINUTE_MS } from '@tickwire/engine';
import { dumpOf, importInto, newFolder, specOf } from '../../../testing/import/store-dump.fixture.ts';
import { dryRunImport } from './dry-run.ts';

const folder = newFolder();
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const START = Date.UTC(2024, 0, 2);
function fileOf(name: string, lines: readonly string[]): string {
  writeFileSync(join(folder, name), `${lines.join('\n')}\n`);
  return join(folder, name);
}
const instrument = specOf('EURUSD');
const dryRun = (file: string) =>
  dryRunImport({ files: [file], options: { format: 'auto' }, instrument, instruments: [instrument] });

describe('a dry run', () => {
  test('shows the bars that would be stored, and the first and last rows', async () => {
    const rows = Array.from({ length: 60 }, (_, index) => {
      const price = (1.1 + Math.floor(index / 20) / 100).toFixed(5);
      return `${START + index * MINUTE_MS},${price},${price},${price},${price},5`;
    });
    const file = fileOf('steps.csv', ['time,open,high,low,close,volume', ...rows]);
    const { text } = await dryRun(file);
    expect(text).toBe(`  file       ${file}: CSV with named columns (csv), 60 rows
  zone       as the file or its format states it; the times below are UTC
  bars 1m    60 bars, 2024-01-02T00:00:00.000Z to 2024-01-02T00:59:00.000Z
  bars 5m    12 bars, 2024-01-02T00:00:00.000Z to 2024-01-02T00:55:00.000Z
  bars 15m   4 bars, 2024-01-02T00:00:00.000Z to 2024-01-02T00:45:00.000Z
  bars 1h    1 bar, 2024-01-02T00:00:00.000Z to 2024-01-02T00:00:00.000Z
  bars 4h    1 bar, 2024-01-02T00:00:00.000Z to 2024-01-02T00:00:00.000Z
  bars 1d    1 bar, 2024-01-02T00:00:00.000Z to 2024-01-02T00:00:00.000Z
  first and last 1m bars
    2024-01-02T00:00:00.000Z  open 1.10000  high 1.10000  low 1.10000  close 1.10000  volume 5  (trade)
    2024-01-02T00:01:00.000Z  open 1.10000  high 1.10000  low 1.10000  close 1.10000  volume 5  (trade)
    2024-01-02T00:02:00.000Z  open 1.10000  high 1.10000  low 1.10000  close 1.10000  volume 5  (trade)
    2024-01-02T00:57:00.000Z  open 1.12000  high 1.12000  low 1.12000  close 1.12000  volume 5  (trade)
    2024-01-02T00:58:00.000Z  open 1.12000  high 1.12000  low 1.12000  close 1.12000  volume 5  (trade)
    2024-01-02T00:59:00.000Z  open 1.12000  high 1.12000  low 1.12000  close 1.12000  volume 5  (trade)
`);
  });

  test('counts what the import writes, for ticks in any order and repeated ones', async () => {
    const rows = Array.from({ length: 3_000 }, (_, index) => {
      const time = START + ((index * 7919) % 3_000) * 1_000;
      return `${time},${(1.1 + (index % 50) / 1e5).toFixed(5)},1.10100`;
    });
    const file = fileOf('shuffled.csv', ['time,bid,ask', ...rows, ...rows.slice(0, 100)]);
    const { outcome, text } = await dryRun(file);
    const data = newFolder();
    try {
      const real = await importInto(data, 'EURUSD', [file]);
      expect(outcome.written).toEqual(real.written);
      const counts = Map.groupBy(dumpOf(data).bars as { timeframe: string }[], ({ timeframe }) => timeframe);
      for (const [timeframe, bars] of counts)
        expect(text).toContain(`  bars ${timeframe.padEnd(5)} ${bars.length} bar`);
      expect(text).toContain(`  tape       ${real.written.ticks.toLocaleString('en-US')} ticks in 50 minutes\n`);
    } finally {
      rmSync(data, { recursive: true, force: true });
    }
  });
});
