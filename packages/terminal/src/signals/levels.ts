// The market against the levels of a signal. An open position is valued at the side of the quote where it would be closed: the
// bid for a buy, the ask for a sell. Distances are in pips, and positive until the level is reached.
import type { ActiveSignal } from '@tickwire/client';
import type { QuoteBoard } from '../services/quote-board.ts';
import { type MoveUnit, moveUnit } from '../ui/format.ts';

export type Levels = Pick<ActiveSignal, 'direction' | 'entry' | 'stop_loss' | 'take_profit'>;

export interface Market {
  readonly bid: number;
  readonly ask: number;
}

export interface TickMarket extends Market {
  /** Decimals of the finest price seen. */
  readonly digits: number;
  readonly pipSize: number;
}

export interface InstrumentMarket extends TickMarket {
  /** The word for moves of one `pipSize`. */
  readonly unit: MoveUnit;
}

/** `null` until both sides are known. */
export function marketOf(quotes: QuoteBoard, symbol: string): InstrumentMarket | null {
  const row = quotes.row(symbol);
  if (!row || row.bid === null || row.ask === null) return null;
  return {
    bid: row.bid,
    ask: row.ask,
    digits: row.digits,
    pipSize: row.instrument.pip_size,
    unit: unitOf(quotes, symbol),
  };
}

export const unitOf = (quotes: QuoteBoard, symbol: string): MoveUnit => moveUnit(quotes.row(symbol)?.instrument);

type Directed = Pick<Levels, 'direction'>;
export const exitSide = ({ direction }: Directed, { bid, ask }: Market): number => (direction === 'buy' ? bid : ask);
export const entrySide = ({ direction }: Directed, { bid, ask }: Market): number => (direction === 'buy' ? ask : bid);

/** 0 at the stop and 1 at the target, in both directions; prices beyond them stay at the end. */
export function placeOf({ stop_loss, take_profit }: Levels, price: number): number {
  return Math.min(1, Math.max(0, (price - stop_loss) / (take_profit - stop_loss)));
}

export function distancesOf(
  { direction, stop_loss, take_profit }: Pick<Levels, 'direction' | 'stop_loss' | 'take_profit'>,
  price: number,
  pipSize: number,
): { readonly toStop: number; readonly toTarget: number } {
  const pip = direction === 'buy' ? pipSize : -pipSize;
  return { toStop: (price - stop_loss) / pip, toTarget: (take_profit - price) / pip };
}

/** Pips until a pending entry is reached. */
export function toEntry(levels: Levels, market: Market, pipSize: number): number {
  return Math.abs(entrySide(levels, market) - levels.entry) / pipSize;
}

/** A part of the position that exited. */
export interface Exit {
  readonly price: number;
  readonly fraction: number;
}

export const fractionOf = (exits: readonly Exit[]): number => exits.reduce((sum, { fraction }) => sum + fraction, 0);

/**
 * As for a closed signal: from the worse of the declared entry and the fill, in multiples of the risk as published. Parts that
 * have exited count with their exit, the rest at the given price.
 */
export function runningR(
  { direction, entry, stop_loss }: Levels,
  entryPrice: number,
  price: number,
  exits: readonly Exit[] = [],
): number | null {
  const buy = direction === 'buy';
  const base = worseEntry(buy, entry, entryPrice);
  const risk = Math.abs(entry - stop_loss);
  const gain = (at: number): number => (buy ? at - base : base - at);
  const realised = exits.reduce((sum, exit) => sum + exit.fraction * gain(exit.price), 0);
  return risk === 0 ? null : (realised + (1 - fractionOf(exits)) * gain(price)) / risk;
}

/** The worse of the declared entry and the fill: results count from there. */
export const worseEntry = (buy: boolean, entry: number, fill: number): number =>
  buy ? Math.max(entry, fill) : Math.min(entry, fill);

/** What the targets pay for each unit that the stop costs, if all are hit; from the fill, or from the entry while it is pending. */
export function expectedRatio(
  signal: Levels & { readonly targets: readonly Exit[]; readonly entry_price: number | null },
): number {
  const buy = signal.direction === 'buy';
  const from = worseEntry(buy, signal.entry, signal.entry_price ?? signal.entry);
  const gain = (price: number): number => (buy ? price - from : from - price);
  const reward = signal.targets.reduce((sum, { price, fraction }) => sum + fraction * gain(price), 0);
  return reward / -gain(signal.stop_loss);
}
