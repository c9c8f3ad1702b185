// The whole verification: the log on its own, heads kept outside, the rows beside the log, and every signal judged
// again from the tape.
import type { SignalStore } from '../../store/signal-store.ts';
import { checkHeads, type KeptHead } from './check-heads.ts';
import { LogCheck } from './check-log.ts';
import { checkRows, type LoggedSignal, readStoredRows } from './check-rows.ts';
import { checkTape, type TapeCheckResult } from './check-tape.ts';
import { Findings } from './findings.ts';
import type { LogSource } from './log-source.ts';
import type { ParsedSignal } from './parsed-signal.ts';
import type { ReadBlocks } from './read-tape-day.ts';
import { TickSource } from './tick-source.ts';

export interface VerifyOptions {
  readonly source: LogSource;
  /** Heads kept outside; read before the log. */
  readonly heads: readonly KeptHead[];
  /** The store with the rows beside the log. */
  readonly store?: SignalStore;
  /** `null`: the tape is not checked. */
  readonly tape: { readonly folder: string; readonly read: ReadBlocks } | null;
  readonly now: number;
  readonly onProgress?: (what: 'log' | 'tape', done: number, of: number, rows: number) => void;
}

export interface VerifyResult {
  readonly log: LogCheck;
  readonly findings: Findings;
  readonly heads: number;
  /** Number of rows checked; `null` if there is no store. */
  readonly rows: number | null;
  readonly tape: (TapeCheckResult & { readonly intact: number; readonly absent: number }) | null;
}

export async function verifyLog(options: VerifyOptions): Promise<VerifyResult> {
  const { source, heads, store, tape, now, onProgress } = options;
  const findings = new Findings();
  // Both are read before the log, so that the log contains everything in them.
  const judgedUntil = store ? await store.judgedUntil() : null;
  const rows = store ? await readStoredRows(store) : null;
  const logged = new Map<string, LoggedSignal>();
  const ended: ParsedSignal[] = [];
  const log = new LogCheck({
    findings,
    watched: new Set(heads.map(({ head }) => head.n)),
    heads: headTimes(heads),
    ...(tape && { onJudged: (signal) => ended.push(signal) }),
    ...(rows && {
      onPublication: (signal) => logged.set(signal.publication.signal, { signal, voided: null }),
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
  await log.settle();
  checkHeads(heads, log, findings);
  if (store && rows) await checkRows(store, rows, logged, findings);
  logged.clear();
  if (!tape) return { log, findings, heads: heads.length, rows: rows?.outcomes.length ?? null, tape: null };

  const ticksByDay = new TickSource({ ...tape, findings });
  let files = 0;
  await ticksByDay.checkSeals(log.seals.values(), () => onProgress?.('tape', 0, 1, ++files));
  const checked = await checkTape({
    ticksByDay,
    findings,
    ended,
    active: [...log.active.values()].filter(({ unsound }) => !unsound),
    judgedUntil,
    now,
    onProgress: (done, of, ticks) => onProgress?.('tape', done, of, ticks),
  });
  const { intact, absent } = ticksByDay;
  return {
    log,
    findings,
    heads: heads.length,
    rows: rows?.outcomes.length ?? null,
    tape: { ...checked, intact, absent },
  };
}

/** The latest head of each record, in milliseconds. */
function headTimes(heads: readonly KeptHead[]): Map<number, number> {
  const times = new Map<number, number>();
  for (const { head } of heads) times.set(head.n, Math.max(times.get(head.n) ?? 0, Date.parse(head.at)));
  return times;
}
