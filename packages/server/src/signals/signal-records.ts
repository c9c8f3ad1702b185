// The records of a signal, made from what the engine decided. Prices are in ticks in the engine and numbers in the records;
// fractions are in units of 1e-4 in the engine.
import {
  type AmendedRecord,
  type ClosedRecord,
  type CloseRequestedRecord,
  type ExitedRecord,
  type ExitPart,
  type FilledRecord,
  meanExitPrice,
  NO_PROFIT,
  type ProfitInput,
  type PublishedRecord,
  profitOf,
  RULES_VERSION,
  type RulesVersion,
  rankingR,
  type SignalRequest,
  type VoidedRecord,
  WHOLE,
} from '@tickwire/contract';
import {
  type Amendment,
  type ClosedVerdict,
  type CloseRequest,
  type EpochMs,
  type ExitedVerdict,
  type FilledVerdict,
  fromTicks,
  type InstrumentSpec,
  type Order,
  toTicks,
} from '@tickwire/engine';
import type { ClosedFacts, PublishedFacts } from '../store/signal-store.ts';
import { iso, sha256, toWireEvidence, toWireQuote, type UnchainedRecord } from './log-records.ts';

/** A publication that is stored, or about to be. */
export type Published = PublishedRecord | UnchainedRecord<PublishedRecord>;
export type RecordSignature = NonNullable<PublishedRecord['signed']>;

export interface PublicationDetails {
  /** Public id of the publisher's account. */
  readonly publisher: string;
  readonly request: Pick<SignalRequest, 'targets' | 'note'>;
  readonly signed: RecordSignature | null;
}

export function publishedRecord(
  order: Order,
  spec: InstrumentSpec,
  { publisher, request: { targets, note }, signed }: PublicationDetails,
): UnchainedRecord<PublishedRecord> {
  const price = (ticks: number): number => fromTicks(ticks, spec.digits);
  return {
    type: 'published',
    rules: RULES_VERSION,
    at: iso(order.publishedAt),
    signal: order.id,
    publisher,
    symbol: order.symbol,
    direction: order.direction,
    entry: price(order.entry),
    stop_loss: price(order.stopLoss),
    take_profit: price(order.targets.at(-1)!.price),
    ...(targets && { targets: targets.map((target) => ({ ...target })) }),
    ...(order.breakevenAfter !== null && { breakeven_after: order.breakevenAfter }),
    order: order.kind,
    entry_deadline: iso(order.entryDeadline),
    deadline: iso(order.deadline),
    ...(note !== undefined && { note_sha256: sha256(note) }),
    ...(signed && { signed }),
    instrument: { digits: spec.digits, pip_size: spec.pipSize },
    quote: toWireQuote(order.accepted),
  };
}

const about = ({ rules, signal, publisher, symbol }: Published, at: number) => ({
  rules,
  at: iso(at),
  signal,
  publisher,
  symbol,
});
const recovery = ({ recovered }: FilledVerdict | ExitedVerdict | ClosedVerdict) => recovered && { recovered };
const priceOf = (ticks: number, { instrument }: Published): number => fromTicks(ticks, instrument.digits);

export const filledRecord = (
  verdict: FilledVerdict,
  published: Published,
  at: number,
): UnchainedRecord<FilledRecord> => ({
  type: 'filled',
  ...about(published, at),
  entry_price: priceOf(verdict.fill.price, published),
  filled_at: iso(verdict.fill.at),
  filled: toWireEvidence(verdict.fill.evidence!),
  ...recovery(verdict),
});

export const exitedRecord = (
  verdict: ExitedVerdict,
  published: Published,
  at: number,
): UnchainedRecord<ExitedRecord> => ({
  type: 'exited',
  ...about(published, at),
  target: verdict.target,
  fraction: verdict.exit.fraction / WHOLE,
  price: priceOf(verdict.exit.price, published),
  exited_at: iso(verdict.exit.at),
  decided: toWireEvidence(verdict.exit.evidence),
  ...recovery(verdict),
});

export const amendedRecord = (
  { stopLoss, at, quote }: Amendment,
  published: Published,
  signed: RecordSignature | null,
): UnchainedRecord<AmendedRecord> => ({
  type: 'amended',
  ...about(published, at),
  stop_loss: priceOf(stopLoss, published),
  ...(signed && { signed }),
  quote: toWireQuote(quote),
});

