import { describe, expect, test } from 'bun:test';
import { importBytes, skippedIn, utc } from '../../../testing/import/read-rows.fixture.ts';

const TIMES = ['2024-01-02T00:00:00Z', '2024-01-02T01:00:00Z', '2024-01-02T02:00:00Z'].map((text) => utc(text) / 1000);

/** A file with one bar per time, of the same prices. */
function hstFile(version: 400 | 401, period: number, times: readonly number[]): Uint8Array {
  const length = version === 400 ? 44 : 60;
  const bytes = Buffer.alloc(148 + times.length * length);
  bytes.writeInt32LE(version, 0);
  bytes.write('Copyright', 4);
  bytes.write('EURUSD', 68);
  bytes.writeInt32LE(period, 80);
  bytes.writeInt32LE(5, 84);
  const [open, high, low, close] = [1.1, 1.103, 1.099, 1.102];
  for (const [index, time] of times.entries()) {
    const at = 148 + index * length;
    if (version === 400) {
      bytes.writeInt32LE(time, at);
      for (const [field, value] of [open, low, high, close, 42].entries())
        bytes.writeDoubleLE(value, at + 4 + 8 * field);
    } else {
      bytes.writeBigInt64LE(BigInt(time), at);
      for (const [field, value] of [open, high, low, close].entries()) bytes.writeDoubleLE(value, at + 8 + 8 * field);
      bytes.writeBigInt64LE(42n, at + 40);
      bytes.writeInt32LE(7, at + 48);
      bytes.writeBigInt64LE(99n, at + 52);
    }
  }
  return bytes;
}

describe('MetaTrader .hst', () => {
  test.each([400, 401] as const)('reads version %d, in chunks of any size', async (version) => {
    const file = hstFile(version, 60, TIMES);
    for (const lengths of [[], [1], [100, 60, 1, 40, 3]]) {
      const { rows, report } = await importBytes('EURUSD60.hst', file, { timezone: 'UTC+2' }, lengths);
      expect(report.skippedLines).toBe(0);
      expect(report.statedDigits).toBe(5);
      expect(rows.map(({ time }) => time as number)).toEqual(TIMES.map((time) => (time - 7200) * 1000));
      expect(rows[1]).toMatchObject({
        kind: 'bar',
        timeframe: '1h',
        basis: 'bid',
        open: 1.1,
        high: 1.103,
        low: 1.099,
        close: 1.102,
        volume: 42,
      });
    }
  });

  test('requires a time zone, and reports a record that is cut off', async () => {
    const file = hstFile(401, 60, TIMES);
    await expect(importBytes('EURUSD60.hst', file)).rejects.toThrow('specify --timezone');
    const cut = await importBytes('EURUSD60.hst', file.subarray(0, -1), { timezone: 'UTC' });
    expect(cut.rows.length).toBe(2);
    expect(skippedIn(cut.report)).toEqual({ cut_record: 1 });
  });

  test('rejects a file without a header, and other versions', async () => {
    const file = hstFile(401, 60, TIMES);
    await expect(importBytes('EURUSD60.hst', file.subarray(0, 100))).rejects.toThrow('header is missing');
    file[0] = 0x8f;
    await expect(importBytes('EURUSD60.hst', file)).rejects.toThrow('unknown format');
  });
});
