// Converts signals between the engine (prices in ticks, times in milliseconds), the records of the log and the API
// (prices as numbers, times in ISO 8601).
import {
  type ActiveSignal,
  type ClosedRecord,
  type ClosedSignal,
  canonicalJson,
  type Evidence,
  type LogRecord,
  NO_PROFIT,
  type PublishedRecord,
  profitOf,
  RULES_VERSION,
  type SignalMessage,
} from '@tickwire/contract';
import {
  asEpochMs,
  asSymbol,
  type ClosedVerdict,
  type Evidence as Decided,
  type EpochMs,
  type Fill,
  fromTicks,
  type InstrumentSpec,
  type Order,
  type QuoteEvidence,
  toTicks,
} from '@tickwire/engine';
import type { StoredRecord, StoredSignal } from '../store/signal-store.ts';

/** A record before it is chained. */
export type UnchainedRecord<R extends LogRecord> = Omit<R, 'n' | 'prev'>;

export const iso = (time: number): string => new Date(time).toISOString();
const epoch = (time: string): EpochMs => asEpochMs(Date.parse(time));

export const sha256 = (text: string): string => Bun.CryptoHasher.hash('sha256', text, 'hex');

/** Appends a record to the chain, behind the record with the hash `prev`. */
export function chainRecord(record: UnchainedRecord<LogRecord>, n: number, prev: string): StoredRecord {
  const text = canonicalJson({ ...record, n, prev });
  return { n, hash: sha256(text), text };
}

export const parseRecord = <R extends LogRecord>({ text }: StoredRecord): R => JSON.parse(text) as R;

const toWireEvidence = (evidence: Decided): Evidence => ({ ...evidence, time: iso(evidence.time) });
const fromWireEvidence = (evidence: Evidence): Decided => ({ ...evidence, time: epoch(evidence.time) });

export interface PublicationDetails {
  /** Public id of the publisher's account. */
  readonly publisher: string;
  readonly at: EpochMs;
  readonly note: string | null;
}

export function publishedRecord(
  order: Order,
  spec: InstrumentSpec,
  { publisher, at, note }: PublicationDetails,
): UnchainedRecord<PublishedRecord> {
  const price = (ticks: number): number => fromTicks(ticks, spec.digits);
  return {
    type: 'published',
    rules: RULES_VERSION,
    at: iso(at),
    signal: order.id,
    publisher,
    symbol: order.symbol,
    direction: order.direction,
    entry: price(order.entry),
    stop_loss: price(order.stopLoss),
    take_profit: price(order.takeProfit),
    order: order.kind,
    entry_deadline: iso(order.entryDeadline),
    deadline: iso(order.deadline),
    ...(order.fill && { entry_price: price(order.fill.price) }),
    ...(note !== null && { note_sha256: sha256(note) }),
    instrument: { digits: spec.digits, pip_size: spec.pipSize },
    quote: toWireEvidence(order.accepted) as PublishedRecord['quote'],
  };
}

/** The order as it was accepted; `fill` is the known fill of a pending order. */
export function toOrder(record: PublishedRecord, digits: number, fill: Fill | null): Order {
  const ticks = (price: number): number => toTicks(price, digits);
  const marketFill = record.entry_price;
  return {
    id: record.signal,
    symbol: asSymbol(record.symbol),
    direction: record.direction,
    kind: record.order,
    entry: ticks(record.entry),
    stopLoss: ticks(record.stop_loss),
    takeProfit: ticks(record.take_profit),
    accepted: fromWireEvidence(record.quote) as QuoteEvidence,
    entryDeadline: epoch(record.entry_deadline),
    deadline: epoch(record.deadline),
    fill: marketFill === undefined ? fill : { price: ticks(marketFill), at: epoch(record.at), evidence: null },
  };
}

