// The records of the practice signals of a session, in the form of the signal log, so that whatever reads that log can read them. It
// is made when it is read, from what the judges of the instruments found, and it is written nowhere.
import { iso, NO_HASH, type OpenedRecord, RULES_VERSION } from '@tickwire/contract';
import { chainRecord } from '../../signals/log-records.ts';
import type {
  SignalListQuery,
  SignalSnapshot,
  SignalStore,
  StoredRecord,
  StoredSignal,
} from '../../store/signal-store.ts';
import { PRACTICE_PUBLISHER } from './practice-actions.ts';
import type { PracticeEntry } from './symbol-judge.ts';

type LogStore = Pick<SignalStore, 'log' | 'records' | 'signal' | 'list' | 'snapshot'>;

interface LoggedSignal {
  stored: StoredSignal;
  readonly symbol: string;
  readonly records: StoredRecord[];
}

export class PracticeLog implements LogStore {
  readonly #records: StoredRecord[] = [];
  /** In order of publication. */
  readonly #signals = new Map<string, LoggedSignal>();

  /** `entries` of each instrument are in order. */
  constructor(from: number, entries: readonly PracticeEntry[]) {
    const opened: Omit<OpenedRecord, 'n' | 'prev'> = {
      type: 'opened',
      rules: RULES_VERSION,
      at: iso(from),
      log: PRACTICE_PUBLISHER,
      // As in simulated markets, a record needs no days and weeks.
      realm: 'sim',
      public_key: NO_HASH,
    };
    this.#append(opened);
    // Events of a time come before what was done at it.
    for (const entry of entries.toSorted((a, b) => a.at - b.at || a.action - b.action)) this.#include(entry);
  }

  /** Practice signals of the session. */
  get signals(): number {
    return this.#signals.size;
  }

  async log(after: number, limit: number): Promise<StoredRecord[]> {
    return this.#records.slice(after + 1, after + 1 + limit);
  }

  async records(ids: readonly string[]): Promise<ReadonlyMap<string, readonly StoredRecord[]>> {
    return new Map(
      ids.flatMap((id) => {
        const found = this.#signals.get(id);
        return found ? [[id, found.records] as const] : [];
      }),
    );
  }

  async signal(id: string): Promise<StoredSignal | undefined> {
    return this.#signals.get(id)?.stored;
  }

  async list({ status, symbol, beforeN, limit }: SignalListQuery): Promise<StoredSignal[]> {
    return [...this.#signals.values()]
      .filter(
        ({ stored, symbol: own }) =>
          (status === 'all' || (status === 'closed') === (stored.closed !== null)) &&
          (symbol === undefined || own === symbol) &&
          (beforeN === undefined || stored.published.n < beforeN),
      )
      .map(({ stored }) => stored)
      .reverse()
      .slice(0, limit);
  }

  async snapshot(limit: number): Promise<SignalSnapshot> {
    const all = [...this.#signals.values()].map(({ stored }) => stored);
    const active = all.filter(({ closed }) => closed === null);
    return { n: this.#records.at(-1)!.n, active, newest: all.toReversed().slice(0, limit) };
  }

  #include({ record, rankR, note }: PracticeEntry): void {
    const stored = this.#append(record);
    if (!('signal' in record)) return;
    const id = record.signal as string;
    if (record.type === 'published') {
      const signal = { id, published: stored, closed: null, voided: null, note, rankR: null };
      this.#signals.set(id, { stored: signal, symbol: record.symbol, records: [stored] });
      return;
    }
    const known = this.#signals.get(id)!;
    known.records.push(stored);
    if (record.type === 'closed') known.stored = { ...known.stored, closed: stored, rankR };
  }

  #append(record: PracticeEntry['record']): StoredRecord {
    const last = this.#records.at(-1);
    const stored = chainRecord(record, (last?.n ?? -1) + 1, last?.hash ?? NO_HASH);
    this.#records.push(stored);
    return stored;
  }
}
