import { afterAll, describe, expect, test } from 'bun:test';
import { existsSync, mkdtempSync, readdirSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { importAll, importBytes, skippedIn, surveyedImport } from '../../testing/import/read-rows.fixture.ts';
import { zipOf } from '../../testing/import/zip.fixture.ts';
import { eventually } from '../../testing/process.fixture.ts';
import { ImportError } from './import-error.ts';
import type { ReadOptions } from './read-files.ts';

const folder = mkdtempSync(join(tmpdir(), 'tickwire-import-'));
afterAll(() => rmSync(folder, { recursive: true }));

function fileOf(name: string, bytes: Uint8Array | string): string {
  const path = join(folder, name);
  writeFileSync(path, bytes);
  return path;
}

async function faultOf(path: string, options: Partial<ReadOptions> = {}): Promise<ImportError> {
  try {
    await importAll([path], options);
  } catch (error) {
    if (error instanceof ImportError) return error;
    throw error;
  }
  throw new Error('the file was read');
}

const HISTDATA = '20140501 000000123,1.386700,1.386830,0\n';
const START = Date.UTC(2024, 0, 2);

describe('readImport', () => {
  test('reads a million lines with one bad one in small batches', async () => {
    const lines = ['time,bid,ask\n'];
    for (let index = 0; index < 1_000_000; index++) {
      lines.push(index === 700_000 ? 'oops\n' : `${START + index * 10},1.1${index % 1000},1.2\n`);
    }
    const path = fileOf('million.csv', lines.join(''));
    lines.length = 0;
    const { batches, report } = await surveyedImport([path]);
    let rows = 0;
    let largest = 0;
    let progress = 0;
    for await (const batch of batches) {
      rows += batch.rows.length;
      largest = Math.max(largest, batch.rows.length);
      expect(batch.bytesRead).toBeGreaterThanOrEqual(progress);
      progress = batch.bytesRead;
    }
    expect(rows).toBe(999_999);
    expect(report.rows).toBe(999_999);
    expect(largest).toBeLessThan(40_000);
    expect(report.skipped.get('wrong_columns')).toEqual({
      count: 1,
      examples: [{ file: path, line: 700_002, text: 'oops' }],
    });
    expect([report.firstTime as number, report.lastTime as number]).toEqual([START, START + 9_999_990]);
    expect(report.outOfOrder).toBe(0);
  });

  test('reads the same rows from a plain file, a gzip and a zip', async () => {
    const text = HISTDATA.repeat(50_000);
    const plain = await importAll([fileOf('t.csv', text)], {});
    const gzip = await importAll([fileOf('t.csv.gz', gzipSync(text))], {});
    const zip = await importAll([fileOf('t.zip', zipOf([{ name: 't.csv', content: text }]))], {});
    expect(plain.rows.length).toBe(50_000);
    expect(Bun.deepEquals(gzip.rows, plain.rows)).toBe(true);
    expect(Bun.deepEquals(zip.rows, plain.rows)).toBe(true);
  });

  test('ignores and reports a readme in an archive, and rejects an archive without data', async () => {
    const readme = { name: 'readme.txt', content: 'These are ticks.\n' };
    const path = fileOf('histdata.zip', zipOf([{ name: 'ticks.csv', content: HISTDATA }, readme]));
    const { rows, report } = await importAll([path], {});
    expect([rows.length, report.ignored]).toEqual([1, [`${path}!readme.txt`]]);
    const readmes = fileOf('readmes.zip', zipOf([readme, { ...readme, name: 'b.txt' }]));
    expect((await faultOf(readmes)).fault).toBe('unknown_format');
    expect((await faultOf(fileOf('one.zip', zipOf([readme])))).message).toContain('one.zip!readme.txt: unknown format');
  });

  test('reads several files, each in its own format', async () => {
    const paths = [fileOf('a.csv', HISTDATA), fileOf('b.ndjson', `{"time":${START},"price":1.1,"size":1}\n`)];
    const { report } = await importAll(paths, {});
    expect(report.files.map(({ format, rows }) => [format, rows])).toEqual([
      ['histdata', 1],
      ['ndjson', 1],
    ]);
    expect([report.quotes, report.trades]).toEqual([1, 1]);
  });

  test('names the fault and the file if a file cannot be read', async () => {
    expect((await faultOf(fileOf('empty.csv', ''))).fault).toBe('empty_file');
    expect((await faultOf(fileOf('empty.csv.gz', gzipSync('')))).fault).toBe('empty_file');
    const garbage = Uint8Array.from({ length: 100_000 }, (_, index) => (Math.imul(index, 2654435761) >>> 13) & 255);
    const error = await faultOf(fileOf('garbage.bin', garbage));
    expect([error.fault, error.file]).toEqual(['unknown_format', join(folder, 'garbage.bin')]);
    expect(error.message.startsWith(`${error.file}: `)).toBe(true);
    expect((await faultOf(join(folder, 'missing.csv'))).fault).toBe('no_such_file');
    expect((await faultOf(fileOf('c.csv', HISTDATA), { format: 'excel' as never })).fault).toBe('unknown_format');
    expect((await faultOf(fileOf('d.csv', 'time,bid\n1,2\n'), { format: 'csv' })).fault).toBe('wrong_columns');
  });

  test('reads a truncated gzip up to its end, then fails and keeps the report', async () => {
    const text = Array.from({ length: 200_000 }, (_, index) => `${START + index},1.1,1.2${index % 97}\n`).join('');
    const compressed = gzipSync(`time,bid,ask\n${text}`);
    const path = fileOf('cut.csv.gz', compressed.subarray(0, compressed.length >> 1));
    const { batches, report } = await surveyedImport([path]);
    const read = async () => {
      for await (const _ of batches);
    };
    await expect(read()).rejects.toThrow('is truncated');
    expect(report.rows).toBeGreaterThan(10_000);
  });

  test('keeps and counts rows out of order, and reports gaps and trade ids', async () => {
    const text = `time,price,size,trade_id\n${START},1.1,1,5\n${START - 1000},1.1,1,6\n${START + 3_600_000},1.1,1,9\n${START + 3_600_000},1.1,1,9\n`;
    const { rows, report } = await importBytes('x.csv', text);
    expect([rows.length, report.outOfOrder, report.missingIds, report.repeatedIds]).toEqual([4, 1, 2, 1]);
    expect(report.gaps).toEqual({
      count: 1,
      longest: [{ from: START as never, to: (START + 3_600_000) as never, openMs: 3_600_000 }],
    });
  });

  test.skipIf(!existsSync('/proc/self/fd'))('closes the file if reading stops early', async () => {
    const path = fileOf('early.csv.gz', gzipSync(HISTDATA.repeat(100_000)));
    for await (const { rows } of (await surveyedImport([path])).batches) {
      if (rows.length > 0) break;
    }
    const isOpen = (fd: string): boolean => {
      try {
        return readlinkSync(join('/proc/self/fd', fd)) === path;
      } catch {
        return false;
      }
    };
    await eventually('the file is closed', () => !readdirSync('/proc/self/fd').some(isOpen));
  });
});

describe('reads the same rows wherever the bytes are cut into chunks', () => {
  const many = (line: (index: number) => string): string =>
    Array.from({ length: 12 }, (_, index) => line(index)).join('\n');
  const wide = (text: string): Uint8Array => Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')]);
  const bi5 = 'XQAAgAD//////////wAAYAxFqOjJDwLQ3ICiKGYZp6cCIdjKMjJ7W1l2v017Z6pem8ywX1O3JVanSpj233GCDf7+RirA';
  const mt5 = `<DATE>\t<TIME>\t<BID>\t<ASK>\n${many((i) => `2024.01.02\t00:00:0${i % 10}.5\t${i % 2 ? '' : '1.1'}\t1.2${i}`)}\r\n`;
  const contents: [name: string, content: string | Uint8Array][] = [
    ['h.csv', many((i) => `20140501 0000${10 + i}123,1.38${i},1.39,0\r`)],
    ['x.csv', `\ufefftime,bid,ask\n${many((i) => `${START + i},1.1${i},${i === 5 ? 'x' : '1.2'}`)}`],
    ['b.csv', many((i) => `${i},61837.63,0.02,1236.75,${1_723_161_255_342 + i},True,True`)],
    ['oanda/20140501_eurusd_tick_quote.csv', many((i) => `${i}.5,1.1,1.2`)],
    ['d.json', `[\n${many((i) => `[${START + i}, 1.2, 1.1, 1, ${i}.25],`)}\n]`],
    ['o.json', `[${many((i) => `{"timestamp":${START + i},"askPrice":1.2,"bidPrice":1.1}`).replaceAll('\n', ',\n')}]`],
    ['n.ndjson', many((i) => `{"time":${START + i},"bid":1.1,"ask":1.2}`)],
    ['EURUSD/2019/01/04/00h_ticks.bi5', Uint8Array.from(Buffer.from(bi5, 'base64'))],
    ['mt5.csv', mt5],
    ['mt5-wide.csv', wide(mt5)],
  ];

  test.each(contents)('%s', async (name, content) => {
    const options = { timezone: name.startsWith('mt5') ? 'Europe/Athens' : undefined };
    const whole = await importBytes(name, content, options);
    expect(whole.rows.length).toBeGreaterThan(2);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(40), { maxLength: 40 }), async (lengths) => {
        const cut = await importBytes(name, content, options, lengths);
        expect(cut.rows).toEqual(whole.rows);
        expect(skippedIn(cut.report)).toEqual(skippedIn(whole.report));
      }),
      { numRuns: 40 },
    );
  });
});
