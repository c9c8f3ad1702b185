// Checks what the service has accepted, by the standing quote in each record: publications, amendments and requests to close. The
// engine decides once more whether it accepts them; rules that need a clock are checked here.
import {
  type AmendedRecord,
  type CloseRequestedRecord,
  iso,
  MAX_TARGETS,
  type PublishedRecord,
} from '@tickwire/contract';
import {
  acceptSignal,
  acceptStop,
  MAX_LIFETIME_MS,
  MINUTE_MS,
  type Order,
  type Rejection,
  toTicks,
} from '@tickwire/engine';
import { currentStop, publishedTargets, type SignalHistory, toCloseRequest, toProgress } from '../signal-history.ts';
import { isPrice } from './evidence-text.ts';
import type { FindingCode, ReportFault } from './findings.ts';

/** A quote older than this is not live. */
const STALE_MS = MINUTE_MS;
const MAX_DIGITS = 12;
const MAX_AMENDMENTS = 100;

const CODES: Readonly<Record<Rejection['rejected'], FindingCode>> = {
  finer_than_digits: 'price',
  levels_out_of_order: 'levels',
  entry_too_far: 'levels',
  distance_out_of_range: 'levels',
  level_reached: 'levels',
  expiry_out_of_range: 'deadline',
  invalid_targets: 'targets',
  stop_not_tighter: 'amendment',
};

/** A signal as the records so far describe it. */
interface AcceptedSignal extends SignalHistory {
  readonly order: Order;
}

/** `order` is that of the record. */
export function checkPublication(r: PublishedRecord, order: Order, fault: ReportFault): void {
  const { digits } = r.instrument;
  const targets = publishedTargets(r);
  if (!hasValidPrices(r, fault)) return;
  if (targets.length < 1 || targets.length > MAX_TARGETS) {
    fault('targets', `it has ${targets.length} targets; 1 to ${MAX_TARGETS} are allowed`);
    return;
  }
  if (r.take_profit !== targets.at(-1)!.price) fault('targets', 'take_profit is not the last target');
  const { accepted, publishedAt, deadline } = order;
  if (accepted.bid > accepted.ask) fault('accepted_quote', `it is crossed: ${accepted.bid} / ${accepted.ask}`);
  checkFresh(publishedAt, accepted.time, fault);
  const { direction, entry, stop_loss: stopLoss, breakeven_after: breakevenAfter = null } = r;
  const terms = { direction, entry, stopLoss, targets, breakevenAfter };
  const accept = (expiresAt: Order['deadline'] | null): Order | Rejection =>
    acceptSignal(order.id, { symbol: order.symbol, digits }, accepted, { ...terms, expiresAt }, publishedAt);
  // `expires_at` is not recorded: it is the deadline, unless that is the default.
  const asked = accept(deadline);
  if ('rejected' in asked) {
    fault(CODES[asked.rejected], asked.detail);
    return;
  }
  if (r.order !== asked.kind) fault('order_kind', `by its quote it is a ${asked.kind} entry, not ${r.order}`);
  const side = direction === 'buy' ? accepted.ask : accepted.bid;
  if (r.max_slippage !== undefined && entry !== side)
    fault('order_kind', `a market order is entered at ${side}, the price of its quote, not at ${entry}`);
  const usual = deadline === publishedAt + MAX_LIFETIME_MS ? (accept(null) as Order).entryDeadline : null;
  if (order.entryDeadline !== asked.entryDeadline && order.entryDeadline !== usual)
    fault('deadline', `deadlines ${r.entry_deadline} and ${r.deadline} do not follow from ${r.at}`);
}

/** All other rules assume valid prices. */
function hasValidPrices(r: PublishedRecord, fault: ReportFault): boolean {
  const { digits, pip_size: pip } = r.instrument;
  if (digits < 0 || digits > MAX_DIGITS || !(pip > 0)) {
    fault('price', `an instrument cannot have ${digits} digits and a pip size of ${pip}`);
    return false;
  }
  const { entry, stop_loss, take_profit, quote, max_slippage: slippage } = r;
  const targets = publishedTargets(r).map(({ price }) => price);
  const wrong = [entry, stop_loss, take_profit, quote.bid, quote.ask, ...targets].find(
    (each) => !isPrice(each, digits),
  );
  if (slippage && !isPrice(slippage, digits)) {
    fault('price', `max_slippage ${slippage} does not fit ${r.symbol}, which has ${digits} decimals`);
    return false;
  }
  if (wrong !== undefined) fault('price', `${wrong} does not fit ${r.symbol}, which has ${digits} decimals`);
  return wrong === undefined;
}

/** `signal` does not have the amendment yet. */
export function checkAmendment(signal: AcceptedSignal, record: AmendedRecord, fault: ReportFault): void {
  const { order, published } = signal;
  const { digits } = published.instrument;
  const { at, quote } = toCloseRequest(record);
  checkTime(signal, at, fault);
  checkFresh(at, quote.time, fault);
  if (signal.amendments.length >= MAX_AMENDMENTS)
    fault('amendment', `it was amended more than ${MAX_AMENDMENTS} times`);
  const stopLoss = toTicks(currentStop(signal), digits);
  const instrument = { symbol: order.symbol, digits };
  const accepted = acceptStop({ order, progress: toProgress(signal), stopLoss }, instrument, quote, record.stop_loss);
  if (accepted === null) fault('amendment', `${record.stop_loss} was in force already`);
  else if ('rejected' in accepted) fault('amendment', `${record.stop_loss} cannot be its stop. ${accepted.detail}`);
}

/** `signal` does not have the request yet. */
export function checkCloseRequest(signal: AcceptedSignal, record: CloseRequestedRecord, fault: ReportFault): void {
  const { at, quote } = toCloseRequest(record);
  checkTime(signal, at, fault);
  if (signal.closeRequest) fault('close_request', 'closing was already requested');
  // A pending signal can be withdrawn while the market is closed.
  if (signal.filled) checkFresh(at, quote.time, fault);
}

function checkTime({ order, filled }: AcceptedSignal, at: number, fault: ReportFault): void {
  const deadline = filled ? order.deadline : order.entryDeadline;
  if (at >= deadline) fault('deadline', `it came after the deadline ${iso(deadline)}`);
}

function checkFresh(at: number, time: number, fault: ReportFault): void {
  if (at - time > STALE_MS) fault('accepted_quote', `its quote was ${at - time} ms old; the limit is 60 s`);
}
