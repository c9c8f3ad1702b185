// Signals in words and figures. Colour never says it alone: directions have an arrow and a word, results have their sign.
import type { ClosedSignal, Signal, SignalDetail } from '@tickwire/client';
import { make } from '../elements.ts';
import { decimalsOf, price, setNumber } from '../format.ts';
import { moment } from '../moments.ts';
import type { QuoteBoard } from '../quote-board.ts';

export const REASONS: Readonly<Record<ClosedSignal['close_reason'], string>> = {
  take_profit: 'Target met',
  stop_loss: 'Stopped out',
  manual: 'Closed by its publisher',
  expired: 'Ran out of time',
  unfilled: 'Entry never met',
};

export const ORDERS: Readonly<Record<SignalDetail['order'], string>> = {
  market: 'at the market',
  limit: 'limit: waited for a better price',
  stop: 'stop: waited for the move to go on',
};

const MINUS = '−';

export function signedFigure(value: number, decimals: number): string {
  const text = setNumber(Math.abs(value).toFixed(decimals));
  if (!/[1-9]/.test(text)) return text;
  return value > 0 ? `+${text}` : `${MINUS}${text}`;
}

export const inR = (value: number | null): string => (value === null ? '–' : `${signedFigure(value, 2)} R`);

/** Of pips: one decimal up to a thousand, none beyond. */
export const inPips = (value: number): string => setNumber(value.toFixed(Math.abs(value) < 1_000 ? 1 : 0));
export const signedPips = (value: number): string => signedFigure(value, Math.abs(value) < 1_000 ? 1 : 0);

export const arrowOf = (direction: Signal['direction']): string => (direction === 'buy' ? '▲' : '▼');
export const wordOf = (direction: Signal['direction']): string => (direction === 'buy' ? 'Buy' : 'Sell');

export function directionMark(direction: Signal['direction']): HTMLElement {
  const made = make('span', 'direction', `${arrowOf(direction)} ${wordOf(direction)}`);
  made.dataset.sign = direction === 'buy' ? 'up' : 'down';
  return made;
}

/** Decimals for the prices of a signal: those of the market, or its own where they are finer. */
export function digitsOf(signal: Signal, board: QuoteBoard): number {
  const { entry, stop_loss, take_profit } = signal;
  return Math.max(board.row(signal.symbol)?.digits ?? 0, ...[entry, stop_loss, take_profit].map(decimalsOf));
}

/** One sentence that says all of it, for who hears the page. */
export function sentenceOf(signal: Signal, digits: number): string {
  const { direction, symbol, user, entry, stop_loss, take_profit, timestamp } = signal;
  const levels = [entry, stop_loss, take_profit].map((level) => price(level, digits));
  const start = `${wordOf(direction)} ${symbol} by ${user}, entry ${levels[0]}, stop ${levels[1]}, target ${levels[2]}`;
  if (signal.status === 'active') return `${start}, active, published ${moment(timestamp, Date.now())}`;
  return `${start}, ${REASONS[signal.close_reason].toLowerCase()}, ${signedPips(signal.pnl)} pips, ${inR(signal.pnl_r)}`;
}
