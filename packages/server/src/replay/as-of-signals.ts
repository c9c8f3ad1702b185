// The signals of the log as of the clock of a replay: those on the instruments of the session, with the records that were known then. A
// record is known when it was written or, if the clock of a source was ahead, at the time of what it records; and not before the
// records before it.
import type { LogRecord, PublishedRecord } from '@tickwire/contract';
import { DAY_MS, MAX_LIFETIME_MS } from '@tickwire/engine';
import { MAX_AHEAD_MS } from '../market/intake.ts';
import { pauses } from '../ops/pauses.ts';
import { epoch, parseRecord } from '../signals/log-records.ts';
import type { SignalListQuery, SignalStore, StoredRecord, StoredSignal } from '../store/signal-store.ts';

export type SignalReads = Pick<SignalStore, 'signal' | 'records' | 'list'>;
export type SignalPast = SignalReads & Pick<SignalStore, 'log' | 'tail'>;

/** Signals of an instrument, or records, that are read at once. */
const PAGE = 50;
/** A signal that is older has closed, unless the service was stopped at its deadline. */
const OLDEST_ACTIVE_MS = MAX_LIFETIME_MS + DAY_MS;

export interface AsOfSignalsOptions {
  readonly store: SignalPast;
  readonly symbols: readonly string[];
  /** Epoch milliseconds. */
  readonly clock: () => number;
}

export class AsOfSignals implements SignalReads {
  readonly #options: AsOfSignalsOptions;
  /** Number of the last record that is known, and the clock that it was found for. */
  #known: { readonly clock: number; readonly last: number } | null = null;

  constructor(options: AsOfSignalsOptions) {
    this.#options = options;
  }

  async signal(id: string): Promise<StoredSignal | undefined> {
    const { store, symbols } = this.#options;
    const stored = await store.signal(id);
    if (!stored || stored.published.n > (await this.#last())) return undefined;
    const { symbol } = parseRecord<PublishedRecord>(stored.published);
    return symbols.includes(symbol) ? asOf(stored, await this.#last()) : undefined;
  }

  async records(ids: readonly string[]): Promise<ReadonlyMap<string, readonly StoredRecord[]>> {
    const last = await this.#last();
    const found = await this.#options.store.records(ids);
    return new Map([...found].map(([id, records]) => [id, records.filter(({ n }) => n <= last)]));
  }

  async list({ symbol, limit, ...query }: SignalListQuery): Promise<StoredSignal[]> {
    const last = await this.#last();
    const pause = pauses();
    const heads: { readonly list: AsyncGenerator<StoredSignal, undefined>; signal: StoredSignal | undefined }[] = [];
    for (const each of symbol === undefined ? this.#options.symbols : [symbol]) {
      const list = this.#newest({ ...query, symbol: each, limit: PAGE }, last, pause);
      heads.push({ list, signal: (await list.next()).value });
    }
    const found: StoredSignal[] = [];
    while (found.length < limit) {
      const newest = heads.reduce((a, b) => (numberOf(b.signal) > numberOf(a.signal) ? b : a));
      if (!newest.signal) break;
      found.push(newest.signal);
      newest.signal = (await newest.list.next()).value;
    }
    return found;
  }

  /** Number of the last record that was written by a time; −1 if there is none. Times of records do not decrease (L2). */
  async writtenUntil(time: number): Promise<number> {
    const { store } = this.#options;
    let [low, high] = [-1, (await store.tail())?.n ?? -1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      const [record] = await store.log(middle - 1, 1);
      if (epoch(parseRecord(record!).at) <= time) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** The signals of an instrument, newest first. */
  async *#newest(
    { status, ...query }: SignalListQuery,
    last: number,
    pause: ReturnType<typeof pauses>,
  ): AsyncGenerator<StoredSignal, undefined> {
    const oldest = this.#options.clock() - OLDEST_ACTIVE_MS;
    let beforeN = Math.min(query.beforeN ?? Number.POSITIVE_INFINITY, last + 1);
    for (;;) {
      const turn = pause();
      if (turn) await turn;
      const page = await this.#options.store.list({ ...query, status: 'all', beforeN });
      for (const stored of page) {
        const signal = asOf(stored, last);
        const isClosed = signal.closed !== null || signal.voided !== null;
        if (status === 'all' || isClosed === (status === 'closed')) yield signal;
      }
      const end = page.at(-1)?.published;
      if (!end || page.length < PAGE || (status === 'active' && epoch(parseRecord(end).at) < oldest)) return;
      beforeN = end.n;
    }
  }

  async #last(): Promise<number> {
    const clock = this.#options.clock();
    if (this.#known?.clock !== clock) this.#known = { clock, last: await this.#lastKnown(clock) };
    return this.#known.last;
  }

  /** Records that were written longer ago than a source may be ahead are known. */
  async #lastKnown(clock: number): Promise<number> {
    let last = await this.writtenUntil(clock);
    for (let end = last; end >= 0; end -= PAGE) {
      const after = Math.max(-1, end - PAGE);
      const page = await this.#options.store.log(after, end - after);
      const ahead = page.find((record) => knownAt(record) > clock);
      if (ahead) last = ahead.n - 1;
      if (epoch(parseRecord(page[0]!).at) <= clock - MAX_AHEAD_MS) break;
    }
    return last;
  }
}

const numberOf = (signal: StoredSignal | undefined): number => signal?.published.n ?? -1;

/** A signal without records after number `last`. */
function asOf({ closed, voided, ...stored }: StoredSignal, last: number): StoredSignal {
  const known = (record: StoredRecord | null): StoredRecord | null => (record && record.n <= last ? record : null);
  const closing = known(closed);
  return { ...stored, closed: closing, voided: known(voided), rankR: closing && stored.rankR };
}

function knownAt(stored: StoredRecord): number {
  const record = parseRecord<LogRecord>(stored);
  const times = [record.at];
  if ('quote' in record) times.push(record.quote.time);
  if ('filled' in record && record.filled) times.push(record.filled.time);
  if ('decided' in record) times.push(record.decided.time);
  if ('closed_at' in record) times.push(record.closed_at);
  return Math.max(...times.map(epoch));
}
