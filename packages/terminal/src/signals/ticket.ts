// The rules of docs/reference/signals.md for a new signal: problems of its levels, and how the market takes it at a quote. For the preview
// before publication, which the service decides.
import { decimalsOf } from '../ui/format.ts';
import { readNumber, readPositive } from '../ui/read-number.ts';
import { entrySide, exitSide, type TickMarket, worseEntry } from './levels.ts';

export interface Ticket {
  readonly direction: 'buy' | 'sell';
  /** A market order: its entry is that of the quote, regardless of `entry`. */
  readonly isMarketOrder?: boolean;
  /** Of a market order, in price units; left out without a limit. */
  readonly maxSlippage?: number | null;
  /** `null` while it is empty or not a number. */
  readonly entry: number | null;
  readonly stop: number | null;
  /** Nearest first. */
  readonly targets: readonly TicketTarget[];
}

export interface TicketTarget {
  readonly price: number | null;
  /** Part of the position that exits there. */
  readonly fraction: number | null;
}

export type TicketField = 'entry' | 'max_slippage' | 'stop_loss' | `target_${number}` | `fraction_${number}`;

/** `target_1` is the first target. `targets` is their number: a single one has no number. */
export function ticketLabel(field: TicketField, targets: number): string {
  if (field === 'entry') return 'Entry';
  if (field === 'max_slippage') return 'Max slippage';
  if (field === 'stop_loss') return 'Stop';
  const [kind, number] = field.split('_');
  return `${kind === 'target' ? 'Target' : 'Share at target'}${targets > 1 ? ` ${number}` : ''}`;
}

export interface TicketCheck {
  /** At most one sentence for each field. */
  readonly problems: ReadonlyMap<TicketField, string>;
  /** `null` if the entry or the market is not known. */
  readonly order: 'market' | 'limit' | 'stop' | null;
  /** Entries within this distance of the market, in pips or points, fill immediately; `null` for a market order. */
  readonly tolerance: number | null;
  /** The worst price at which a market order with a maximum slippage would fill; otherwise `null`. */
  readonly worstFill: number | null;
  /** What to expect at the current quote; `null` if the order is not known or there is no stop on its side of the entry. */
  readonly expected: ExpectedTrade | null;
}

/** Distances are in pips or points, and positive in the direction that their name states. */
export interface ExpectedTrade {
  /** Market order: the entry side of the quote. Limit and stop orders: their level. A stop may fill at a worse price. */
  readonly fill: number;
  /** The worse of fill and declared entry: results count from there. */
  readonly from: number;
  readonly toStop: number;
  /** One for each target, `null` without a price. Negative if the fill is beyond the target. */
  readonly toTargets: readonly (number | null)[];
  readonly spread: number;
  /** What a pip or point is in R: R is the distance from the declared entry to the stop. */
  readonly r: number;
  /** Of all targets, weighted by their parts; `null` if a price or a part is missing. */
  readonly reward: number | null;
  readonly rewardToRisk: number | null;
}

/** Reads a typed maximum slippage, which may be 0. Undefined if there is none. */
export function readSlippage(text: string): number | null | undefined {
  const value = readNumber(text);
  return text.trim() === '' ? undefined : value !== null && value >= 0 ? value : null;
}

/** Reads a typed percentage with up to two decimals as a fraction. */
export function readFraction(text: string): number | null {
  const value = readPositive(text);
  return value === null || value > 100 || decimalsOf(value) > 2 ? null : Math.round(value * 100) / 10_000;
}

export function checkTicket(given: Ticket, market: TickMarket | null): TicketCheck {
  const { isMarketOrder = false, maxSlippage } = given;
  const ticket = isMarketOrder ? { ...given, entry: market && entrySide(given, market) } : given;
  const { direction, entry, stop, targets } = ticket;
  const problems = new Map<TicketField, string>();
  const reject = (field: TicketField, allowed: string): void => {
    if (!problems.has(field)) problems.set(field, `${ticketLabel(field, targets.length)} must be ${allowed}.`);
  };
  const sign = direction === 'buy' ? 1 : -1;
  const [below, above] = direction === 'buy' ? ['below', 'above'] : ['above', 'below'];
  if (entry !== null && stop !== null && sign * (entry - stop) <= 0)
    reject('stop_loss', `${below} entry for a ${direction}`);
  for (const [at, { price }] of targets.entries()) {
    const before = at === 0 ? entry : (targets[at - 1]!.price ?? null);
    if (before !== null && price !== null && sign * (price - before) <= 0)
      reject(`target_${at + 1}`, `${above} ${at === 0 ? 'entry' : `target ${at}`} for a ${direction}`);
  }
  checkFractions(targets, reject);
  const order = market && entry !== null ? orderOf(ticket, entry, market, reject) : null;
  const isLimited = isMarketOrder && typeof maxSlippage === 'number';
  if (isLimited && market && decimalsOf(maxSlippage) > market.digits)
    reject('max_slippage', `a distance with at most ${market.digits} decimals`);
  return {
    problems,
    order,
    tolerance: market && !isMarketOrder ? toleranceOf(ticket, market) / 10 ** market.digits / market.pipSize : null,
    worstFill: isLimited && entry !== null ? entry + sign * maxSlippage : null,
    expected: order && expectedTrade(ticket, order, market!),
  };
}