export const closeRequestedRecord = (
  { at, quote }: CloseRequest,
  published: Published,
  signed: RecordSignature | null,
): UnchainedRecord<CloseRequestedRecord> => ({
  type: 'close_requested',
  ...about(published, at),
  ...(signed && { signed }),
  quote: toWireQuote(quote),
});

export const voidedRecord = (published: Published, reason: string, at: EpochMs): UnchainedRecord<VoidedRecord> => ({
  type: 'voided',
  ...about(published, at),
  reason,
});

export function closedRecord(verdict: ClosedVerdict, published: Published, at: number): UnchainedRecord<ClosedRecord> {
  const { fill, exits, bestExits, gap, sources } = verdict;
  const { digits } = published.instrument;
  const last = exits.at(-1);
  const isSelfSourced = sources.includes(`push:${published.publisher}`);
  return {
    type: 'closed',
    ...about(published, at),
    instrument: { ...published.instrument },
    reason: verdict.reason,
    entry_price: fill && priceOf(fill.price, published),
    exit_price: last ? meanExitPrice(exits, digits) : null,
    ...(published.rules > 1 && {
      last_exit: last ? { fraction: last.fraction / WHOLE, price: priceOf(last.price, published) } : null,
    }),
    closed_at: iso(verdict.closedAt),
    ...(last ? profitOf(profitInput(verdict, published, exits)) : NO_PROFIT),
    ...(bestExits && { pnl_best: profitOf(profitInput(verdict, published, bestExits)).pnl }),
    ...(gap && { gap_from: iso(gap.from), gap_to: iso(gap.to) }),
    ...(isSelfSourced && { self_sourced: true as const }),
    ...recovery(verdict),
    filled: fill?.evidence ? toWireEvidence(fill.evidence) : null,
    decided: toWireEvidence(verdict.decided),
    decided_seq: verdict.decidedSeq,
  };
}

function profitInput({ fill }: ClosedVerdict, published: Published, exits: readonly ExitPart[]): ProfitInput {
  const { rules, direction, entry, stop_loss, instrument } = published;
  const ticks = (price: number): number => toTicks(price, instrument.digits);
  return {
    rules: rules as RulesVersion,
    direction,
    entry: ticks(entry),
    entryPrice: fill!.price,
    stopLoss: ticks(stop_loss),
    exits,
    digits: instrument.digits,
    pipSize: instrument.pip_size,
  };
}

export const publishedFacts = (record: Published): PublishedFacts => ({
  rules: record.rules,
  direction: record.direction,
  order: record.order,
  plannedRisk: Math.abs(record.entry - record.stop_loss),
  plannedReward: Math.abs(record.entry - record.take_profit),
  source: record.quote.source,
});

/** What rankings need of a closing. The record alone has neither the sources of the exits nor R for ranking. */
export function closedFacts(
  verdict: ClosedVerdict,
  published: Published,
  closing: UnchainedRecord<ClosedRecord>,
): ClosedFacts {
  const { quote, instrument, rules } = published;
  const spread = toTicks(quote.ask, instrument.digits) - toTicks(quote.bid, instrument.digits);
  const ranked = rules > 1 && verdict.exits.length > 0;
  const known = new Set([quote.source, closing.filled?.source, closing.decided.source]);
  return {
    ...factsOf(published, closing),
    rankR: ranked ? rankingR(profitInput(verdict, published, verdict.exits), spread) : closing.pnl_r,
    exitSources: [...new Set(verdict.sources)].filter((source) => !known.has(source)),
  };
}

/** The facts that follow from the records. */
export const factsOf = (
  published: Published,
  closing: ClosedRecord | UnchainedRecord<ClosedRecord>,
): Omit<ClosedFacts, 'rankR' | 'exitSources'> => ({
  gap: closing.gap_from !== undefined,
  selfSourced: closing.self_sourced !== undefined,
  // An entry that was not filled in time closed at its deadline; one that was withdrawn closed before.
  withdrawn: closing.reason === 'unfilled' && closing.closed_at !== published.entry_deadline,
  decidedSource: closing.decided.source,
});
