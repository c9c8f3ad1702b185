// How far a signal is: its result once it has closed, its unrealised R while it runs, its distance to the entry while it is
// pending.
import type { Signal } from '@tickwire/client';
import { signedFigure } from '../ui/format.ts';
import { hasResult, inPips, inR, signedPips } from './labels.ts';
import { distancesOf, entrySide, exitSide, type InstrumentMarket, runningR, toEntry } from './levels.ts';

export interface Progress {
  /** The result or the unrealised one, in R. */
  readonly figure: string;
  /** Closed: the result in pips and percent. Active: the distances. */
  readonly detail: string;
  /** The price on the level bar; `null` if there is none. */
  readonly at: number | null;
  readonly pending?: boolean;
}

/** `entryPrice` of an active signal: `null` while it is pending, undefined if that is not known yet. */
export function progressOf(
  signal: Signal,
  entryPrice: number | null | undefined,
  market: InstrumentMarket | null,
): Progress {
  if (signal.status === 'closed') {
    const { pnl, pnl_percent, pnl_r, exit_price: at } = signal;
    if (!hasResult(signal)) return { figure: 'No result', detail: '', at };
    return { figure: inR(pnl_r), detail: `${signedPips(pnl)} pips · ${signedFigure(pnl_percent, 2)} %`, at };
  }
  if (!market) return { figure: inR(null), detail: 'No price yet', at: null };
  const { pipSize } = market;
  if (entryPrice === null) {
    const detail = `${inPips(toEntry(signal, market, pipSize))} pips to entry`;
    return { figure: 'Pending', detail, at: entrySide(signal, market), pending: true };
  }
  const at = exitSide(signal, market);
  const { toStop, toTarget } = distancesOf(signal, at, pipSize);
  return {
    figure: inR(entryPrice === undefined ? null : runningR(signal, entryPrice, at)),
    detail: `${inPips(toStop)} pips to stop · ${inPips(toTarget)} to target`,
    at,
  };
}
