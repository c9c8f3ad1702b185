// Writes a signal log of any size directly to the store of a folder, in a fraction of the time that a market would need. Publishers
// take turns; each signal is filled, and all but the newest ones are closed.
import { join } from 'node:path';
import {
  type ClosedRecord,
  type FilledRecord,
  iso,
  type LogRecord,
  type PublishedRecord,
  type QuoteEvidence,
  RULES_VERSION,
} from '@tickwire/contract';
import { asSymbol, HOUR_MS, MAX_LIFETIME_MS, MINUTE_MS, roundTo } from '@tickwire/engine';
import { silentLog } from '../../src/ops/log.ts';
import { Ledger } from '../../src/signals/ledger.ts';
import { openLogKey } from '../../src/signals/log-key.ts';
import { chainRecord, STREAM_OF, type UnchainedRecord } from '../../src/signals/log-records.ts';
import {
  type ClosedRow,
  type FillRow,
  NO_SIGNAL_CHANGES,
  type PublishedRow,
  type SignalRecordRow,
  type StoredRecord,
} from '../../src/store/signal-store.ts';
import { openSqliteStore } from '../../src/store/sqlite/open-sqlite-store.ts';

export interface LargeLogOptions {
  readonly folder: string;
  readonly publishers: number;
  /** All signals together. */
  readonly signals: number;
  /** The newest ones, which are open. Default: none. */
  readonly active?: number;
  /** Default: EURUSD. Publishers take all of them in turn. */
  readonly symbols?: readonly string[];
  /** When the newest signal is published. Default: now. */
  readonly until?: number;
  /** Milliseconds between the signals of a publisher. Default: an hour. */
  readonly every?: number;
}

/** Bought at 1.0841 with a stop at 1.08 and a target at 1.09. */
const LEVELS = { direction: 'buy', entry: 1.0841, stop_loss: 1.08, take_profit: 1.09, order: 'market' } as const;
const INSTRUMENT = { digits: 5, pip_size: 0.0001 };
/** Signals per transaction. */
const BATCH = 10_000;

export const publisherOf = (index: number): string => `pub_${String(index).padStart(4, '0')}`;

export async function writeLargeLog(options: LargeLogOptions): Promise<void> {
  const {
    folder,
    publishers,
    signals,
    active = 0,
    symbols = ['EURUSD'],
    until = Date.now(),
    every = HOUR_MS,
  } = options;
  const store = openSqliteStore({ folder, realm: 'live', exclusive: true });
  const rounds = Math.ceil(signals / publishers);
  const start = until - rounds * every;
  const ledger = await Ledger.open({
    store: store.signals,
    key: openLogKey(join(folder, 'live', 'log-key.pem')),
    realm: 'live',
    flushTape: async () => {},
    judgedSeq: () => 0,
    now: () => start,
    log: silentLog,
  });
  let { n, hash } = ledger.head();
  for (let first = 0; first < signals; first += BATCH) {
    const records: StoredRecord[] = [];
    const ofSignals: SignalRecordRow[] = [];
    const published: PublishedRow[] = [];
    const fills: FillRow[] = [];
    const closed: ClosedRow[] = [];
    const add = (id: string, record: UnchainedRecord<LogRecord>): number => {
      const stored = chainRecord(record, n + 1, hash);
      ({ n, hash } = stored);
      records.push(stored);
      ofSignals.push({ n, id, stream: STREAM_OF[record.type]! });
      return n;
    };
    for (let index = first; index < Math.min(first + BATCH, signals); index++) {
      const id = `sig_${index.toString(16).padStart(16, '0')}`;
      const round = Math.floor(index / publishers);
      const at = start + round * every + Math.floor(((index % publishers) / publishers) * every);
      const symbol = symbols[(index + round) % symbols.length]!;
      const publisher = publisherOf(index % publishers);
      const about = { rules: RULES_VERSION, signal: id, publisher, symbol };
      const evidence = (seq: number, bid: number): QuoteEvidence => ({
        ...{ kind: 'quote', seq, time: iso(at + seq), source: 'push:pub_feed', bid, ask: roundTo(bid + 0.0001, 4) },
      });
      published.push({
        ...{ id, publisher, symbol: asSymbol(symbol), at, quoteAt: at, note: null, idempotency: null },
        n: add(id, {
          type: 'published',
          ...about,
          at: iso(at),
          ...LEVELS,
          entry_deadline: iso(at + MINUTE_MS),
          deadline: iso(at + MAX_LIFETIME_MS),
          instrument: INSTRUMENT,
          quote: evidence(0, 1.084),
        } satisfies UnchainedRecord<PublishedRecord>),
      });
      const filled = evidence(1, 1.084);
      fills.push({ id, filledAt: at + 1 });
      add(id, {
        type: 'filled',
        ...about,
        at: iso(at + 1),
        entry_price: 1.0841,
        filled_at: iso(at + 1),
        filled,
      } satisfies UnchainedRecord<FilledRecord>);
      if (index >= signals - active) continue;
      const isWon = (index + round) % 5 < 2;
      const results = isWon
        ? { exit_price: 1.09, pnl: 59, pnl_percent: 0.5442, pnl_r: 1.439 }
        : { exit_price: 1.08, pnl: -41, pnl_percent: -0.3782, pnl_r: -1 };
      closed.push({
        ...{ id, decidedAt: at + 2, rankR: results.pnl_r },
        n: add(id, {
          type: 'closed',
          ...about,
          at: iso(at + 2),
          instrument: INSTRUMENT,
          reason: isWon ? 'take_profit' : 'stop_loss',
          entry_price: 1.0841,
          last_exit: { fraction: 1, price: results.exit_price },
          closed_at: iso(at + 2),
          ...results,
          filled,
          decided: evidence(2, results.exit_price),
          decided_seq: 2,
        } satisfies UnchainedRecord<ClosedRecord>),
      });
    }
    await store.signals.write({
      ...{ ...NO_SIGNAL_CHANGES, records, ofSignals, published, fills, closed },
      judgedUntil: 0,
    });
  }
  await ledger.stop();
  await store.close();
}
