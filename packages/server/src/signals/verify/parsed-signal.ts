// The log records of a signal, parsed into numbers: prices in ticks of the instrument, fractions in units of 1e-4, times in
// milliseconds. Prices in evidence stay as they are, as in the engine.
import {
  type AmendedRecord,
  type ClosedRecord,
  type CloseRequestedRecord,
  type ExitedRecord,
  type ExitPart,
  type FilledRecord,
  type OrderKind,
  type PublishedRecord,
  type Evidence as RecordEvidence,
  type RulesVersion,
  WHOLE,
} from '@tickwire/contract';
import type { EpochMs, Evidence, MarketSymbol, QuoteEvidence } from '@tickwire/engine';
import { fromTicks, toTicks } from '@tickwire/engine';
import { timeOf } from './record-shape.ts';

export interface ParsedPublication {
  readonly n: number;
  readonly rules: RulesVersion;
  readonly signal: string;
  readonly publisher: string;
  readonly symbol: MarketSymbol;
  readonly buy: boolean;
  readonly digits: number;
  readonly pipSize: number;
  readonly entry: number;
  readonly stopLoss: number;
  /** Nearest first. Without `targets` there is one: `take_profit`. */
  readonly targets: readonly ExitPart[];
  readonly breakevenAfter: number | null;
  readonly order: OrderKind;
  readonly at: number;
  readonly entryDeadline: number;
  readonly deadline: number;
  /** Set for a market entry under rules version 1. */
  readonly entryPrice: number | null;
  readonly quote: QuoteEvidence;
  readonly noteHash: string | null;
}

export interface ParsedFill {
  readonly n: number;
  readonly price: number;
  readonly at: number;
  readonly evidence: Evidence;
}

export interface ParsedExit extends ExitPart {
  readonly n: number;
  readonly target: number;
  readonly at: number;
  readonly evidence: Evidence;
}

export interface ParsedAmendment {
  readonly n: number;
  readonly stopLoss: number;
  readonly at: number;
  readonly quote: QuoteEvidence;
}

export interface ParsedRequest {
  readonly n: number;
  readonly at: number;
  readonly quote: QuoteEvidence;
}

export interface ParsedClosing {
  readonly n: number;
  readonly at: number;
  readonly reason: ClosedRecord['reason'];
  readonly entryPrice: number | null;
  /** As recorded: the mean of several exits is not a whole number of ticks. */
  readonly exitPrice: number | null;
  /** `null` if it never filled; missing under rules version 1. */
  readonly lastExit: ExitPart | null | undefined;
  readonly closedAt: number;
  readonly pnl: number;
  readonly pnlPercent: number;
  readonly pnlR: number;
  readonly pnlBest: number | null;
  readonly hasGap: boolean;
  readonly selfSourced: boolean;
  readonly filled: Evidence | null;
  readonly decided: Evidence;
  readonly decidedSeq: number;
}

/** A signal as the log records it. */
export interface ParsedSignal {
  readonly publication: ParsedPublication;
  readonly fill: ParsedFill | null;
  readonly exits: readonly ParsedExit[];
  readonly amendments: readonly ParsedAmendment[];
  readonly request: ParsedRequest | null;
  /** `null` while the signal is active, and if it was voided while it was active. */
  readonly closing: ParsedClosing | null;
  /** Number of the `voided` record. */
  readonly voidedN: number | null;
}

export const parseEvidence = (evidence: RecordEvidence): Evidence =>
  ({ ...evidence, time: timeOf(evidence.time) as EpochMs }) as Evidence;

const parseQuote = (quote: PublishedRecord['quote']): QuoteEvidence => parseEvidence(quote) as QuoteEvidence;

/** A fraction in units of 1e-4; not whole if it has more decimals. */
export const toFraction = (fraction: number): number => {
  const units = Math.round(fraction * WHOLE);
  return units / WHOLE === fraction ? units : Number.NaN;
};

export function parsePublication(r: PublishedRecord): ParsedPublication {
  const { digits, pip_size: pipSize } = r.instrument;
  const ticks = (price: number): number => toTicks(price, digits);
  return {
    n: r.n,
    rules: r.rules as RulesVersion,
    signal: r.signal,
    publisher: r.publisher,
    symbol: r.symbol as MarketSymbol,
    buy: r.direction === 'buy',
    digits,
    pipSize,
    entry: ticks(r.entry),
    stopLoss: ticks(r.stop_loss),
    targets: r.targets?.map(({ price, fraction }) => ({ price: ticks(price), fraction: toFraction(fraction) })) ?? [
      { price: ticks(r.take_profit), fraction: WHOLE },
    ],
    breakevenAfter: r.breakeven_after ?? null,
    order: r.order,
    at: timeOf(r.at),
    entryDeadline: timeOf(r.entry_deadline),
    deadline: timeOf(r.deadline),
    entryPrice: r.entry_price === undefined ? null : ticks(r.entry_price),
    quote: parseQuote(r.quote),
    noteHash: r.note_sha256 ?? null,
  };
}

