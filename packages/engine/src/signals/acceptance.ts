// Decides whether a signal can be published against the current quote, and as which kind of order. Implements the rules of
// "Publishing" in docs/reference/signals.md, apart from those that need a clock.
import { type Direction, type ErrorCode, type OrderKind, type SignalTarget, WHOLE } from '@tickwire/contract';
import { fitsDigits, fromTicks, toTicks } from '../market/price.ts';
import { asEpochMs, DAY_MS, type EpochMs } from '../market/time.ts';
import type { QuoteEvidence } from './evidence.ts';
import { marketSides } from './judge.ts';
import type { JudgedInstrument, Order, Progress } from './order.ts';

/** Time for a market entry to get its next quote. */
const MARKET_ENTRY_MS = 60_000;
/** Default time for a limit or stop entry to fill. */
const DEFAULT_ENTRY_MS = DAY_MS;
export const MAX_LIFETIME_MS = 30 * DAY_MS;
/** Fractions of a price as divisors, so that they are exact in ticks. */
const TOLERANCE_DIVISOR = 10_000;
const MAX_ENTRY_DISTANCE_DIVISOR = 5;
const MAX_LEVEL_DISTANCE_DIVISOR = 2;
/** Up to this many ticks, sums and products of prices are exact. */
const MAX_TICKS = 1e14;

export interface SignalTerms {
  readonly direction: Direction;
  /** `null` for a market order: the entry side of the quote. */
  readonly entry: number | null;
  /** Of a market order. Default: no limit. */
  readonly maxSlippage?: number | null;
  readonly stopLoss: number;
  /** Nearest first. */
  readonly targets: readonly SignalTarget[];
  readonly breakevenAfter: number | null;
  readonly expiresAt: EpochMs | null;
}

export interface Rejection {
  readonly rejected: Extract<
    ErrorCode,
    | 'finer_than_digits'
    | 'levels_out_of_order'
    | 'entry_too_far'
    | 'distance_out_of_range'
    | 'level_reached'
    | 'expiry_out_of_range'
    | 'invalid_targets'
    | 'stop_not_tighter'
  >;
  readonly detail: string;
}

const reject = (rejected: Rejection['rejected'], detail: string): Rejection => ({ rejected, detail });

export function acceptSignal(
  id: string,
  spec: JudgedInstrument,
  quote: QuoteEvidence,
  terms: SignalTerms,
  publishedAt: EpochMs,
): Order | Rejection {
  const { digits, symbol } = spec;
  const { maxSlippage = null } = terms;
  // Prices of a sell are negated, so that one set of rules covers both directions.
  const sign = terms.direction === 'buy' ? 1 : -1;
  const { entrySide, exitSide, spread } = sidesOf(quote, sign, digits);
  const price = (ticks: number): number => fromTicks(Math.abs(ticks), digits);
  const names = terms.targets.map((_, index) => targetName(terms, index));
  const asked = terms.entry ?? price(entrySide);
  const prices = [asked, terms.stopLoss, ...terms.targets.map(({ price }) => price), maxSlippage ?? 0];
  for (const [index, name] of ['entry', 'stop_loss', ...names, 'max_slippage'].entries()) {
    const wrong = checkPrice(name, prices[index]!, spec);
    if (wrong) return wrong;
  }
  const targets = terms.targets.map(({ price, fraction }) => ({
    price: toTicks(price, digits),
    fraction: Math.round(fraction * WHOLE),
  }));
  const uneven = checkFractions(terms, targets);
  if (uneven) return uneven;
  const [entry, stop] = [sign * toTicks(asked, digits), sign * toTicks(terms.stopLoss, digits)];
  const levels = targets.map(({ price }) => sign * price);

  const ordered = [stop, entry, ...levels];
  if (ordered.some((level, index) => index > 0 && !(ordered[index - 1]! < level))) {
    const expected = ['stop_loss', 'entry', ...names];
    const order = (sign === 1 ? expected : expected.reverse()).join(' < ');
    const market = terms.entry === null ? ` entry is the market price, ${asked}.` : '';
    return reject('levels_out_of_order', `A ${terms.direction} needs ${order}.${market}`);
  }
  if (Math.abs(entry - entrySide) * MAX_ENTRY_DISTANCE_DIVISOR > Math.abs(entrySide))
    return reject('entry_too_far', `entry must be within 20 % of the market price, ${price(entrySide)}.`);
  for (const [index, name] of ['stop_loss', ...names].entries()) {
    const wrong = checkDistance(name, [stop, ...levels][index]!, entry, spread, digits);
    if (wrong) return wrong;
  }
  const kind = kindOf(entry, entrySide, spread);
  if (kind === 'market' && !(stop < exitSide && exitSide < levels[0]!)) {
    const level = exitSide <= stop ? 'stop_loss' : names[0]!;
    return reject('level_reached', `The market price is ${price(exitSide)}: ${level} has already been reached.`);
  }
  const { expiresAt } = terms;
  if (expiresAt !== null && !(expiresAt > publishedAt && expiresAt <= publishedAt + MAX_LIFETIME_MS))
    return reject('expiry_out_of_range', 'expires_at must be in the future, at most 30 days ahead.');
  const latest = expiresAt ?? asEpochMs(publishedAt + MAX_LIFETIME_MS);
  const fillWithin = kind === 'market' ? MARKET_ENTRY_MS : expiresAt === null ? DEFAULT_ENTRY_MS : MAX_LIFETIME_MS;
  return {
    id,
    symbol,
    direction: terms.direction,
    kind,
    entry: Math.abs(entry),
    maxSlippage: maxSlippage === null ? null : toTicks(maxSlippage, digits),
    stopLoss: Math.abs(stop),
    targets,
    breakevenAfter: terms.breakevenAfter,
    accepted: quote,
    publishedAt,
    entryDeadline: asEpochMs(Math.min(latest, publishedAt + fillWithin)),
    deadline: latest,
  };
}