export function closedRecord(
  verdict: ClosedVerdict,
  published: PublishedRecord,
  digits: number,
  at: number,
): UnchainedRecord<ClosedRecord> {
  const { fill, exitPrice, bestExit, gap } = verdict;
  const price = (ticks: number): number => fromTicks(ticks, digits);
  const profitAt = (exit: number) =>
    profitOf({
      direction: published.direction,
      entry: toTicks(published.entry, digits),
      stopLoss: toTicks(published.stop_loss, digits),
      entryPrice: fill!.price,
      exitPrice: exit,
      digits,
      pipSize: published.instrument.pip_size,
    });
  const own = `push:${published.publisher}`;
  const sources = [published.quote.source, fill?.evidence?.source, verdict.decided.source];
  return {
    type: 'closed',
    rules: RULES_VERSION,
    at: iso(at),
    signal: published.signal,
    publisher: published.publisher,
    symbol: published.symbol,
    instrument: { digits, pip_size: published.instrument.pip_size },
    reason: verdict.reason,
    entry_price: fill && price(fill.price),
    exit_price: exitPrice === null ? null : price(exitPrice),
    closed_at: iso(verdict.closedAt),
    ...(exitPrice === null ? NO_PROFIT : profitAt(exitPrice)),
    ...(bestExit !== null && { pnl_best: profitAt(bestExit).pnl }),
    ...(gap && { gap_from: iso(gap.from), gap_to: iso(gap.to) }),
    ...(sources.includes(own) && { self_sourced: true as const }),
    ...(verdict.recovered && { recovered: verdict.recovered }),
    filled: fill?.evidence ? toWireEvidence(fill.evidence) : null,
    decided: toWireEvidence(verdict.decided),
    decided_seq: verdict.decidedSeq,
  };
}

/** Signals with a gap in their prices, or judged by ticks of their own publisher, are displayed but not ranked. */
export const isRanked = ({ gap_from, self_sourced }: Pick<ClosedRecord, 'gap_from' | 'self_sourced'>): boolean =>
  gap_from === undefined && self_sourced === undefined;

export const signalMessage = (
  record: PublishedRecord | UnchainedRecord<PublishedRecord>,
  user: string,
): SignalMessage => ({
  id: record.signal,
  user,
  symbol: record.symbol,
  direction: record.direction,
  entry: record.entry,
  stop_loss: record.stop_loss,
  take_profit: record.take_profit,
  timestamp: record.at,
});

export function activeSignal(record: PublishedRecord, user: string): ActiveSignal {
  const { timestamp, ...message } = signalMessage(record, user);
  return { ...message, status: 'active', timestamp };
}

export function closedSignal(
  published: PublishedRecord | UnchainedRecord<PublishedRecord>,
  closed: ClosedRecord | UnchainedRecord<ClosedRecord>,
  user: string,
): ClosedSignal {
  const { timestamp, ...message } = signalMessage(published, user);
  const { pnl_best, gap_from, gap_to, self_sourced, recovered } = closed;
  return {
    ...message,
    status: 'closed',
    timestamp,
    pnl: closed.pnl,
    pnl_percent: closed.pnl_percent,
    pnl_r: closed.pnl_r,
    entry_price: closed.entry_price,
    exit_price: closed.exit_price,
    closed_at: closed.closed_at,
    close_reason: closed.reason,
    ...(pnl_best !== undefined && { pnl_best }),
    ...(gap_from !== undefined && { gap_from }),
    ...(gap_to !== undefined && { gap_to }),
    ...(self_sourced !== undefined && { self_sourced }),
    ...(recovered !== undefined && { recovered }),
  };
}

/** A stored signal as the API returns it. */
export function toSignal({ published, closed }: StoredSignal, user: string): ActiveSignal | ClosedSignal {
  const record = parseRecord<PublishedRecord>(published);
  return closed ? closedSignal(record, parseRecord<ClosedRecord>(closed), user) : activeSignal(record, user);
}

/** A fill as it is stored beside the log until the signal closes. */
export const serializeFill = ({ price, at, evidence }: Fill): string =>
  JSON.stringify({ price, at, evidence: evidence && toWireEvidence(evidence) });

export function parseFill(text: string): Fill {
  const { price, at, evidence } = JSON.parse(text) as { price: number; at: EpochMs; evidence: Evidence | null };
  return { price, at, evidence: evidence && fromWireEvidence(evidence) };
}
