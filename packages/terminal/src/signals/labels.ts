// Signals in words and figures. Colour never carries the meaning alone: directions have an arrow and a word, results a sign.
import type { ClosedSignal, Signal } from '@tickwire/client';
import type { QuoteBoard } from '../services/quote-board.ts';
import { decimalsOf, type MoveUnit, NO_VALUE, price, setNumber, signedFigure } from '../ui/format.ts';
import { moment } from '../ui/relative-time.ts';

export const REASONS: Readonly<Record<ClosedSignal['close_reason'], string>> = {
  take_profit: 'Target hit',
  stop_loss: 'Stopped out',
  manual: 'Closed by publisher',
  expired: 'Expired',
  unfilled: 'Not filled',
  voided: 'Voided',
};

/** Closed, and neither without a fill nor void. */
export const hasResult = (signal: Signal): signal is ClosedSignal =>
  signal.status === 'closed' && signal.close_reason !== 'unfilled' && signal.close_reason !== 'voided';

export const inR = (value: number | null): string => (value === null ? NO_VALUE : `${signedFigure(value, 2)} R`);

/** A part of the position, from 0 to 1. */
export const partText = (fraction: number): string => `${setNumber(String(Math.round(fraction * 10_000) / 100))} %`;

/** When a follower acts. */
export const delayText = (seconds: number): string => (seconds === 0 ? 'As published' : `${seconds} s later`);

/** One decimal up to a thousand pips, none above. */
const pipDecimals = (value: number): number => (Math.abs(value) < 1_000 ? 1 : 0);
export const inPips = (value: number): string => setNumber(value.toFixed(pipDecimals(value)));
export const signedPips = (value: number): string => signedFigure(value, pipDecimals(value));

export const DIRECTIONS = { buy: '▲ Buy', sell: '▼ Sell' } as const;
export const wordOf = (direction: Signal['direction']): string => DIRECTIONS[direction].slice(2);

/** Decimals for the prices of a signal: those of the market, or its own if they are finer. */
export function digitsOf({ symbol, entry, stop_loss, take_profit }: Signal, quotes: QuoteBoard): number {
  return Math.max(quotes.row(symbol)?.digits ?? 0, ...[entry, stop_loss, take_profit].map(decimalsOf));
}

/** The whole signal in one sentence, for screen readers. */
export function sentenceOf(signal: Signal, digits: number, unit: MoveUnit): string {
  const { direction, symbol, user, entry, stop_loss, take_profit, timestamp } = signal;
  const [at, stop, target] = [entry, stop_loss, take_profit].map((level) => price(level, digits));
  const start = `${wordOf(direction)} ${symbol} by ${user}, entry ${at}, stop ${stop}, target ${target}`;
  if (signal.status === 'active') return `${start}, active, published ${moment(timestamp, Date.now())}`;
  return `${start}, ${REASONS[signal.close_reason].toLowerCase()}, ${signedPips(signal.pnl)} ${unit}, ${inR(signal.pnl_r)}`;
}
