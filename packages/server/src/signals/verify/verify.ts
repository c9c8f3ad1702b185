// The whole check: the log by itself, the heads kept of it, what stands beside it, and every life again from the tape.
import type { SignalStore } from '../../store/signal-store.ts';
import { checkHeads, type KeptHead } from './check-heads.ts';
import { LogCheck } from './check-log.ts';
import { checkRows, readRows, type Told } from './check-rows.ts';
import { checkTape, type TapeChecked } from './check-tape.ts';
import type { ReadBlocks } from './day-of-tape.ts';
import { Findings } from './finding.ts';
import type { Life } from './life.ts';
import type { LogSource } from './log-source.ts';
import { TapeShelf } from './tape-shelf.ts';

export interface VerifyOptions {
  readonly source: LogSource;
  /** Kept outside, and read before the log. */
  readonly heads: readonly KeptHead[];
  /** What stands beside the log. */
  readonly store?: SignalStore;
  /** Null: the tape is not looked at. */
  readonly tape: { readonly folder: string; readonly read: ReadBlocks } | null;
  readonly now: number;
  readonly onProgress?: (what: 'log' | 'tape', done: number, of: number, rows: number) => void;
}

export interface Verified {
  readonly log: LogCheck;
  readonly findings: Findings;
  readonly heads: number;
  /** Rows beside the log; null where there is no store. */
  readonly rows: number | null;
  readonly tape: (TapeChecked & { readonly intact: number; readonly absent: number }) | null;
}

export async function verifyLog(options: VerifyOptions): Promise<Verified> {
  const { source, heads, store, tape, now, onProgress } = options;
  const findings = new Findings();
  // Both before the log: what they speak of is in it by the time it is read.
  const judgedUntil = store ? await store.judgedUntil() : null;
  const rows = store ? await readRows(store) : null;
  const told = new Map<string, Told>();
  const lives: Life[] = [];
  const log = new LogCheck({
    findings,
    watched: new Set(heads.map(({ head }) => head.n)),
    ...(tape && { onLife: (life) => lives.push(life) }),
    ...(rows && {
      onPublication: (publication) => told.set(publication.signal, { publication, closing: null }),
      onClosing: ({ publication, closing }) => {
        told.get(publication.signal)!.closing = closing;
      },
    }),
  });
  for await (const page of source.pages()) {
    log.add(page);
    onProgress?.('log', log.records, Math.max(source.length, log.records), log.records);
  }
  checkHeads(heads, log, findings);
  if (store && rows) await checkRows(store, rows, told, findings);
  told.clear();
  if (!tape) return { log, findings, heads: heads.length, rows: rows?.outcomes.length ?? null, tape: null };

  const shelf = new TapeShelf({ ...tape, findings });
  let files = 0;
  await shelf.checkSeals(log.seals.values(), () => onProgress?.('tape', 0, 1, ++files));
  const checked = await checkTape({
    shelf,
    findings,
    lives,
    active: [...log.active.values()],
    judgedUntil,
    now,
    onProgress: (done, of, ticks) => onProgress?.('tape', done, of, ticks),
  });
  const { intact, absent } = shelf;
  return {
    log,
    findings,
    heads: heads.length,
    rows: rows?.outcomes.length ?? null,
    tape: { ...checked, intact, absent },
  };
}
