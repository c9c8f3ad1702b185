// A signal that is being written: what is wrong with it already, and what the market would make of it now, by the rules of
// docs/signals.md. The service decides, against the quote of that moment; this only says it beforehand.
import { decimalsOf } from '../format.ts';
import { entrySide, exitSide, type Market } from './levels.ts';

export interface Ticket {
  readonly direction: 'buy' | 'sell';
  /** null while it is empty or no number. */
  readonly entry: number | null;
  readonly stop: number | null;
  readonly target: number | null;
}

export interface TicketMarket extends Market {
  /** Decimals of the finest price seen. */
  readonly digits: number;
  readonly pipSize: number;
}

export type TicketField = 'entry' | 'stop_loss' | 'take_profit';

export interface TicketCheck {
  /** What each must be and is not: `below the entry of a buy`. */
  readonly problems: ReadonlyMap<TicketField, string>;
  /** null where the entry or the market is not known. */
  readonly order: 'market' | 'limit' | 'stop' | null;
  /** Of a market entry: where it would fill. */
  readonly fillsAt: number | null;
  /** Entries as near to the market as this, in pips, fill at once. */
  readonly tolerancePips: number | null;
  readonly stopPips: number | null;
  readonly targetPips: number | null;
  readonly rewardToRisk: number | null;
}

/** As a person types it: `1.0834` or `1,0834`. */
export function priceIn(text: string): number | null {
  const plain = text.replace(/\s/g, '');
  if (!/^\d{1,15}(?:[.,]\d{1,12})?$/.test(plain)) return null;
  const value = Number(plain.replace(',', '.'));
  return value > 0 ? value : null;
}

export function checkTicket(ticket: Ticket, market: TicketMarket | null): TicketCheck {
  const { direction, entry, stop, target } = ticket;
  const problems = new Map<TicketField, string>();
  const sign = direction === 'buy' ? 1 : -1;
  const [below, above] = direction === 'buy' ? ['below', 'above'] : ['above', 'below'];
  if (entry !== null && stop !== null && sign * (entry - stop) <= 0)
    problems.set('stop_loss', `${below} the entry of a ${direction}`);
  if (entry !== null && target !== null && sign * (target - entry) <= 0)
    problems.set('take_profit', `${above} the entry of a ${direction}`);
  const away = (level: number | null): number | null =>
    entry === null || level === null ? null : Math.abs(level - entry);
  const pips = (distance: number | null): number | null =>
    distance === null || !market ? null : distance / market.pipSize;
  const [risk, reward] = [away(stop), away(target)];
  const order = market && entry !== null ? kindOf(ticket, entry, market, problems) : null;
  return {
    problems,
    order,
    fillsAt: market && order === 'market' ? entrySide(levelsOf(ticket), market) : null,
    tolerancePips: market ? toleranceOf(ticket, market) / market.pipSize : null,
    stopPips: pips(risk),
    targetPips: pips(reward),
    rewardToRisk: risk === null || reward === null || risk === 0 ? null : reward / risk,
  };
}

const levelsOf = ({ direction, entry, stop, target }: Ticket) => ({
  direction,
  entry: entry ?? 0,
  stop_loss: stop ?? 0,
  take_profit: target ?? 0,
});

/** The greater of the spread and a ten-thousandth of the price, in whole ticks. */
function toleranceOf(ticket: Ticket, market: TicketMarket): number {
  const ticks = (price: number): number => Math.round(price * 10 ** market.digits);
  const side = entrySide(levelsOf(ticket), market);
  return Math.max(ticks(market.ask) - ticks(market.bid), Math.floor(ticks(side) / 10_000)) / 10 ** market.digits;
}

function kindOf(
  ticket: Ticket,
  entry: number,
  market: TicketMarket,
  problems: Map<TicketField, string>,
): 'market' | 'limit' | 'stop' {
  const { digits } = market;
  const levels = levelsOf(ticket);
  const ticks = (price: number): number => Math.round(price * 10 ** digits);
  const put = (field: TicketField, text: string): void => {
    if (!problems.has(field)) problems.set(field, text);
  };
  const given = { entry, stop_loss: ticket.stop, take_profit: ticket.target } as const;
  for (const [field, value] of Object.entries(given) as [TicketField, number | null][])
    if (value !== null && decimalsOf(value) > digits) put(field, `of at most ${digits} decimals, as the market is`);
  const [side, exit] = [ticks(entrySide(levels, market)), ticks(exitSide(levels, market))];
  const spread = ticks(market.ask) - ticks(market.bid);
  if (Math.abs(ticks(entry) - side) * 5 > side) put('entry', 'within 20 % of the market');
  for (const [field, value] of [
    ['stop_loss', ticket.stop],
    ['take_profit', ticket.target],
  ] as const) {
    if (value === null) continue;
    const distance = Math.abs(ticks(value) - ticks(entry));
    if (distance < Math.max(1, spread)) put(field, 'at least one spread away from the entry');
    else if (distance * 2 > ticks(entry)) put(field, 'at most 50 % away from the entry');
  }
  const tolerance = Math.max(spread, Math.floor(side / 10_000));
  if (Math.abs(ticks(entry) - side) > tolerance) {
    const below = ticks(entry) < side;
    return below === (ticket.direction === 'buy') ? 'limit' : 'stop';
  }
  const sign = ticket.direction === 'buy' ? 1 : -1;
  if (ticket.stop !== null && sign * (exit - ticks(ticket.stop)) <= 0)
    put('stop_loss', 'a level that the market has not reached yet');
  if (ticket.target !== null && sign * (ticks(ticket.target) - exit) <= 0)
    put('take_profit', 'a level that the market has not reached yet');
  return 'market';
}
