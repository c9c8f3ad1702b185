// The whole verification: the log on its own, heads kept outside, the rows beside the log, and every signal judged
// again from the tape.
import type { TapeBlock } from '../../store/market-store.ts';
import type { SignalStore } from '../../store/signal-store.ts';
import { placeOf } from '../../store/tape-rows.ts';
import { checkHeads, type HeadToCheck } from './check-heads.ts';
import { LogCheck } from './check-log.ts';
import { checkRows, type LoggedSignal, readStoredRows } from './check-rows.ts';
import { checkTape, type TapeCheckResult } from './check-tape.ts';
import type { StampSummary, TokenCheckOptions } from './check-tokens.ts';
import { type Finding, Findings } from './findings.ts';
import type { LogSource } from './log-source.ts';
import type { RecordedSignal } from './recorded-signal.ts';
import { openTickFiles, type TapeLocation } from './tick-files.ts';
import { TickSource } from './tick-source.ts';

export type VerifyStep = 'log' | 'heads' | 'evidence' | 'tape';

export interface VerifyOptions {
  readonly source: LogSource;
  /** Heads kept outside; read before the log. */
  readonly heads: readonly HeadToCheck[];
  /** File of the roots of time-stamp authorities. Default: the public roots that come with the runtime. */
  readonly timestampCa?: string | null;
  /** The store with the rows beside the log. */
  readonly store?: SignalStore;
  /** `null`: the tape is not checked. */
  readonly tape: TapeLocation | null;
  readonly now: number;
  readonly onProgress?: (what: VerifyStep, done: number, of: number, rows: number) => void;
}

export interface VerifyResult {
  readonly log: LogCheck;
  readonly findings: Findings;
  readonly heads: number;
  /** Number of the newest record with a head from outside; −1 if there is none. */
  readonly outside: number;
  /** `null` if no head has a time stamp. */
  readonly stamps: StampSummary | null;
  /** Number of rows checked; `null` if there is no store. */
  readonly rows: number | null;
  /** `unsealed`: days on which a signal was judged, without a seal in the log. */
  readonly tape:
    | (TapeCheckResult & { readonly intact: number; readonly absent: number; readonly unsealed: number })
    | null;
}

export async function verifyLog(options: VerifyOptions): Promise<VerifyResult> {
  const { source, heads, store, tape, now, onProgress } = options;
  const findings = new Findings();
  // Both are read before the log, so that the log contains everything in them.
  const judgedUntil = store ? await store.judgedUntil() : null;
  const rows = store ? await readStoredRows(store) : null;
  const logged = new Map<string, LoggedSignal>();
  const ended: RecordedSignal[] = [];
  const log = new LogCheck({
    findings,
    // Also the first record: the first time stamp covers it.
    watched: new Set([-1, ...heads.map(({ head }) => head.n)]),
    heads: headTimes(heads),
    ...(tape && { onJudged: (signal) => ended.push(signal) }),
    ...(rows && {
      onPublication: (signal) => logged.set(signal.published.signal, { signal, voided: null }),
      onVoid: (id, { n, at }) => {
        logged.get(id)!.voided = { n, at: Date.parse(at) };
      },
    }),
  });
  for await (const page of source.pages()) {
    // The signatures of a page are verified while the next one is read.
    const settled = log.settle();
    log.add(page);
    await settled;
    onProgress?.('log', log.records, Math.max(source.length, log.records), log.records);
  }
  await log.end();
  const sound = checkHeads(heads, log, findings);
  // In a replay, records have the time of the recording, and heads that of the clock.
  const headAt = log.opened?.realm === 'replay' ? [] : sound.map(({ head }) => Date.parse(head.at));
  log.checkDeadlines(Math.max(0, ...headAt));
  const stamps = await checkStamps({
    heads: sound,
    log,
    findings,
    ca: options.timestampCa ?? null,
    onProgress: (done) => onProgress?.('heads', done, sound.length, done),
  });
  if (store && rows) await checkRows(store, rows, logged, findings);
  logged.clear();
  const outside = Math.max(-1, ...sound.filter((each) => each.outside).map(({ head }) => head.n));
  const result = { log, findings, heads: heads.length, outside, stamps, rows: rows?.outcomes.length ?? null };
  if (!tape) return { ...result, tape: null };

  if ('damaged' in tape) for await (const block of tape.damaged()) findings.add(damagedFinding(block));
  const ticksByDay = new TickSource({ files: openTickFiles(tape), findings });
  await ticksByDay.checkSeals(log.seals.values(), (days) => onProgress?.('evidence', days, log.seals.size, days));
  const checked = await checkTape({
    ticksByDay,
    findings,
    ended,
    active: [...log.active.values()].filter(({ unsound }) => !unsound),
    judgedUntil: Math.max(judgedUntil ?? -1, log.namedSeq),
    now,
    onProgress: (done, of, ticks) => onProgress?.('tape', done, of, ticks),
  });
  const { intact, absent } = ticksByDay;
  const unsealed = [...checked.days].filter((day) => !log.seals.has(day)).length;
  return { ...result, tape: { ...checked, intact, absent, unsealed } };
}

function damagedFinding(block: TapeBlock): Finding {
  const { file, symbol, minute } = placeOf(block);
  return { n: null, code: 'tape_block', message: `${file} has a damaged block: ${symbol}, ${minute}` };
}

/** `null` if no head has a time stamp. The library for them takes a while to load. */
async function checkStamps(options: TokenCheckOptions): Promise<StampSummary | null> {
  if (!options.heads.some(({ head }) => head.tokens?.length)) return null;
  const { checkTokens } = await import('./check-tokens.ts');
  return checkTokens(options);
}

/** The latest head of each record, in milliseconds. */
function headTimes(heads: readonly HeadToCheck[]): Map<number, number> {
  const times = new Map<number, number>();
  for (const { head } of heads) times.set(head.n, Math.max(times.get(head.n) ?? 0, Date.parse(head.at)));
  return times;
}
