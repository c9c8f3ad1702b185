// What happened to a signal, with the time and the price of each: the marks of its chart.
import type { SignalDetail } from '@tickwire/client';
import { REASONS } from './labels.ts';
import { fractionOf } from './levels.ts';

export type SignalMomentKind = 'published' | 'filled' | 'exit' | 'closed';

export interface SignalMoment {
  readonly kind: SignalMomentKind;
  /** In words: `Target 1 hit`. Unique within the signal. */
  readonly text: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** `null` if nothing was traded. */
  readonly price: number | null;
}

/** In the order of time. */
export function momentsOf(signal: SignalDetail): readonly SignalMoment[] {
  const { timestamp, filled_at, entry_price, exits } = signal;
  const moments: SignalMoment[] = [];
  const add = (kind: SignalMomentKind, text: string, at: string, price: number | null): void =>
    void moments.push({ kind, text, at: Date.parse(at), price });
  add('published', 'Published', timestamp, null);
  if (filled_at !== null) add('filled', 'Filled', filled_at, entry_price);
  for (const { target, exited_at, price } of exits) add('exit', `Target ${target} hit`, exited_at, price);
  if (signal.status === 'closed')
    add('closed', REASONS[signal.close_reason], signal.closed_at, lastExitOf(signal.exit_price, exits));
  return moments;
}

/** The exit price of a signal is the mean of all its exits. */
function lastExitOf(mean: number | null, exits: SignalDetail['exits']): number | null {
  if (mean === null || exits.length === 0) return mean;
  const before = exits.reduce((sum, { fraction, price }) => sum + fraction * price, 0);
  // Rounded to more decimals than any instrument has.
  return Number(((mean - before) / (1 - fractionOf(exits))).toFixed(8));
}
