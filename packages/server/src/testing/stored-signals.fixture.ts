// Signals in the store and then on the wire, as many as a test wants: what a desk does one by one, without the market that
// has to decide them. Nothing else may publish on the same service afterwards.
import {
  type ClosedRecord,
  type LogRecord,
  NO_HASH,
  type PublishedRecord,
  type QuoteEvidence,
  RULES_VERSION,
} from '@tickwire/contract';
import { asSymbol } from '@tickwire/engine';
import type { SignalClosedEvent, SignalEvent } from '../journal/journal.ts';
import { closingOf, publicationOf } from '../signals/announcements.ts';
import { chained, type Unchained } from '../signals/records.ts';
import type { ClosedRow, PublishedRow, StoredRecord } from '../store/signal-store.ts';
import type { RunningService } from './service.fixture.ts';

const AT = Date.parse('2026-03-02T10:58:41.007Z');
const TIME = new Date(AT).toISOString();
const PUBLISHER = 'pub_0001';
const QUOTE: QuoteEvidence = { kind: 'quote', seq: 1, time: TIME, source: 'push:pub_0002', bid: 1.084, ask: 1.0841 };
const INSTRUMENT = { digits: 5, pip_size: 0.0001 };
const COMMON = { rules: RULES_VERSION, at: TIME, publisher: PUBLISHER, instrument: INSTRUMENT };

const publication = (signal: string, symbol: string): Unchained<PublishedRecord> => ({
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
  entry_price: 1.0841,
  quote: QUOTE,
});
const closing = (signal: string, symbol: string): Unchained<ClosedRecord> => ({
  ...COMMON,
  type: 'closed',
  signal,
  symbol,
  reason: 'take_profit',
  entry_price: 1.0841,
  exit_price: 1.09,
  closed_at: TIME,
  pnl: 59,
  pnl_percent: 0.5442,
  pnl_r: 1.439,
  filled: null,
  decided: QUOTE,
  decided_seq: 2,
});

let made = 0;

/** Signals of these symbols in turn, each published and then closed: two records a signal. */
export async function announceSignals(
  { app }: RunningService,
  count: number,
  symbols: readonly string[],
): Promise<(SignalEvent | SignalClosedEvent)[]> {
  const { signals } = app.store;
  let tail = (await signals.tail()) ?? { n: -1, hash: NO_HASH };
  const records: StoredRecord[] = [];
  const add = (record: Unchained<LogRecord>): number => {
    const stored = chained(record, tail.n + 1, tail.hash);
    records.push(stored);
    tail = stored;
    return stored.n;
  };
  const published: PublishedRow[] = [];
  const closed: ClosedRow[] = [];
  const events: (SignalEvent | SignalClosedEvent)[] = [];
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
      filledAt: AT,
      note: null,
      idempotency: null,
    });
    events.push(publicationOf(opening, n, PUBLISHER));
    const end = add(ending);
    closed.push({ id, n: end, closedAt: AT, decidedAt: AT, reason: 'take_profit', pnlR: 1.439, ranked: true });
    events.push(closingOf(opening, { closing: ending, n: end, filledAt: null }, PUBLISHER));
  }
  await signals.write({ records, published, fills: [], closed, gaps: [], sealed: [], judgedUntil: 0 });
  for (const event of events) app.journal.append([event]);
  return events;
}
