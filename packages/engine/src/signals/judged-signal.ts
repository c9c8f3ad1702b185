// A signal that is being judged. Prices are in ticks and negated for a sell, so that one set of rules covers both directions.
import type { ExitPart } from '@tickwire/contract';
import { asEpochMs, type EpochMs } from '../market/time.ts';
import type { QuoteEvidence } from './evidence.ts';
import type { Amendment, CloseRequest, Exit, Fill, Order, Progress } from './order.ts';
import type { MarketPrice } from './standing-price.ts';

/** How long quotes from before a deadline may come late (J3). */
export const GRACE_MS = 5_000;

export interface JudgedSignal {
  readonly order: Order;
  readonly sign: 1 | -1;
  /** Signed prices. */
  readonly entry: number;
  readonly stop: number;
  /** Entry side of the accepted quote. */
  readonly acceptedEntry: number;
  readonly targets: readonly ExitPart[];
  /** Order of acceptance. If one event decides several signals, their verdicts follow it. */
  readonly ordinal: number;
  fill: Fill | null;
  exits: readonly Exit[];
  amendments: readonly Amendment[];
  closeRequest: CloseRequest | null;
  /** Set once the deadline has passed: the last price before it. The signal closes when the grace is over. */
  due: MarketPrice | null;
  /** While it is due and pending: the last price before the deadline that it has if a late event fills it. */
  dueIfFilled: MarketPrice | null;
  closed: boolean;
  /** Prices that were watched for an earlier version of this signal are obsolete. */
  version: number;
  /** The deadline that is watched; `null` if none is. */
  watchedDeadline: EpochMs | null;
}

export function toJudgedSignal(order: Order, progress: Progress, ordinal: number, ticks: Ticks): JudgedSignal {
  const sign = order.direction === 'buy' ? 1 : -1;
  const { bid, ask } = order.accepted;
  return {
    order,
    sign,
    entry: sign * order.entry,
    stop: sign * order.stopLoss,
    acceptedEntry: sign === 1 ? ticks(ask) : -ticks(bid),
    targets: order.targets.map(({ fraction, price }) => ({ fraction, price: sign * price })),
    ordinal,
    fill: progress.fill,
    exits: progress.exits,
    amendments: progress.amendments,
    closeRequest: progress.closeRequest && afterFill(progress.closeRequest, progress.fill),
    due: null,
    dueIfFilled: null,
    closed: false,
    version: 0,
    watchedDeadline: null,
  };
}

type Ticks = (price: number) => number;

/** A request that was in force when a quote filled the entry continues with that quote (J4). */
export const afterFill = (request: CloseRequest, fill: Fill | null): CloseRequest =>
  fill?.evidence.kind === 'quote' && isInForce(request, fill.evidence.seq, fill.evidence.time)
    ? { at: request.at, quote: fill.evidence }
    : request;

export const progressOf = ({ fill, exits, amendments, closeRequest }: JudgedSignal): Progress => ({
  fill,
  exits,
  amendments,
  closeRequest,
});

export const deadlineOf = ({ fill, order }: JudgedSignal): EpochMs => (fill ? order.deadline : order.entryDeadline);

/** From this time on, events close a signal whose deadline has passed. */
export const graceEndOf = (signal: JudgedSignal): EpochMs => asEpochMs(deadlineOf(signal) + GRACE_MS);

/** The deadline of the signal if a late event fills it, as far as that comes before the end of the grace. */
export const lastDeadlineOf = (signal: JudgedSignal): EpochMs =>
  signal.order.deadline < graceEndOf(signal) ? signal.order.deadline : deadlineOf(signal);

/** The parts of the position that are still open. */
export const openParts = ({ targets, exits }: JudgedSignal): readonly ExitPart[] => targets.slice(exits.length);

export function openFraction({ targets, exits }: JudgedSignal): number {
  let open = 0;
  for (let at = exits.length; at < targets.length; at++) open += targets[at]!.fraction;
  return open;
}

/** Whether an event judges the signal (J1). `end` is its time; for a bar, its end. */
export const isJudgedBy = ({ order }: JudgedSignal, seq: number, end: EpochMs): boolean =>
  seq > order.accepted.seq && end > order.publishedAt;

/** Whether an amendment or a request is in force for an event. */
export const isInForce = (
  { at, quote }: { readonly at: EpochMs; readonly quote: QuoteEvidence },
  seq: number,
  end: EpochMs,
): boolean => seq > quote.seq && end > at;

/** The signed stop for an event (J8). Without an event: for one that is later than every amendment. */
export function stopInForce(signal: JudgedSignal, event?: { readonly seq: number; readonly end: EpochMs }): number {
  const { order, sign, exits, amendments } = signal;
  let { stop } = signal;
  if (order.breakevenAfter !== null && exits.length >= order.breakevenAfter) stop = Math.max(stop, signal.entry);
  for (const amendment of amendments)
    if (!event || isInForce(amendment, event.seq, event.end)) stop = Math.max(stop, sign * amendment.stopLoss);
  return stop;
}
