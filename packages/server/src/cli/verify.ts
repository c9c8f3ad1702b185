// `tickwire verify`: recomputes the signal log, here or of a service elsewhere, and says what in it is false.
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { apiKey } from '../config.ts';
import { Progress } from '../import/progress.ts';
import { type HeadLines, readHeads } from '../signals/verify/check-heads.ts';
import { localLog, remoteLog } from '../signals/verify/log-source.ts';
import { report, summary } from '../signals/verify/summary.ts';
import { type VerifyOptions, verifyLog } from '../signals/verify/verify.ts';
import { openStore } from '../store/open.ts';
import { TapeFiles } from '../store/sqlite/tape-files.ts';
import { StoreError } from '../store/store.ts';
import { type Arguments, readArguments, UsageError } from './arguments.ts';

const HELP = `tickwire verify [--url URL] [--tape FOLDER] [--heads FILE] [--json]

Recomputes the signal log: the chain of hashes, every decision and result from the ticks in its record, and every life again
from the tape where that is still there. Without --url it is the log of the data folder, also while the service runs.
Exit status: 0 nothing false was found, 1 something is, 2 called wrongly.

  --url URL            the log of a service, read with the key in TICKWIRE_API_KEY; its signed head is checked too
  --tape FOLDER        folder of a realm with tape/ and evidence/, in place of the data folder's
  --heads FILE         heads that were kept outside, one a line: each must still be in the log
  --json               the result as JSON
`;

type Checked = Omit<VerifyOptions, 'now' | 'onProgress'> & { readonly name: string };

export async function verify(args: string[]): Promise<number> {
  const given = readArguments(args, { values: ['url', 'tape', 'heads'], switches: ['json'] });
  if (given.on.has('help')) {
    process.stdout.write(HELP);
    return 0;
  }
  if (given.words.length > 0)
    throw new UsageError('usage: tickwire verify [--url URL] [--tape FOLDER] [--heads FILE] [--json]');
  const kept = headsOf(given.flags.heads);
  if (kept.unreadable > 0)
    process.stderr.write(`tickwire: lines of ${given.flags.heads} that are no heads: ${kept.unreadable}\n`);
  const closers: (() => Promise<void> | void)[] = [];
  const bars = new Map<string, Progress>();
  try {
    const checked =
      given.flags.url === undefined ? await local(given, closers) : await remote(given, given.flags.url, closers);
    const started = performance.now();
    const verified = await verifyLog({
      ...checked,
      heads: [...kept.heads, ...checked.heads],
      now: Date.now(),
      onProgress: (what, done, of, rows) => barOf(bars, what).update(done, of, rows),
    });
    for (const bar of bars.values()) bar.end();
    const ms = performance.now() - started;
    process.stdout.write(
      given.on.has('json') ? `${JSON.stringify(report(verified), null, 2)}\n` : summary(verified, checked.name, ms),
    );
    return verified.findings.count > 0 ? 1 : 0;
  } finally {
    for (const bar of bars.values()) bar.end();
    for (const close of closers) await close();
  }
}

async function local({ flags, config: read }: Arguments, closers: (() => Promise<void> | void)[]): Promise<Checked> {
  const config = read();
  const folder = join(config.data, config.realm);
  if (config.database_url === null && !existsSync(join(folder, 'market.db')))
    throw new StoreError(`${folder} does not exist: nothing is stored there`);
  const store = await openStore(config, { role: 'command' });
  closers.push(() => store.close());
  return {
    name: folder,
    source: await localLog(store.signals),
    heads: [],
    store: store.signals,
    tape: tapeOf(flags.tape, closers) ?? { folder, read: (symbol, from, to) => store.market.tapeOf(symbol, from, to) },
  };
}

async function remote({ flags }: Arguments, url: string, closers: (() => Promise<void> | void)[]): Promise<Checked> {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw new UsageError(`--url is ${JSON.stringify(url)}: it must be an address such as https://example.org`);
  const key = apiKey();
  if (key === null) throw new UsageError('TICKWIRE_API_KEY is missing: the log is read with a key that may read');
  const tape = tapeOf(flags.tape, closers);
  const source = await remoteLog({ url, key });
  return { name: url, source, heads: [{ from: `${url}/api/signals/head`, head: source.head }], tape };
}

function tapeOf(path: string | undefined, closers: (() => Promise<void> | void)[]): Checked['tape'] {
  if (path === undefined) return null;
  const folder = resolve(path);
  if (!existsSync(join(folder, 'tape')) && !existsSync(join(folder, 'evidence')))
    throw new UsageError(`--tape is ${JSON.stringify(path)}: it holds neither tape/ nor evidence/`);
  const files = new TapeFiles(join(folder, 'tape'), { backups: join(folder, 'backups') });
  closers.push(() => files.close());
  return { folder, read: async (symbol, from, to) => files.readOf(symbol, from, to) };
}

function headsOf(path: string | undefined): HeadLines {
  if (path === undefined) return { heads: [], unreadable: 0 };
  try {
    return readHeads(readFileSync(resolve(path), 'utf8'), path);
  } catch (error) {
    throw new UsageError(`--heads is ${JSON.stringify(path)}: ${(error as Error).message}`);
  }
}

function barOf(bars: Map<string, Progress>, what: 'log' | 'tape'): Progress {
  const known = bars.get(what);
  if (known) return known;
  for (const bar of bars.values()) bar.end();
  const bar = new Progress({
    label: what,
    terminal: process.stderr.isTTY,
    write: (text) => process.stderr.write(text),
  });
  bars.set(what, bar);
  return bar;
}