function expectedTrade(
  { direction, entry, stop, targets }: Ticket,
  order: 'market' | 'limit' | 'stop',
  market: TickMarket,
): ExpectedTrade | null {
  const buy = direction === 'buy';
  const gain = (from: number, to: number): number => (buy ? to - from : from - to) / market.pipSize;
  if (entry === null || stop === null || gain(stop, entry) <= 0) return null;
  const fill = order === 'market' ? entrySide({ direction }, market) : entry;
  const from = worseEntry(buy, entry, fill);
  const toStop = gain(stop, from);
  const toTargets = targets.map(({ price }) => (price === null ? null : gain(from, price)));
  const reward = targets.reduce<number | null>((sum, { fraction }, at) => {
    const distance = toTargets[at]!;
    return sum === null || distance === null || fraction === null ? null : sum + distance * fraction;
  }, 0);
  return {
    fill,
    from,
    toStop,
    toTargets,
    spread: (market.ask - market.bid) / market.pipSize,
    r: 1 / gain(stop, entry),
    reward,
    rewardToRisk: reward === null ? null : reward / toStop,
  };
}

/** Parts are compared in hundredths of a percent, so that 33.33 + 33.33 + 33.34 are exactly 100. */
function checkFractions(targets: readonly TicketTarget[], reject: (field: TicketField, allowed: string) => void): void {
  const parts = targets.map(({ fraction }) => (fraction === null ? null : Math.round(fraction * 10_000)));
  if (parts.includes(null)) return;
  const sum = parts.reduce<number>((all, part) => all + part!, 0);
  if (sum !== 10_000)
    reject(`fraction_${targets.length}`, `such that all parts add up to 100 %; they add up to ${sum / 100} %`);
}

const ticksOf = (price: number, { digits }: TickMarket): number => Math.round(price * 10 ** digits);

/** The greater of the spread and a ten-thousandth of the price, in ticks. */
function toleranceOf(ticket: Ticket, market: TickMarket): number {
  const spread = ticksOf(market.ask, market) - ticksOf(market.bid, market);
  return Math.max(spread, Math.floor(ticksOf(entrySide(ticket, market), market) / 10_000));
}

function orderOf(
  ticket: Ticket,
  entry: number,
  market: TickMarket,
  reject: (field: TicketField, allowed: string) => void,
): 'market' | 'limit' | 'stop' {
  const ticks = (price: number): number => ticksOf(price, market);
  const levels = [
    ['stop_loss', ticket.stop] as const,
    ...ticket.targets.map(({ price }, at) => [`target_${at + 1}`, price] as const),
  ].flatMap(([field, price]) => (price === null ? [] : [[field as TicketField, price] as const]));
  for (const [field, value] of [['entry', entry] as const, ...levels])
    if (decimalsOf(value) > market.digits) reject(field, `a price with at most ${market.digits} decimals`);
  const [at, side, exit] = [ticks(entry), ticks(entrySide(ticket, market)), ticks(exitSide(ticket, market))];
  const spread = Math.abs(side - exit);
  if (Math.abs(at - side) * 5 > side) reject('entry', 'within 20 % of the market');
  for (const [field, value] of levels) {
    const distance = Math.abs(ticks(value) - at);
    if (distance < Math.max(1, spread)) reject(field, 'at least one spread away from entry');
    else if (distance * 2 > at) reject(field, 'at most 50 % away from entry');
  }
  const buy = ticket.direction === 'buy';
  if (Math.abs(at - side) > toleranceOf(ticket, market)) return at < side === buy ? 'limit' : 'stop';
  for (const [field, value] of levels) {
    const beyond = ticks(value) - exit;
    // The stop of a buy lies below its exit price, the target above.
    const reached = (field === 'stop_loss') === buy ? beyond >= 0 : beyond <= 0;
    if (reached) reject(field, 'a level that the market has not reached');
  }
  return 'market';
}
