// Rate of ticks pushed over HTTP and WebSocket, and imported from a CSV file.
import { closeSync, mkdirSync, openSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { createAccount, issueKey } from '../../packages/server/src/access/issue-key.ts';
import { openSqliteAccessStore } from '../../packages/server/src/store/sqlite/open-sqlite-store.ts';
import type { TickFramesResult } from '../load/tick-frames.ts';
import type { ServerChild } from '../processes/children.ts';
import { MAIN, startTickwire } from '../processes/tickwire.ts';
import type { ReportSection } from '../results.ts';
import { TARGETS } from '../targets.ts';
import type { Bench, Scenario } from './scenario.ts';

const BATCH_LINES = 50_000;
const PUSH = 'POST /ingest/ticks';
const FRAMES = '/ws/ingest, one tick per frame';
const TICK_FRAMES = join(import.meta.dir, '../load/tick-frames.ts');
const FRAMES_TIMEOUT_MS = 120_000;
const IMPORT = 'tickwire import';

export const ingest: Scenario = {
  steps: ({ rounds }) => rounds * 2,
  async run(bench) {
    const batches = bench.quick ? 8 : 20;
    const rows = bench.quick ? 500_000 : 2_000_000;
    const pushed: number[] = [];
    const framed: number[] = [];
    const imported: number[] = [];
    for (let round = 1; round <= bench.rounds; round++) {
      bench.progress.show(`ingest: push, round ${round} of ${bench.rounds}`);
      await bench.quiet.wait();
      const body = lines(Date.now());
      await withPushService(bench, async (server, key) => {
        pushed.push(await timePush(server, key, body, batches));
        framed.push(await timeFrames(bench, server, key, body));
      });
      bench.progress.advance();
      bench.progress.show(`ingest: import, round ${round} of ${bench.rounds}`);
      const folder = bench.folder();
      const file = join(folder, 'ticks.csv');
      writeTicks(file, rows);
      imported.push(await timeImport(bench, folder, file, rows));
      bench.progress.advance();
    }
    return [pushSection(pushed, framed), importSection(imported)];
  },
};

/** Quotes and trades of five instruments within the last second. */
function lines(now: number): string {
  const prices = Object.entries({
    EURUSD: 108_412,
    GBPUSD: 129_830,
    USDJPY: 15_012_300,
    USDCHF: 88_120,
    AUDUSD: 65_410,
  });
  return Array.from({ length: BATCH_LINES }, (_, index) => {
    const [symbol, ticks] = prices[index % prices.length]!;
    const price = (ticks + (index % 40)) / 1e5;
    const time = now - 1_000 + Math.floor(index / 50);
    if (index % 3 === 2)
      return JSON.stringify({ symbol, time, price: Math.round(price * 1e3) / 1e3, size: 1, side: 'buy' });
    return JSON.stringify({ symbol, time, bid: Math.round(price * 1e3) / 1e3, ask: Math.round(price * 1e3 + 1) / 1e3 });
  }).join('\n');
}

async function withPushService(
  { children, cores, folder: newFolder }: Bench,
  work: (server: ServerChild, key: string) => Promise<void>,
): Promise<void> {
  const folder = join(newFolder(), 'data');
  mkdirSync(folder);
  const key = await ingestKey(folder);
  const env = { TICKWIRE_FEEDS: 'push', TICKWIRE_INGEST_LINES_PER_MINUTE: '1000000000' };
  const server = await startTickwire(children, cores.server, { folder, env });
  await work(server, key);
  await server.stop();
}

async function timePush(server: ServerChild, key: string, body: string, batches: number): Promise<number> {
  const url = `http://127.0.0.1:${server.port}/ingest/ticks`;
  const send = async (): Promise<number> => {
    const response = await fetch(url, { method: 'POST', body, headers: { 'X-API-Key': key } });
    return ((await response.json()) as { accepted: number }).accepted;
  };
  await send();
  const started = performance.now();
  let accepted = 0;
  for (let batch = 0; batch < batches; batch++) accepted += await send();
  const seconds = (performance.now() - started) / 1000;
  if (accepted !== batches * BATCH_LINES) throw new Error(`${accepted} of ${batches * BATCH_LINES} lines were taken`);
  return accepted / seconds;
}

async function timeFrames(
  { children, cores, folder, quick }: Bench,
  server: ServerChild,
  key: string,
  body: string,
): Promise<number> {
  const frames = quick ? 100_000 : 500_000;
  const file = join(folder(), 'lines.txt');
  writeFileSync(file, body);
  const command = [...cores.load, process.execPath, TICK_FRAMES, String(server.port), key, file, String(frames)];
  const { accepted, seconds } = await children.job<TickFramesResult>(command, FRAMES_TIMEOUT_MS);
  if (accepted !== frames) throw new Error(`${accepted} of ${frames} frames were taken`);
  return frames / seconds;
}

async function ingestKey(folder: string): Promise<string> {
  const { access, close } = openSqliteAccessStore(folder);
  try {
    const by = { store: access, actor: 'bench', now: Date.now() };
    const account = await createAccount(by, 'bench', 'premium', true);
    return (await issueKey(by, { name: 'bench', scopes: ['ingest'], expiresAt: null, account })).key;
  } finally {
    close();
  }
}

/** A generic CSV of quotes, four per second. Written in chunks, because the file is too large for a string. */
function writeTicks(file: string, rows: number): void {
  const handle = openSync(file, 'w');
  const start = Date.UTC(2024, 0, 2);
  writeSync(handle, 'time,bid,ask\n');
  for (let at = 0; at < rows; ) {
    let piece = '';
    for (const end = Math.min(rows, at + 50_000); at < end; at++) {
      const bid = 108_000 + ((at * 7) % 613);
      piece += `${start + at * 250},${(bid / 1e5).toFixed(5)},${((bid + 9) / 1e5).toFixed(5)}\n`;
    }
    writeSync(handle, piece);
  }
  closeSync(handle);
}

async function timeImport({ cores }: Bench, folder: string, file: string, rows: number): Promise<number> {
  const started = performance.now();
  const args = ['import', file, '--symbol', 'EURUSD', '--timezone', 'UTC', '--data', join(folder, 'data')];
  const child = Bun.spawn([...cores.server, process.execPath, MAIN, ...args], { stdout: 'ignore', stderr: 'pipe' });
  const status = await child.exited;
  if (status !== 0) throw new Error(`the import failed: ${await new Response(child.stderr).text()}`);
  return rows / ((performance.now() - started) / 1000);
}

function pushSection(pushed: readonly number[], framed: readonly number[]): ReportSection {
  return {
    title: 'Push: ticks over HTTP and WebSocket',
    lines: [
      { contender: PUSH, missing: null, figures: [{ name: 'ticks/s', unit: '', values: pushed }] },
      { contender: FRAMES, missing: null, figures: [{ name: 'ticks/s', unit: '', values: framed }] },
    ],
    verdicts: [
      { what: 'push: ticks/s', unit: '', values: pushed, bar: TARGETS.push, unjudged: null },
      { what: 'push: frames/s of one tick each', unit: '', values: framed, bar: TARGETS.pushFrames, unjudged: null },
    ],
    notes: [
      'Every line was accepted (checked). They are checked, applied to bars and flow, and taped while they come in.',
    ],
  };
}

function importSection(imported: readonly number[]): ReportSection {
  return {
    title: 'Import: ticks from a CSV file',
    lines: [{ contender: IMPORT, missing: null, figures: [{ name: 'rows/s', unit: '', values: imported }] }],
    verdicts: [{ what: 'import: rows/s', unit: '', values: imported, bar: TARGETS.import, unjudged: null }],
    notes: ['From the command to its end: the start of the process, the tape and bars in six timeframes are in it.'],
  };
}
