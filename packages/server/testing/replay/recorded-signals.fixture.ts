// A signal log as a service has recorded it: random records of random signals, many at the same time and some of which a source whose
// clock was ahead has decided; and a naive reference of what was known at any time.
import { copyFileSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import {
  type Evidence,
  iso,
  type LogRecord,
  NO_HASH,
  NO_PROFIT,
  type PublishedRecord,
  type QuoteEvidence,
  RULES_VERSION,
} from '@tickwire/contract';
import { asSymbol, CATALOGUE, DAY_MS, MINUTE_MS, SECOND_MS } from '@tickwire/engine';
import { openLogKey } from '../../src/signals/log-key.ts';
import { chainRecord, parseRecord, STREAM_OF, type UnchainedRecord } from '../../src/signals/log-records.ts';
import {
  type ClosedRow,
  type FillRow,
  NO_SIGNAL_CHANGES,
  type PublishedRow,
  type SignalRecordRow,
  type SignalStore,
  type StoredRecord,
  type StoredSignal,
  type VoidedRow,
} from '../../src/store/signal-store.ts';
import { openSqliteStore } from '../../src/store/sqlite/open-sqlite-store.ts';
import { Random } from '../signals/random.fixture.ts';

const SYMBOLS = ['EURUSD', 'BTCUSD', 'XAUUSD'];
export const PUBLISHERS = ['pub_a', 'pub_b', 'pub_c'];
/** Sources may be ahead by this much. */
const AHEAD_MS = 10_000;

export type RecordOfSignal = Extract<UnchainedRecord<LogRecord>, { readonly signal: string }>;

/** A record, and the time at which a replay knows it unless one before it is later. */
export interface RandomRecord {
  readonly record: RecordOfSignal;
  readonly knownAt: number;
}

export interface RandomSignalsOptions {
  readonly from: number;
  readonly to: number;
  readonly seed: number;
  /** From the first record that is not known at a time on, everything is otherwise. */
  readonly otherwise?: { readonly after: number; readonly seed: number };
  /** Mean number of milliseconds between records. */
  readonly every: number;
}

interface Active {
  readonly published: Extract<RecordOfSignal, { readonly type: 'published' }>;
  filled: Evidence | null;
  exits: number;
}

function instrumentOf({ symbol }: { readonly symbol: string }) {
  const { digits, pipSize } = CATALOGUE.find((spec) => spec.symbol === symbol)!;
  return { digits, pip_size: pipSize };
}

/** Records in the order of the log. */
export function randomSignals({ from, to, seed, otherwise, every }: RandomSignalsOptions): RandomRecord[] {
  let random = new Random(seed);
  let name = seed;
  let later = otherwise;
  const records: RandomRecord[] = [];
  const active: Active[] = [];
  const ended: Active[] = [];
  for (let time = from; ; ) {
    // Many are of the same second.
    if (random.chance(0.7)) time += random.whole(0, (2 * every) / SECOND_MS) * SECOND_MS;
    if (time > to) return records;
    const knownAt = time + (random.chance(0.2) ? random.whole(1, AHEAD_MS) : 0);
    if (later && knownAt > later.after) [random, name, later] = [new Random(later.seed), later.seed, undefined];
    // No source decides that a signal is void.
    const isAhead = knownAt > time;
    const price = (): number => random.whole(1_000, 9_000) / 100;
    const quote: QuoteEvidence = {
      ...{ kind: 'quote', seq: 1, time: iso(knownAt), source: 'push:pub_feed' },
      ...{ bid: price(), ask: price() },
    };
    const add = (record: object, { published }: Pick<Active, 'published'>): void => {
      const { signal, publisher, symbol } = published;
      const about = { rules: RULES_VERSION, at: iso(time), signal, publisher, symbol };
      records.push({ record: { ...about, ...record } as RecordOfSignal, knownAt });
    };
    const signal = active.length > 0 && random.chance(0.7) ? random.of(active) : null;
    if (signal) {
      const end = (): void => void ended.push(...active.splice(active.indexOf(signal), 1));
      const step = random.next();
      if (step < 0.35 && !signal.filled) {
        signal.filled = quote;
        add({ type: 'filled', entry_price: price(), filled_at: quote.time, filled: quote }, signal);
      } else if (step < 0.5 && signal.filled && signal.exits === 0) {
        signal.exits++;
        const exit = { target: 1, fraction: 0.4, price: price(), exited_at: quote.time, decided: quote };
        add({ type: 'exited', ...exit }, signal);
      } else if (step < 0.6) add({ type: 'amended', stop_loss: price(), quote }, signal);
      else if (step < 0.65) add({ type: 'close_requested', quote }, signal);
      else if (step < 0.72 && !isAhead) {
        add({ type: 'voided', reason: `reason ${random.whole(1, 99)}` }, signal);
        active.splice(active.indexOf(signal), 1);
      } else {
        const { filled } = signal;
        const exit = filled && { fraction: 0.6, price: price() };
        const result = filled ? { pnl: price(), pnl_percent: price(), pnl_r: price() } : NO_PROFIT;
        add(
          {
            ...{
              type: 'closed',
              instrument: instrumentOf(signal.published),
              reason: filled ? 'take_profit' : 'unfilled',
              ...result,
            },
            ...{ entry_price: filled && price(), exit_price: filled && price(), last_exit: exit },
            ...{ closed_at: quote.time, filled, decided: quote, decided_seq: 1 },
          },
          signal,
        );
        end();
      }
    } else if (ended.length > 0 && !isAhead && random.chance(0.1)) {
      add({ type: 'voided', reason: 'a bad tick' }, ended.splice(random.whole(0, ended.length - 1), 1)[0]!);
    } else {
      const about = {
        signal: `sig_${name}_${records.length}`,
        publisher: random.of(PUBLISHERS),
        symbol: random.of(SYMBOLS),
      };
      const levels = { direction: 'buy', entry: 100, stop_loss: 1 + random.whole(0, 100) / 100, take_profit: 200 };
      const targets = [
        { price: 150, fraction: 0.4 },
        { price: 200, fraction: 0.6 },
      ];
      const deadlines = { entry_deadline: iso(time + MINUTE_MS * 90), deadline: iso(time + DAY_MS) };
      const record = {
        type: 'published',
        ...about,
        ...levels,
        targets,
        order: 'limit',
        ...deadlines,
        instrument: instrumentOf(about),
        quote,
      };
      add(record, { published: about as Active['published'] });
      active.push({ published: records.at(-1)!.record as Active['published'], filled: null, exits: 0 });
    }
  }
}

/** Writes a log to a store, in which the tape has been judged up to a `seq`. */
export async function writeSignals(
  store: SignalStore,
  from: number,
  publicKey: string,
  given: readonly RandomRecord[],
  judgedUntil = 0,
): Promise<StoredRecord[]> {
  const opened = { type: 'opened', rules: RULES_VERSION, at: iso(from), log: 'log_test', realm: 'live' } as const;
  const records = [chainRecord({ ...opened, public_key: publicKey }, 0, NO_HASH)];
  const ofSignals: SignalRecordRow[] = [];
  const published: PublishedRow[] = [];
  const fills: FillRow[] = [];
  const closed: ClosedRow[] = [];
  const voided: VoidedRow[] = [];
  for (const { record } of given) {
    const { hash, n: last } = records.at(-1)!;
    const n = last + 1;
    records.push(chainRecord(record, n, hash));
    const { signal: id, publisher, symbol, type } = record;
    const at = Date.parse(record.at);
    ofSignals.push({ n, id, stream: STREAM_OF[type] ?? null });
    if (type === 'published') {
      const row = { id, publisher, symbol: asSymbol(symbol), n, at, quoteAt: at };
      published.push({ ...row, note: `note of ${id}`, idempotency: null });
    } else if (type === 'filled') fills.push({ id, filledAt: at });
    else if (type === 'closed') closed.push({ id, n, decidedAt: at, rankR: 1 });
    else if (type === 'voided') voided.push({ id, n, at });
  }
  await store.write({ ...NO_SIGNAL_CHANGES, records, ofSignals, published, fills, closed, voided, judgedUntil });
  return records;
}

/** Stores a log in the realm `live` of a data folder. Its key is that of the folder `keyOf`, so that equal logs have equal hashes. */
export async function recordSignals(
  folder: string,
  from: number,
  given: readonly RandomRecord[],
  keyOf = folder,
): Promise<void> {
  const file = join(folder, 'live', 'log-key.pem');
  mkdirSync(dirname(file), { recursive: true });
  if (keyOf !== folder) copyFileSync(join(keyOf, 'live', 'log-key.pem'), file);
  const store = openSqliteStore({ folder, realm: 'live', exclusive: true });
  const seq = (await store.market.number('seq_reserved')) ?? 1;
  await writeSignals(store.signals, from, openLogKey(file).publicKey, given, seq - 1);
  await store.close();
}

export interface KnownSignal {
  readonly stored: StoredSignal;
  readonly published: PublishedRecord;
  readonly records: readonly StoredRecord[];
}

/** The signals of a log that were known at a time, in the order of their publication. */
export function signalsKnownAt(
  stored: readonly StoredRecord[],
  given: readonly RandomRecord[],
  clock: number,
): KnownSignal[] {
  const unknown = given.findIndex(({ knownAt }) => knownAt > clock);
  // The first record opens the log.
  const known = given
    .slice(0, unknown < 0 ? undefined : unknown)
    .map(({ record: { signal, type } }, index) => ({ signal, type, record: stored[index + 1]! }));
  return [...Map.groupBy(known, ({ signal }) => signal)].map(([id, own]) => {
    const of = (type: LogRecord['type']) => own.find((each) => each.type === type)?.record ?? null;
    const signal = { id, published: of('published')!, closed: of('closed'), voided: of('voided') };
    const published = parseRecord<PublishedRecord>(signal.published);
    const records = own.map(({ record }) => record);
    return { published, records, stored: { ...signal, note: `note of ${id}`, rankR: null } };
  });
}
