// Imports every file of the corpus with the command, in process, into a store of its own, and compares what is stored with the
// known values.

import { afterAll, describe, expect, spyOn, test } from 'bun:test';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { PriceEvent } from '@tickwire/engine';
import type { CorpusEntry, ExpectedBars } from '../../testing/import/corpus/entry.ts';
import { CORPUS } from '../../testing/import/corpus/manifest.ts';
import { dumpOf, newFolder, ticksOf } from '../../testing/import/store-dump.fixture.ts';
import { importFiles } from './import.ts';

const FILES = join(import.meta.dir, '../../testing/import/corpus/files');
const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

interface BarRecord {
  readonly symbol: string;
  readonly timeframe: string;
  readonly [column: string]: unknown;
}

/** Runs the command; an expected error ends it with status 1 and its message, as in main.ts. */
async function runImportCommand(args: string[]): Promise<{ status: number; output: string }> {
  let output = '';
  const collect = (text: unknown): boolean => {
    output += String(text);
    return true;
  };
  const spies = [
    spyOn(process.stdout, 'write').mockImplementation(collect),
    spyOn(process.stderr, 'write').mockImplementation(collect),
  ];
  try {
    return { status: await importFiles(args), output };
  } catch (error) {
    return { status: 1, output: output + (error as Error).message };
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}

const argsOf = ({ file, symbol, flags = [] }: CorpusEntry, data: string): string[] => [
  join(FILES, file),
  '--symbol',
  symbol,
  '--data',
  data,
  ...flags,
];

const quoteValues = (tick: PriceEvent) =>
  tick.kind === 'quote' ? [[tick.time as number, tick.bid, tick.ask, tick.bidSize, tick.askSize]] : [];
/** A side that was inferred counts as missing. */
const tradeValues = (tick: PriceEvent) =>
  tick.kind === 'trade'
    ? [[tick.time as number, tick.price, tick.size, tick.sideMethod === null ? tick.side : null, tick.id ?? null]]
    : [];

const LENGTHS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400, w: 604_800, M: 2_592_000 };
const lengthOf = (series: string): number => Number.parseInt(series, 10) * LENGTHS[series.split('@')[0]!.at(-1)!]!;

function requireBars(stored: readonly BarRecord[], { series, basis, rows, symbol }: ExpectedBars, own: string): void {
  const ofSymbol = stored.filter((bar) => bar.symbol === (symbol ?? own));
  const found = ofSymbol.filter((bar) => bar.timeframe === series);
  const values = ({ time, open, high, low, close, volume }: BarRecord) => [time, open, high, low, close, volume];
  // A sum of volumes may differ in the last digit of a float.
  const rounded = (row: readonly unknown[]) => row.map((value) => Number((value as number).toFixed(8)));
  expect(found.map(values).map(rounded)).toEqual(rows.map(rounded));
  expect(new Set(found.map((bar) => bar.basis))).toEqual(new Set([basis]));
  expect(ofSymbol.filter(({ timeframe }) => lengthOf(timeframe) < lengthOf(series))).toEqual([]);
}

async function check(entry: CorpusEntry): Promise<void> {
  const data = newFolder();
  folders.push(data);
  const { status, output } = await runImportCommand(argsOf(entry, data));
  const { bars = [], quotes = [], trades = [], refusal } = entry.expect;
  const hasStore = existsSync(join(data, 'live', 'market.db'));
  const stored = hasStore ? (dumpOf(data).bars as BarRecord[]) : [];
  const ticks = hasStore ? await ticksOf(data) : [];
  if (refusal !== undefined) {
    expect(output).toContain(refusal);
    expect({ status, bars: stored.length, ticks: ticks.length }).toEqual({ status: 1, bars: 0, ticks: 0 });
    return;
  }
  const { leftOut } = entry.expect;
  expect({ status, output }).toEqual({
    status: leftOut === undefined ? 0 : 1,
    output: expect.stringContaining(leftOut ?? ''),
  });
  for (const expected of bars) requireBars(stored, expected, entry.symbol);
  expect(ticks.flatMap(quoteValues)).toEqual(quotes as never);
  expect(ticks.flatMap(tradeValues)).toEqual(trades as never);
}

/** What a dry run says about the store must be what the import stores. */
async function checkDryRun(entry: CorpusEntry): Promise<void> {
  const data = join(newFolder(), 'none');
  folders.push(join(data, '..'));
  const { status, output } = await runImportCommand([...argsOf(entry, data), '--dry-run']);
  expect(existsSync(data)).toBe(false);
  expect(output).not.toContain('\u001b');
  if (entry.expect.refusal !== undefined) {
    expect(status).toBe(1);
    expect(output).toContain(entry.expect.refusal);
    return;
  }
  expect(status).toBe(entry.expect.leftOut === undefined ? 0 : 1);
  for (const { series, rows } of entry.expect.bars ?? []) {
    const [first, last] = [rows[0]![0]!, rows.at(-1)![0]!].map((time) => new Date(time).toISOString());
    expect(output).toContain(`bars ${series.padEnd(5)} ${rows.length} bars, ${first} to ${last}\n`);
  }
  const ticks = (entry.expect.quotes ?? entry.expect.trades ?? []).length;
  if (ticks > 0) expect(output).toContain(`tape       ${ticks} ticks in `);
}

describe('corpus of files', () => {
  test('has an entry per file, and is as its generator writes it', () => {
    expect(new Set(CORPUS.map(({ file }) => file)).size).toBe(CORPUS.length);
    for (const { file, content } of CORPUS) {
      const bytes = readFileSync(join(FILES, file));
      // Compressed files depend on the version of zlib.
      if (content !== undefined && !/\.(gz|zip|xlsx)$/.test(file))
        expect([file, bytes.equals(Buffer.from(content))]).toEqual([file, true]);
    }
  });

  for (const entry of CORPUS) {
    const outcome = entry.expect.refusal === undefined ? 'imports' : 'refuses';
    test(`${outcome} ${entry.file}`, () => check(entry));
    test(`shows ${entry.file} in a dry run`, () => checkDryRun(entry));
  }
});
