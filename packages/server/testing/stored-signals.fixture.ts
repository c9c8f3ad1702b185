// Stores signals and then publishes them in the journal, as many as a test needs, without a market to decide them.
// Nothing else may publish on the same service afterwards.
import {
  type ClosedRecord,
  type LogRecord,
  NO_HASH,
  NO_PROFIT,
  type PublishedRecord,
  type QuoteEvidence,
  RULES_VERSION,
} from '@tickwire/contract';
import { asSymbol } from '@tickwire/engine';
import type { AnySignalEvent } from '../src/journal/journal.ts';
import { chainRecord, type UnchainedRecord } from '../src/signals/log-records.ts';
import { toSignalClosedEvent, toSignalEvent } from '../src/signals/signal-events.ts';
import {
  type ClosedRow,
  NO_SIGNAL_CHANGES,
  type PublishedRow,
  type SignalRecordRow,
  type StoredRecord,
} from '../src/store/signal-store.ts';
import type { RunningService } from './service.fixture.ts';

const AT = Date.parse('2026-03-02T10:58:41.007Z');
const TIME = new Date(AT).toISOString();
const PUBLISHER = 'pub_0001';
const QUOTE: QuoteEvidence = { kind: 'quote', seq: 1, time: TIME, source: 'push:pub_0002', bid: 1.084, ask: 1.0841 };
const INSTRUMENT = { digits: 5, pip_size: 0.0001 };
const COMMON = { rules: RULES_VERSION, at: TIME, publisher: PUBLISHER, instrument: INSTRUMENT };

const publication = (signal: string, symbol: string): UnchainedRecord<PublishedRecord> => ({
  ...COMMON,
  type: 'published',
  signal,
  symbol,
  direction: 'buy',
  entry: 1.0841,
  stop_loss: 1.08,
  take_profit: 1.09,
  order: 'market',
  entry_deadline: TIME,
  deadline: TIME,
  quote: QUOTE,
});
const closing = (signal: string, symbol: string): UnchainedRecord<ClosedRecord> => ({
  ...COMMON,
  type: 'closed',
  signal,
  symbol,
  reason: 'unfilled',
  entry_price: null,
  exit_price: null,
  last_exit: null,
  closed_at: TIME,
  ...NO_PROFIT,
  filled: null,
  decided: QUOTE,
  decided_seq: 2,
});

let made = 0;

/** Signals on these symbols in turn, each published and closed as unfilled: two records per signal. */
export async function storeAndPublishSignals(
  { app }: RunningService,
  count: number,
  symbols: readonly string[],
): Promise<AnySignalEvent[]> {
  const { signals } = app.store;
  let tail = (await signals.tail()) ?? { n: -1, hash: NO_HASH };
  const records: StoredRecord[] = [];
  const add = (record: UnchainedRecord<LogRecord>): number => {
    const stored = chainRecord(record, tail.n + 1, tail.hash);
    records.push(stored);
    tail = stored;
    return stored.n;
  };
  const published: PublishedRow[] = [];
  const closed: ClosedRow[] = [];
  const ofSignals: SignalRecordRow[] = [];
  const events: AnySignalEvent[] = [];
  for (let at = 0; at < count; at++) {
    const id = `sig_${String(made++).padStart(6, '0')}`;
    const symbol = symbols[at % symbols.length]!;
    const opening = publication(id, symbol);
    const ending = closing(id, symbol);
    const n = add(opening);
    published.push({
      id,
      publisher: PUBLISHER,
      symbol: asSymbol(symbol),
      n,
      at: AT,
      quoteAt: AT,
      note: null,
      idempotency: null,
    });
    events.push(toSignalEvent(opening, n, PUBLISHER));
    const end = add(ending);
    closed.push({ id, n: end, decidedAt: AT, rankR: 0 });
    ofSignals.push({ n, id, stream: 'published' }, { n: end, id, stream: 'closed' });
    events.push(toSignalClosedEvent(opening, ending, end, PUBLISHER));
  }
  await signals.write({ ...NO_SIGNAL_CHANGES, records, ofSignals, published, closed, judgedUntil: 0 });
  for (const event of events) app.journal.append([event]);
  return events;
}
