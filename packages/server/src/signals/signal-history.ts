// What the records of a signal say about it: the order and its progress, as the verifier judges them, and the detail that the API
// returns.
import {
  type AmendedRecord,
  type CloseRequestedRecord,
  type Evidence,
  type ExitedRecord,
  type FilledRecord,
  type LogRecord,
  type PublishedRecord,
  type RulesVersion,
  type SignalDetail,
  type Target,
  type VoidedRecord,
  WHOLE,
} from '@tickwire/contract';
import {
  asSymbol,
  type Evidence as Decided,
  type EpochMs,
  type Fill,
  fromTicks,
  type Order,
  type Progress,
  type QuoteEvidence,
  toTicks,
} from '@tickwire/engine';
import { withStoreErrors } from '../errors/store-error.ts';
import type { SignalStore, StoredRecord, StoredSignal } from '../store/signal-store.ts';
import { epoch, fromWireEvidence, iso, parseRecord, toWireEvidence } from './log-records.ts';
import { toSignal } from './wire-signals.ts';

export interface SignalHistory {
  readonly published: PublishedRecord;
  readonly filled: FilledRecord | null;
  readonly exits: readonly ExitedRecord[];
  readonly amendments: readonly AmendedRecord[];
  readonly closeRequest: CloseRequestedRecord | null;
  readonly voided: VoidedRecord | null;
}

/** All records of one signal. */
export function historyOf(records: readonly StoredRecord[]): SignalHistory {
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

const targetsOf = ({ targets, take_profit }: PublishedRecord): Target[] =>
  targets ?? [{ price: take_profit, fraction: 1 }];

export function toOrder(record: PublishedRecord): Order {
  const ticks = (price: number): number => toTicks(price, record.instrument.digits);
  return {
    rules: record.rules as RulesVersion,
    id: record.signal,
    symbol: asSymbol(record.symbol),
    direction: record.direction,
    kind: record.order,
    entry: ticks(record.entry),
    stopLoss: ticks(record.stop_loss),
    targets: targetsOf(record).map(({ price, fraction }) => ({
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

/** `stored` is the fill that is stored beside the log under rules version 1. */
export function toProgress(history: SignalHistory, stored: string | null): Progress {
  const { published, exits, amendments, closeRequest } = history;
  const ticks = (price: number): number => toTicks(price, published.instrument.digits);
  const inForce = ({ at, quote }: AmendedRecord | CloseRequestedRecord) => ({
    at: epoch(at),
    quote: fromWireEvidence(quote) as QuoteEvidence,
  });
  return {
    fill: fillOf(history, stored),
    exits: exits.map(({ fraction, price, exited_at, decided }) => ({
      fraction: Math.round(fraction * WHOLE),
      price: ticks(price),
      at: epoch(exited_at),
      evidence: fromWireEvidence(decided),
    })),
    amendments: amendments.map((record) => ({ stopLoss: ticks(record.stop_loss), ...inForce(record) })),
    closeRequest: closeRequest && inForce(closeRequest),
  };
}

function fillOf({ published, filled }: SignalHistory, stored: string | null): Fill | null {
  const ticks = (price: number): number => toTicks(price, published.instrument.digits);
  if (filled)
    return {
      price: ticks(filled.entry_price),
      at: epoch(filled.filled_at),
      evidence: fromWireEvidence(filled.filled),
    };
  // Rules version 1: a market entry filled at publication, and other fills are not in the log.
  if (published.entry_price !== undefined)
    return { price: ticks(published.entry_price), at: epoch(published.at), evidence: null };
  return stored === null ? null : parseFill(stored);
}

/** A fill under rules version 1, as it is stored beside the log. */
export const serializeFill = ({ price, at, evidence }: Fill): string =>
  JSON.stringify({ price, at, evidence: evidence && toWireEvidence(evidence) });

function parseFill(text: string): Fill {
  const { price, at, evidence } = JSON.parse(text) as { price: number; at: EpochMs; evidence: Evidence | null };
  return { price, at, evidence: evidence && (fromWireEvidence(evidence) as Decided) };
}

/** The detail of a stored signal; undefined if there is none. */
export async function readDetail(
  store: SignalStore,
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
  const { published, exits, closeRequest, voided } = history;
  const { digits } = published.instrument;
  const signal = toSignal(stored, user);
  const fill = voided ? null : fillOf(history, stored.fill);
  return {
    ...signal,
    publisher: published.publisher,
    rules: published.rules,
    order: published.order,
    state: signal.status === 'closed' ? 'closed' : fill ? 'open' : 'pending',
    targets: targetsOf(published),
    breakeven_after: published.breakeven_after ?? null,
    expires_at: fill ? published.deadline : published.entry_deadline,
    note: stored.note,
    entry_price: fill && fromTicks(fill.price, digits),
    filled_at: fill && iso(fill.at),
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
function currentStop({ published, exits, amendments }: SignalHistory): number {
  const { direction, entry, stop_loss, breakeven_after } = published;
  const stops = [stop_loss, ...amendments.map((record) => record.stop_loss)];
  if (breakeven_after !== undefined && exits.length >= breakeven_after) stops.push(entry);
  return direction === 'buy' ? Math.max(...stops) : Math.min(...stops);
}
