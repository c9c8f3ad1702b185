// The rules of docs/signals.md for a new signal: problems of its levels, and how the market takes it at a quote. For the preview
// before publication, which the service decides, and to check a published signal.
import { decimalsOf } from '../ui/format.ts';
import { entrySide, exitSide, type InstrumentMarket } from './levels.ts';

export interface Ticket {
  readonly direction: 'buy' | 'sell';
  /** `null` while it is empty or not a number. */
  readonly entry: number | null;
  readonly stop: number | null;
  readonly target: number | null;
}

export const TICKET_LABELS = { entry: 'Entry', stop_loss: 'Stop', take_profit: 'Target' } as const;
export type TicketField = keyof typeof TICKET_LABELS;

export interface TicketCheck {
  /** At most one sentence for each field. */
  readonly problems: ReadonlyMap<TicketField, string>;
  /** `null` if the entry or the market is not known. */
  readonly order: 'market' | 'limit' | 'stop' | null;
  /** Fill price of a market entry. */
  readonly fillsAt: number | null;
  /** Entries within this distance of the market, in pips, fill immediately. */
  readonly tolerancePips: number | null;
  readonly stopPips: number | null;
  readonly targetPips: number | null;
  readonly rewardToRisk: number | null;
}

/** Reads a typed price: `1.0834` or `1,0834`. */
export function parsePrice(text: string): number | null {
  const plain = text.replace(/\s/g, '');
  if (!/^\d{1,15}(?:[.,]\d{1,12})?$/.test(plain)) return null;
  const value = Number(plain.replace(',', '.'));
  return value > 0 ? value : null;
}

export function checkTicket(ticket: Ticket, market: InstrumentMarket | null): TicketCheck {
  const { direction, entry, stop, target } = ticket;
  const problems = new Map<TicketField, string>();
  const reject = (field: TicketField, allowed: string): void => {
    if (!problems.has(field)) problems.set(field, `${TICKET_LABELS[field]} must be ${allowed}.`);
  };
  const sign = direction === 'buy' ? 1 : -1;
  const [below, above] = direction === 'buy' ? ['below', 'above'] : ['above', 'below'];
  if (entry !== null && stop !== null && sign * (entry - stop) <= 0)
    reject('stop_loss', `${below} entry for a ${direction}`);
  if (entry !== null && target !== null && sign * (target - entry) <= 0)
    reject('take_profit', `${above} entry for a ${direction}`);
  const away = (level: number | null): number | null =>
    entry === null || level === null ? null : Math.abs(level - entry);
  const pips = (distance: number | null): number | null =>
    distance === null || !market ? null : distance / market.pipSize;
  const [risk, reward] = [away(stop), away(target)];
  const order = market && entry !== null ? orderOf(ticket, entry, market, reject) : null;
  return {
    problems,
    order,
    fillsAt: market && order === 'market' ? entrySide(ticket, market) : null,
    tolerancePips: market && pips(toleranceOf(ticket, market) / 10 ** market.digits),
    stopPips: pips(risk),
    targetPips: pips(reward),
    rewardToRisk: risk === null || reward === null || risk === 0 ? null : reward / risk,
  };
}

const ticksOf = (price: number, { digits }: InstrumentMarket): number => Math.round(price * 10 ** digits);

/** The greater of the spread and a ten-thousandth of the price, in ticks. */
function toleranceOf(ticket: Ticket, market: InstrumentMarket): number {
  const spread = ticksOf(market.ask, market) - ticksOf(market.bid, market);
  return Math.max(spread, Math.floor(ticksOf(entrySide(ticket, market), market) / 10_000));
}

function orderOf(
  ticket: Ticket,
  entry: number,
  market: InstrumentMarket,
  reject: (field: TicketField, allowed: string) => void,
): 'market' | 'limit' | 'stop' {
  const ticks = (price: number): number => ticksOf(price, market);
  const levels = (
    [
      ['stop_loss', ticket.stop],
      ['take_profit', ticket.target],
    ] as const
  ).filter((level): level is [(typeof level)[0], number] => level[1] !== null);
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
