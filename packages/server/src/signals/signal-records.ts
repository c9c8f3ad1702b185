// The records of a signal, made from what the engine decided. Prices are in ticks in the engine and numbers in the records;
// fractions are in units of 1e-4 in the engine.
import {
  type AmendedRecord,
  type ClosedRecord,
  type CloseRequestedRecord,
  type ExitedRecord,
  type ExitPart,
  type FeedRecord,
  type FilledRecord,
  iso,
  meanExitPrice,
  NO_PROFIT,
  type ProfitInput,
  type PublishedRecord,
  profitOf,
  RULES_VERSION,
  rankingR,
  type SignalRequest,
  type VoidedRecord,
  WHOLE,
} from '@tickwire/contract';
import {
  type Amendment,
  type ClosedVerdict,
  type CloseRequest,
  type DisconnectVerdict,
  type EpochMs,
  type ExitedVerdict,
  type FilledVerdict,
  fromTicks,
  type GapVerdict,
  type InstrumentSpec,
  type Order,
  toTicks,
} from '@tickwire/engine';
import { sha256Hex } from '../ops/sha256.ts';
import { toWireEvidence, toWireQuote, type UnchainedRecord } from './log-records.ts';

/** A publication that is stored, or about to be. */
export type Published = UnchainedRecord<PublishedRecord>;
export type RecordSignature = NonNullable<PublishedRecord['signed']>;

export interface PublicationDetails {
  /** Public id of the publisher's account. */
  readonly publisher: string;
  readonly request: Pick<SignalRequest, 'order' | 'targets' | 'note'>;
  readonly signed: RecordSignature | null;
}

export function publishedRecord(
  order: Order,
  spec: InstrumentSpec,
  { publisher, request, signed }: PublicationDetails,
): UnchainedRecord<PublishedRecord> {
  const { targets, note } = request;
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
    ...(request.order === 'market' && {
      max_slippage: order.maxSlippage === null ? null : price(order.maxSlippage),
    }),
    entry_deadline: iso(order.entryDeadline),
    deadline: iso(order.deadline),
    ...(note !== undefined && { note_sha256: sha256Hex(note) }),
    ...(signed && { signed }),
    instrument: { digits: spec.digits, pip_size: spec.pipSize },
    quote: toWireQuote(order.accepted),
  };
}

const about = ({ signal, publisher, symbol }: Published, at: number) => ({
  rules: RULES_VERSION,
  at: iso(at),
  signal,
  publisher,
  symbol,
});
const recovery = ({ recovered }: FilledVerdict | ExitedVerdict | ClosedVerdict) => recovered && { recovered };
const priceOf = (ticks: number, { instrument }: Published): number => fromTicks(ticks, instrument.digits);

/** A loss of prices. What it means for signals follows from the rules (C1, G1, G4). */
export function feedRecord(verdict: GapVerdict | DisconnectVerdict, at: number): UnchainedRecord<FeedRecord> {
  const { symbol, seq } = verdict;
  const [event, from, to] =
    verdict.kind === 'gap'
      ? [verdict.cause, verdict.from, verdict.to]
      : (['disconnect', verdict.time, verdict.time] as const);
  return { type: 'feed', rules: RULES_VERSION, at: iso(at), symbol, event, seq, from: iso(from), to: iso(to) };
}

export const filledRecord = (
  verdict: FilledVerdict,
  published: Published,
  at: number,
): UnchainedRecord<FilledRecord> => ({
  type: 'filled',
  ...about(published, at),
  entry_price: priceOf(verdict.fill.price, published),
  filled_at: iso(verdict.fill.at),
  filled: toWireEvidence(verdict.fill.evidence),
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
    last_exit: last ? { fraction: last.fraction / WHOLE, price: priceOf(last.price, published) } : null,
    closed_at: iso(verdict.closedAt),
    ...(last ? profitOf(profitInput(verdict, published, exits)) : NO_PROFIT),
    ...(bestExits && { pnl_best: profitOf(profitInput(verdict, published, bestExits)).pnl }),
    ...(gap && { gap_from: iso(gap.from), gap_to: iso(gap.to) }),
    ...(isSelfSourced && { self_sourced: true as const }),
    ...recovery(verdict),
    filled: fill && toWireEvidence(fill.evidence),
    decided: toWireEvidence(verdict.decided),
    decided_seq: verdict.decidedSeq,
  };
}

function profitInput({ fill }: ClosedVerdict, published: Published, exits: readonly ExitPart[]): ProfitInput {
  const { direction, entry, stop_loss, instrument } = published;
  const ticks = (price: number): number => toTicks(price, instrument.digits);
  return {
    direction,
    entry: ticks(entry),
    entryPrice: fill!.price,
    stopLoss: ticks(stop_loss),
    exits,
    digits: instrument.digits,
    pipSize: instrument.pip_size,
  };
}

/** R for ranking, which the record of a closing does not have. */
export function rankedR(verdict: ClosedVerdict, published: Published, closing: UnchainedRecord<ClosedRecord>): number {
  if (verdict.exits.length === 0) return closing.pnl_r;
  const { quote, instrument } = published;
  const spread = toTicks(quote.ask, instrument.digits) - toTicks(quote.bid, instrument.digits);
  return rankingR(profitInput(verdict, published, verdict.exits), spread);
}