export const parseFill = (r: FilledRecord, digits: number): ParsedFill => ({
  n: r.n,
  price: toTicks(r.entry_price, digits),
  at: timeOf(r.filled_at),
  evidence: parseEvidence(r.filled),
});

export const parseExit = (r: ExitedRecord, digits: number): ParsedExit => ({
  n: r.n,
  target: r.target,
  fraction: toFraction(r.fraction),
  price: toTicks(r.price, digits),
  at: timeOf(r.exited_at),
  evidence: parseEvidence(r.decided),
});

export const parseAmendment = (r: AmendedRecord, digits: number): ParsedAmendment => ({
  n: r.n,
  stopLoss: toTicks(r.stop_loss, digits),
  at: timeOf(r.at),
  quote: parseQuote(r.quote),
});

export const parseRequest = (r: CloseRequestedRecord): ParsedRequest => ({
  n: r.n,
  at: timeOf(r.at),
  quote: parseQuote(r.quote),
});

export function parseClosing(r: ClosedRecord, digits: number): ParsedClosing {
  const last = r.last_exit;
  return {
    n: r.n,
    at: timeOf(r.at),
    reason: r.reason,
    entryPrice: r.entry_price === null ? null : toTicks(r.entry_price, digits),
    exitPrice: r.exit_price,
    lastExit: last && { fraction: toFraction(last.fraction), price: toTicks(last.price, digits) },
    closedAt: timeOf(r.closed_at),
    pnl: r.pnl,
    pnlPercent: r.pnl_percent,
    pnlR: r.pnl_r,
    pnlBest: r.pnl_best ?? null,
    hasGap: r.gap_from !== undefined,
    selfSourced: r.self_sourced !== undefined,
    filled: r.filled && parseEvidence(r.filled),
    decided: parseEvidence(r.decided),
    decidedSeq: r.decided_seq,
  };
}

/** Whether a price is a whole number of ticks, in its shortest decimal form. */
export const isPrice = (price: number, digits: number): boolean =>
  price > 0 && fromTicks(toTicks(price, digits), digits) === price;

/** Whether all prices of evidence are valid. */
export function isValidEvidence(e: RecordEvidence, digits: number): boolean {
  if (e.kind === 'quote') return isPrice(e.bid, digits) && isPrice(e.ask, digits) && e.bid <= e.ask;
  const spread = e.spread === 0 || isPrice(e.spread, digits);
  if (e.kind === 'trade') return spread && isPrice(e.price, digits);
  const valid =
    isPrice(e.open, digits) && isPrice(e.close, digits) && isPrice(e.low, digits) && isPrice(e.high, digits);
  return spread && valid && e.low <= Math.min(e.open, e.close) && Math.max(e.open, e.close) <= e.high;
}

export const formatTicks = (ticks: number, { digits }: ParsedPublication): string => String(fromTicks(ticks, digits));
export const formatTime = (ms: number): string => new Date(ms).toISOString();

export function describeEvidence(e: Evidence): string {
  if (e.kind === 'quote') return `quote ${e.seq} (${e.bid} / ${e.ask})`;
  if (e.kind === 'trade') return `trade ${e.seq} (${e.side} at ${e.price})`;
  return `bar ${e.seq} (${e.low} to ${e.high})`;
}

export const isSameEvidence = (a: Evidence, b: Evidence): boolean => a.source === b.source && isSameEvent(a, b);

/** Leaves the source aside: bars on the tape have none, nor have old tapes. */
export function isSameEvent(a: Evidence, b: Evidence): boolean {
  if (a.seq !== b.seq || a.time !== b.time) return false;
  if (a.kind === 'quote') return b.kind === 'quote' && a.bid === b.bid && a.ask === b.ask;
  if (a.kind === 'trade')
    return b.kind === 'trade' && a.price === b.price && a.side === b.side && a.spread === b.spread;
  return (
    b.kind === 'bar' &&
    a.open === b.open &&
    a.high === b.high &&
    a.low === b.low &&
    a.close === b.close &&
    a.spread === b.spread
  );
}
