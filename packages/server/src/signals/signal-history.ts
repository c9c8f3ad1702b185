// What the records of a signal say about it: the order and its progress, as the verifier judges them, and the detail that the API
// returns.
import {
  type AmendedRecord,
  type CloseRequestedRecord,
  type ExitedRecord,
  type FilledRecord,
  type LogRecord,
  type PublishedRecord,
  type SignalDetail,
  type SignalTarget,
  type VoidedRecord,
  WHOLE,
} from '@tickwire/contract';
import {
  type Amendment,
  asSymbol,
  type CloseRequest,
  type Fill,
  type Order,
  type Progress,
  type QuoteEvidence,
  toTicks,
} from '@tickwire/engine';
import { withStoreErrors } from '../errors/store-error.ts';
import type { SignalStore, StoredRecord, StoredSignal } from '../store/signal-store.ts';
import { epoch, fromWireEvidence, parseRecord } from './log-records.ts';
import { toSignal } from './wire-signals.ts';

/** What has happened to a signal so far. */
export interface SignalHistory {
  readonly published: PublishedRecord;
  readonly filled: FilledRecord | null;
  readonly exits: readonly ExitedRecord[];
  readonly amendments: readonly AmendedRecord[];
  readonly closeRequest: CloseRequestedRecord | null;
}

export interface WholeHistory extends SignalHistory {
  readonly voided: VoidedRecord | null;
}

/** All records of one signal. */
export function historyOf(records: readonly StoredRecord[]): WholeHistory {
  const parsed = records.map((record) => parseRecord<LogRecord>(record));
  const all = <T extends LogRecord['type']>(type: T) =>
    parsed.filter((record): record is Extract<LogRecord, { type: T }> => record.type === type);
  return {
    published: all('published')[0]!,
    filled: all('filled')[0] ?? null,
    exits: all('exited'),
    amendments: all('amended'),
    closeRequest: all('close_requested')[0] ?? null,
    voided: all('voided')[0] ?? null,
  };
}

export const publishedTargets = ({ targets, take_profit }: PublishedRecord): SignalTarget[] =>
  targets ?? [{ price: take_profit, fraction: 1 }];

export function toOrder(record: PublishedRecord): Order {
  const ticks = (price: number): number => toTicks(price, record.instrument.digits);
  return {
    id: record.signal,
    symbol: asSymbol(record.symbol),
    direction: record.direction,
    kind: record.order,
    entry: ticks(record.entry),
    maxSlippage: record.max_slippage == null ? null : ticks(record.max_slippage),
    stopLoss: ticks(record.stop_loss),
    targets: publishedTargets(record).map(({ price, fraction }) => ({
      price: ticks(price),
      fraction: Math.round(fraction * WHOLE),
    })),
    breakevenAfter: record.breakeven_after ?? null,
    accepted: fromWireEvidence(record.quote) as QuoteEvidence,
    publishedAt: epoch(record.at),
    entryDeadline: epoch(record.entry_deadline),
    deadline: epoch(record.deadline),
  };
}

export function toProgress(history: SignalHistory): Progress {
  const { published, exits, amendments, closeRequest } = history;
  const { digits } = published.instrument;
  return {
    fill: fillOf(history),
    exits: exits.map(({ fraction, price, exited_at, decided }) => ({
      fraction: Math.round(fraction * WHOLE),
      price: toTicks(price, digits),
      at: epoch(exited_at),
      evidence: fromWireEvidence(decided),
    })),
    amendments: amendments.map((record) => toAmendment(record, digits)),
    closeRequest: closeRequest && toCloseRequest(closeRequest),
  };
}

export const toAmendment = (record: AmendedRecord, digits: number): Amendment => ({
  stopLoss: toTicks(record.stop_loss, digits),
  ...toCloseRequest(record),
});

/** When a request was made, and the quote at that time. */
export const toCloseRequest = ({ at, quote }: AmendedRecord | CloseRequestedRecord): CloseRequest => ({
  at: epoch(at),
  quote: fromWireEvidence(quote) as QuoteEvidence,
});

const fillOf = ({ published, filled }: SignalHistory): Fill | null =>
  filled && {
    price: toTicks(filled.entry_price, published.instrument.digits),
    at: epoch(filled.filled_at),
    evidence: fromWireEvidence(filled.filled),
  };

/** The detail of a stored signal; undefined if there is none. */
export async function readDetail(
  store: Pick<SignalStore, 'signal' | 'records'>,
  id: string,
  nameOf: (publisher: string) => string | undefined,
): Promise<SignalDetail | undefined> {
  const signal = await withStoreErrors(() => store.signal(id));
  if (!signal) return undefined;
  const records = await withStoreErrors(() => store.records([id]));
  const { publisher } = parseRecord<PublishedRecord>(signal.published);
  return signalDetail(signal, records.get(id)!, nameOf(publisher) ?? publisher);
}

export function signalDetail(stored: StoredSignal, records: readonly StoredRecord[], user: string): SignalDetail {
  const history = historyOf(records);
  const { published, filled, exits, closeRequest, voided } = history;
  const signal = toSignal(stored, user);
  const fill = voided ? null : filled;
  return {
    ...signal,
    publisher: published.publisher,
    order: published.order,
    max_slippage: published.max_slippage ?? null,
    state: signal.status === 'closed' ? 'closed' : fill ? 'open' : 'pending',
    targets: publishedTargets(published),
    breakeven_after: published.breakeven_after ?? null,
    expires_at: fill ? published.deadline : published.entry_deadline,
    note: stored.note,
    entry_price: fill?.entry_price ?? null,
    filled_at: fill?.filled_at ?? null,
    exits: exits.map(({ target, fraction, price, exited_at }) => ({ target, fraction, price, exited_at })),
    current_stop_loss: currentStop(history),
    close_requested_at: closeRequest?.at ?? null,
    voided_at: voided?.at ?? null,
    voided_reason: voided?.reason ?? null,
    signed: published.signed !== undefined,
    published_n: stored.published.n,
    published_hash: stored.published.hash,
    closed_n: stored.closed?.n ?? null,
    closed_hash: stored.closed?.hash ?? null,
  } as SignalDetail;
}

/** The tightest of the published stop, the amendments, and the entry once enough targets were reached (J8). */
export function currentStop({ published, exits, amendments }: SignalHistory): number {
  const { direction, entry, stop_loss, breakeven_after } = published;
  const stops = [stop_loss, ...amendments.map((record) => record.stop_loss)];
  if (breakeven_after !== undefined && exits.length >= breakeven_after) stops.push(entry);
  return direction === 'buy' ? Math.max(...stops) : Math.min(...stops);
}
