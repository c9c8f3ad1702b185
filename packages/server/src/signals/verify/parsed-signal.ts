// The two log records of a signal, parsed into numbers: prices in ticks of the instrument, times in milliseconds.
// Prices in evidence stay as they are, as in the engine.
import type { ClosedRecord, PublishedRecord, Evidence as RecordEvidence } from '@tickwire/contract';
import type { EpochMs, Evidence, MarketSymbol, OrderKind, QuoteEvidence } from '@tickwire/engine';
import { fromTicks, toTicks } from '@tickwire/engine';

export interface ParsedPublication {
  readonly n: number;
  readonly signal: string;
  readonly publisher: string;
  readonly symbol: MarketSymbol;
  readonly buy: boolean;
  readonly digits: number;
  readonly pipSize: number;
  readonly entry: number;
  readonly stopLoss: number;
  readonly takeProfit: number;
  readonly order: OrderKind;
  readonly at: number;
  readonly entryDeadline: number;
  readonly deadline: number;
  /** Set for a market entry. */
  readonly entryPrice: number | null;
  readonly quote: QuoteEvidence;
  readonly noteHash: string | null;
}

export interface ParsedClosing {
  readonly n: number;
  readonly reason: ClosedRecord['reason'];
  readonly entryPrice: number | null;
  readonly exitPrice: number | null;
  readonly closedAt: number;
  readonly pnl: number;
  readonly pnlPercent: number;
  readonly pnlR: number;
  readonly pnlBest: number | null;
  readonly ranked: boolean;
  readonly filled: Evidence | null;
  readonly decided: Evidence;
  readonly decidedSeq: number;
}

/** `closing` is null while the signal is active. */
export interface ParsedSignal {
  readonly publication: ParsedPublication;
  readonly closing: ParsedClosing | null;
}

/** A signal that was published and closed. */
export interface SignalLifecycle extends ParsedSignal {
  readonly closing: ParsedClosing;
}

export const parseEvidence = (evidence: RecordEvidence): Evidence =>
  ({ ...evidence, time: Date.parse(evidence.time) as EpochMs }) as Evidence;

export function parsePublication(r: PublishedRecord): ParsedPublication {
  const { digits, pip_size: pipSize } = r.instrument;
  const ticks = (price: number): number => toTicks(price, digits);
  return {
    n: r.n,
    signal: r.signal,
    publisher: r.publisher,
    symbol: r.symbol as MarketSymbol,
    buy: r.direction === 'buy',
    digits,
    pipSize,
    entry: ticks(r.entry),
    stopLoss: ticks(r.stop_loss),
    takeProfit: ticks(r.take_profit),
    order: r.order,
    at: Date.parse(r.at),
    entryDeadline: Date.parse(r.entry_deadline),
    deadline: Date.parse(r.deadline),
    entryPrice: r.entry_price === undefined ? null : ticks(r.entry_price),
    quote: parseEvidence(r.quote) as QuoteEvidence,
    noteHash: r.note_sha256 ?? null,
  };
}

export function parseClosing(r: ClosedRecord): ParsedClosing {
  const ticks = (price: number | null): number | null => (price === null ? null : toTicks(price, r.instrument.digits));
  return {
    n: r.n,
    reason: r.reason,
    entryPrice: ticks(r.entry_price),
    exitPrice: ticks(r.exit_price),
    closedAt: Date.parse(r.closed_at),
    pnl: r.pnl,
    pnlPercent: r.pnl_percent,
    pnlR: r.pnl_r,
    pnlBest: r.pnl_best ?? null,
    ranked: r.gap_from === undefined && r.self_sourced === undefined,
    filled: r.filled && parseEvidence(r.filled),
    decided: parseEvidence(r.decided),
    decidedSeq: r.decided_seq,
  };
}

/** Whether a price is a whole number of ticks, in its shortest decimal form. */
export const isPrice = (price: number, digits: number): boolean =>
  price > 0 && fromTicks(toTicks(price, digits), digits) === price;

export const formatTicks = (ticks: number, { digits }: ParsedPublication): string => String(fromTicks(ticks, digits));
export const formatTime = (ms: number): string => new Date(ms).toISOString();
