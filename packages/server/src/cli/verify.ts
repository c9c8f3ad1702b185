// `tickwire verify`: recomputes the signal log, local or of another service, and reports what does not match.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { OpenedRecord } from '@tickwire/contract';
import { apiKey } from '../config/config.ts';
import { StoreError } from '../errors/store-error.ts';
import { type ProgressBar, stderrProgress } from '../ops/progress.ts';
import { keptHead } from '../signals/head.ts';
import { parseRecord } from '../signals/log-records.ts';
import { type HeadLines, type HeadToCheck, readHeads } from '../signals/verify/check-heads.ts';
import { localLog, remoteLog } from '../signals/verify/log-source.ts';
import { exitStatus } from '../signals/verify/not-proved.ts';
import { RemoteService } from '../signals/verify/remote-service.ts';
import { type VerifyOptions, type VerifyStep, verifyLog } from '../signals/verify/verify.ts';
import { verifyReport, verifySummary } from '../signals/verify/verify-report.ts';
import { openStore } from '../store/open-store.ts';
import { damagedBlocks } from '../store/sql/market-store.ts';
import { SqliteTapeStore } from '../store/sqlite/tape-store.ts';
import type { Store } from '../store/store.ts';
import { type Arguments, printHelp, readArguments, UsageError } from './arguments.ts';

const HELP = `tickwire verify [--url URL] [--tape FOLDER] [--heads FILE] [--json]

Recomputes the signal log: the hash chain, every decision and result from the ticks in its record, and every signal from
the tape, if that is still available. Checks the time stamps of heads against the roots in TICKWIRE_TIMESTAMP_CA, or the
public ones. Without --url it verifies the log of the data folder, also while the service runs.
The engine judges, as it does in the service: a fault of the engine itself is found by tickwire-verify, the command of the Python
package, which has its own implementation of the rules.
The last lines say what the result does not prove.
Exit status: 0 no fault found, 1 faults found or heads not readable, 2 invalid arguments, 3 no fault found but ticks were not served.

  --url URL            verify the log of a service, with its heads and its tape; needs a key in TICKWIRE_API_KEY
  --tape FOLDER        use the tape/ and evidence/ of this folder instead of those in the data folder or of the service
  --heads FILE         heads that were stored elsewhere, one per line, with or without time stamps; each must still be in the log
  --json               print the result as JSON
`;

const HEADS_AT_ONCE = 1_000;
const UNITS: Readonly<Record<VerifyStep, string>> = { log: 'rows', heads: 'heads', evidence: 'days', tape: 'rows' };

type VerifyInput = Omit<VerifyOptions, 'now' | 'onProgress'> & { readonly name: string };

export async function verify(args: string[]): Promise<number> {
  const given = readArguments(args, { values: ['url', 'tape', 'heads'], switches: ['json'] });
  if (printHelp(given.on, HELP)) return 0;
  if (given.words.length > 0)
    throw new UsageError('usage: tickwire verify [--url URL] [--tape FOLDER] [--heads FILE] [--json]');
  const external = headsOf(given.flags.heads);
  if (external.unreadable > 0)
    process.stderr.write(
      `tickwire: lines in ${given.flags.heads} that are not heads and were not checked: ${external.unreadable}\n`,
    );
  const closers: (() => Promise<void> | void)[] = [];
  const bars = new Map<string, ProgressBar>();
  try {
    const input =
      given.flags.url === undefined ? await local(given, closers) : await remote(given, given.flags.url, closers);
    const started = performance.now();
    const verified = await verifyLog({
      ...input,
      heads: [...external.heads, ...input.heads],
      now: Date.now(),
      onProgress: (what, done, of, rows) => barOf(bars, what).update(done, of, rows),
    });
    for (const bar of bars.values()) bar.end();
    const ms = performance.now() - started;
    process.stdout.write(
      given.on.has('json')
        ? `${JSON.stringify(verifyReport(verified), null, 2)}\n`
        : verifySummary(verified, input.name, ms),
    );
    return external.unreadable > 0 ? 1 : exitStatus(verified);
  } finally {
    for (const bar of bars.values()) bar.end();
    for (const close of closers) await close();
  }
}

