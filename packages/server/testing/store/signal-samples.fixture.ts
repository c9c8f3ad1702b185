// Sample signals for the store suites.
import { createHash } from 'node:crypto';
import { DAY_MS } from '@tickwire/engine';
import {
  type ClosedRow,
  type FillRow,
  NO_SIGNAL_CHANGES,
  type PublishedRow,
  type SignalRecordRow,
  type SignalStore,
  type SignalStream,
  type SignalWrite,
  type StoredRecord,
} from '../../src/store/signal-store.ts';
import { EURUSD, MONDAY, XAUUSD } from './samples.fixture.ts';

export const record = (n: number): StoredRecord => ({
  n,
  hash: n.toString(16).padStart(64, '0'),
  text: `{"n":${n},"note":"ä \\u0000 €"}`,
});
export const records = (first: number, count: number): StoredRecord[] =>
  Array.from({ length: count }, (_, index) => record(first + index));

/** A record whose text and hash follow the previous record, as PostgreSQL checks it. */
export function chainedRecord(body: Readonly<Record<string, unknown>>, n: number, prev: string): StoredRecord {
  const text = JSON.stringify({ ...body, n, prev });
  return { n, hash: createHash('sha256').update(text).digest('hex'), text };
}

/** A pending signal named after its publishing record. */
export const published = (n: number, changes: Partial<PublishedRow> = {}): PublishedRow => ({
  id: `sig_${n}`,
  publisher: 'pub_a',
  symbol: EURUSD,
  n,
  at: MONDAY + n,
  quoteAt: MONDAY + n,
  note: null,
  idempotency: null,
  ...changes,
});

export const closed = (id: string, n: number, changes: Partial<ClosedRow> = {}): ClosedRow => ({
  id,
  n,
  decidedAt: MONDAY + n,
  rankR: 0.5,
  ...changes,
});

export const fill = (id: string, filledAt: number): FillRow => ({ id, filledAt });

export const of = (n: number, id: string, stream: SignalStream | null): SignalRecordRow => ({ n, id, stream });

export const write = (changes: Partial<SignalWrite>): SignalWrite => ({
  ...NO_SIGNAL_CHANGES,
  judgedUntil: 0,
  // Records of publications and closings are about their signals.
  ofSignals: [
    ...(changes.published ?? []).map(({ n, id }) => of(n, id, 'published')),
    ...(changes.closed ?? []).map(({ n, id }) => of(n, id, 'closed')),
  ],
  ...changes,
});

/** Everything that can be read from the store. */
export async function everySignal(store: SignalStore) {
  return {
    log: await store.log(-1, 1_000),
    tail: await store.tail(),
    judgedUntil: await store.judgedUntil(),
    active: await store.active(),
    list: await store.list({ status: 'all', limit: 1_000 }),
    rows: await store.rows(),
    events: await store.events(-1, 1_000),
    signingKeys: await store.signingKeys(),
    gaps: await store.gaps(),
    unsealed: await store.unsealed(MONDAY + 5 * DAY_MS),
  };
}

/** Three signals: one closed, one filled, one pending; a gap and a sealed day. */
export const someSignals: SignalWrite = write({
  records: records(0, 5),
  published: [published(1), published(2, { note: 'grüße' }), published(3, { symbol: XAUUSD, publisher: 'pub_b' })],
  fills: [fill('sig_2', MONDAY + 9)],
  closed: [closed('sig_1', 4)],
  signingKeys: [{ publisher: 'pub_a', publicKey: 'a1'.repeat(32), n: 0 }],
  signed: [{ publisher: 'pub_a', signedAt: MONDAY }],
  gaps: [{ symbol: EURUSD, seq: 7, from: MONDAY, to: MONDAY + 5 }],
  sealed: [{ day: '2026-03-02', symbol: EURUSD, n: 1 }],
  judgedUntil: 2 ** 52 + 1,
});
