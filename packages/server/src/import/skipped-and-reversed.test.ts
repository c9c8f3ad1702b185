// Skipped rows and rows in reverse order, in the store.
import { describe, expect, test } from 'bun:test';
import { asSymbol, MINUTE_MS, type PriceEvent } from '@tickwire/engine';
import { dumpOf, importFolders, importInto, ticksOf, withStore } from '../../testing/import/store-dump.fixture.ts';

const { folder, fileOf } = importFolders();

const START = Date.UTC(2024, 0, 2);
const EURUSD = asSymbol('EURUSD');
const noise = (index: number): number => Math.imul(index, 2_654_435_761) >>> 20;
describe('import', () => {
  test('does not count minutes with skipped rows as covered', async () => {
    const at = folder();
    const line = (minute: number): string => `${START + minute * MINUTE_MS},${minute === 4 ? 'x' : '1.1'},1.2\n`;
    const path = fileOf('holes.csv', `time,bid,ask\n${Array.from({ length: 10 }, (_, i) => line(i)).join('')}`);
    await expect(importInto(at, 'EURUSD', [path])).rejects.toThrow('1 of 10 rows (10 %) cannot be used');
    expect(dumpOf(at)).toMatchObject({ bars: [], watched: [], blocks: [] });
    await importInto(at, 'EURUSD', [path], {}, { allowSkipped: true });
    const covered = await withStore(at, ({ market }) => market.watched(EURUSD, 0, 1e14));
    expect(covered.map(({ from, to }) => [(from - START) / MINUTE_MS, (to - START) / MINUTE_MS])).toEqual([
      [0, 4],
      [5, 10],
    ]);
  });

  test('makes the same ticks of a file that runs backwards, also within a millisecond', async () => {
    const rows = Array.from(
      { length: 250_000 },
      (_, i) => `${START + Math.floor(i / 3) * 50},${(110_000 + (noise(i) % 50)) / 1e5},${1 + (i % 4)}\n`,
    );
    const [up, down] = [folder(), folder()];
    await importInto(up, 'EURUSD', [fileOf('up.csv', `time,price,size\n${rows.join('')}`)]);
    await importInto(down, 'EURUSD', [fileOf('down.csv', `time,price,size\n${rows.toReversed().join('')}`)]);
    expect(Bun.deepEquals(dumpOf(down).bars, dumpOf(up).bars)).toBe(true);
    const priceOf = (tick: PriceEvent): number[] => (tick.kind === 'trade' ? [tick.time, tick.price, tick.size] : []);
    expect(Bun.deepEquals((await ticksOf(down)).map(priceOf), (await ticksOf(up)).map(priceOf))).toBe(true);
  });
});