/**
 * Checks a new stop against the standing quote (A2). `null`: it is the stop in force already. `stopLoss` is the stop in force, in
 * ticks.
 */
export function acceptStop(
  { order, progress, stopLoss }: { readonly order: Order; readonly progress: Progress; readonly stopLoss: number },
  spec: JudgedInstrument,
  quote: QuoteEvidence,
  newStop: number,
): { readonly stopLoss: number } | Rejection | null {
  const { digits } = spec;
  const wrong = checkPrice('stop_loss', newStop, spec);
  if (wrong) return wrong;
  const ticks = toTicks(newStop, digits);
  if (ticks === stopLoss) return null;
  const sign = order.direction === 'buy' ? 1 : -1;
  const [stop, entry] = [sign * ticks, sign * order.entry];
  if (stop < sign * stopLoss) {
    const than = `${sign === 1 ? 'above' : 'below'} ${fromTicks(stopLoss, digits)}`;
    return reject('stop_not_tighter', `A stop can only be tightened: stop_loss must be ${than}.`);
  }
  const { exitSide, spread } = sidesOf(quote, sign, digits);
  if (progress.fill)
    return stop < exitSide
      ? { stopLoss: ticks }
      : reject(
          'level_reached',
          `The market price is ${fromTicks(Math.abs(exitSide), digits)}: it has reached stop_loss.`,
        );
  if (stop >= entry) return reject('levels_out_of_order', 'stop_loss of a pending signal cannot be beyond its entry.');
  return checkDistance('stop_loss', stop, entry, spread, digits) ?? { stopLoss: ticks };
}

/** Name of a target in messages. */
const targetName = ({ targets }: SignalTerms, index: number): string =>
  targets.length === 1 ? 'take_profit' : `targets[${index}]`;

function checkPrice(name: string, price: number, { digits, symbol }: JudgedInstrument): Rejection | null {
  if (price * 10 ** digits > MAX_TICKS) return reject('entry_too_far', `${name} is not a possible price of ${symbol}.`);
  if (!fitsDigits(price, digits))
    return reject('finer_than_digits', `${name} is ${price}: prices of ${symbol} have ${digits} decimals.`);
  return null;
}

function checkFractions({ targets: asked, breakevenAfter }: SignalTerms, targets: Order['targets']): Rejection | null {
  if (asked.some(({ fraction }, index) => fraction <= 0 || targets[index]!.fraction / WHOLE !== fraction))
    return reject('invalid_targets', 'Each fraction must be above 0, with at most 4 decimals.');
  if (targets.reduce((sum, { fraction }) => sum + fraction, 0) !== WHOLE)
    return reject('invalid_targets', 'The fractions of the targets must add up to 1.');
  if (breakevenAfter !== null && !(breakevenAfter >= 1 && breakevenAfter < targets.length))
    return reject('invalid_targets', 'breakeven_after must be at least 1 and less than the number of targets.');
  return null;
}

function checkDistance(name: string, level: number, entry: number, spread: number, digits: number): Rejection | null {
  const nearest = Math.max(1, spread);
  const distance = Math.abs(level - entry);
  if (distance >= nearest && distance * MAX_LEVEL_DISTANCE_DIVISOR <= Math.abs(entry)) return null;
  return reject(
    'distance_out_of_range',
    `${name} must be at least the spread of ${fromTicks(nearest, digits)} and at most 50 % away from entry.`,
  );
}

function sidesOf(quote: QuoteEvidence, sign: 1 | -1, digits: number) {
  const [bid, ask] = [toTicks(quote.bid, digits), toTicks(quote.ask, digits)];
  const { entry, exit } = marketSides(sign, bid, ask);
  return { entrySide: entry, exitSide: exit, spread: ask - bid };
}

/** An entry near the market fills immediately; any other is pending. */
function kindOf(entry: number, entrySide: number, spread: number): OrderKind {
  const tolerance = Math.max(spread, Math.floor(Math.abs(entrySide) / TOLERANCE_DIVISOR));
  if (Math.abs(entry - entrySide) <= tolerance) return 'market';
  return entry < entrySide ? 'limit' : 'stop';
}