async function local(
  { flags, config: read }: Arguments,
  closers: (() => Promise<void> | void)[],
): Promise<VerifyInput> {
  const config = read();
  const folder = join(config.data, config.realm);
  if (config.database_url === null && !existsSync(join(folder, 'market.db')))
    throw new StoreError(`there is no signal log in ${folder}`);
  const store = await openStore(config, { role: 'command' });
  closers.push(() => store.close());
  return {
    name: folder,
    source: await localLog(store.signals),
    heads: await storedHeads(store),
    timestampCa: config.timestamp_ca,
    store: store.signals,
    tape: tapeOf(flags.tape, closers) ?? {
      folder,
      read: (symbol, from, to) => store.market.tapeOf(symbol, from, to),
      damaged: () => store.market.damagedTape(),
    },
  };
}

async function remote(
  { flags, config: read }: Arguments,
  url: string,
  closers: (() => Promise<void> | void)[],
): Promise<VerifyInput> {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw new UsageError(`--url is ${JSON.stringify(url)}, but must be an address such as https://example.org`);
  const key = apiKey();
  if (key === null)
    throw new UsageError('TICKWIRE_API_KEY is missing; reading the log needs a key with the scope read');
  const service = new RemoteService({ url, key });
  const source = await remoteLog(service);
  return {
    name: url,
    source,
    heads: [
      { from: `${url}/api/signals/head`, head: source.head },
      ...source.kept.map((head) => ({ from: `${url}/api/signals/heads`, head })),
    ],
    timestampCa: read().timestamp_ca,
    tape: tapeOf(flags.tape, closers) ?? { service, downloads: downloadFolder(closers) },
  };
}

function downloadFolder(closers: (() => Promise<void> | void)[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'tickwire-verify-'));
  closers.push(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Heads that the service has kept beside the log. */
async function storedHeads({ signals, heads }: Store): Promise<HeadToCheck[]> {
  const [first] = await signals.log(-1, 1);
  if (!first) return [];
  const identity = parseRecord<OpenedRecord>(first);
  const found: HeadToCheck[] = [];
  for (let after = -1; ; after = found.at(-1)!.head.n) {
    const page = await heads.list(after, HEADS_AT_ONCE);
    found.push(...page.map((head) => ({ from: 'the store', head: keptHead(head, identity) })));
    if (page.length < HEADS_AT_ONCE) return found;
  }
}

function tapeOf(path: string | undefined, closers: (() => Promise<void> | void)[]): VerifyInput['tape'] {
  if (path === undefined) return null;
  const folder = resolve(path);
  if (!existsSync(join(folder, 'tape')) && !existsSync(join(folder, 'evidence')))
    throw new UsageError(`--tape is ${JSON.stringify(path)}, but that folder has neither tape/ nor evidence/`);
  const files = new SqliteTapeStore(join(folder, 'tape'));
  closers.push(() => files.close());
  return {
    folder,
    read: async (symbol, from, to) => files.readOf(symbol, from, to),
    damaged: () => damagedBlocks(files),
  };
}

function headsOf(path: string | undefined): HeadLines {
  if (path === undefined) return { heads: [], unreadable: 0 };
  try {
    return readHeads(readFileSync(resolve(path), 'utf8'), path);
  } catch (error) {
    throw new UsageError(`--heads is ${JSON.stringify(path)}: ${(error as Error).message}`);
  }
}

function barOf(bars: Map<string, ProgressBar>, what: VerifyStep): ProgressBar {
  const known = bars.get(what);
  if (known) return known;
  for (const bar of bars.values()) bar.end();
  const bar = stderrProgress(what, UNITS[what]);
  bars.set(what, bar);
  return bar;
}
