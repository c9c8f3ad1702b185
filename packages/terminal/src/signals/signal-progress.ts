// How far a signal is: its result once it has closed, its unrealised R while it runs, its distance to the entry while it is
// pending.
import type { Signal, SignalDetail } from '@tickwire/client';
import { type MoveUnit, signedFigure } from '../ui/format.ts';
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

/** What the feed does not contain. */
export type OrderState = Pick<
  SignalDetail,
  'order' | 'entry_price' | 'targets' | 'exits' | 'current_stop_loss' | 'close_requested_at'
>;

/** `state` of an active signal: undefined if it is not known yet. `unit`: of moves of its instrument. */
export function progressOf(
  signal: Signal,
  state: OrderState | undefined,
  market: InstrumentMarket | null,
  unit: MoveUnit,
): Progress {
  if (signal.status === 'closed') {
    const { pnl, pnl_percent, pnl_r, exit_price: at } = signal;
    if (!hasResult(signal)) return { figure: 'No result', detail: '', at };
    return { figure: inR(pnl_r), detail: `${signedPips(pnl)} ${unit} · ${signedFigure(pnl_percent, 2)} %`, at };
  }
  if (!market) return { figure: inR(null), detail: 'No price yet', at: null };
  const { pipSize } = market;
  if (state?.entry_price === null) {
    const detail = `${inPips(toEntry(signal, market, pipSize))} ${unit} to entry`;
    return { figure: 'Pending', detail, at: entrySide(signal, market), pending: true };
  }
  const at = exitSide(signal, market);
  const { entry_price: entryPrice, targets = [], exits = [], current_stop_loss: stop } = state ?? {};
  // The next target, and the stop in force.
  const next = {
    ...signal,
    stop_loss: stop ?? signal.stop_loss,
    take_profit: targets[exits.length]?.price ?? signal.take_profit,
  };
  const { toStop, toTarget } = distancesOf(next, at, pipSize);
  const target = targets.length > 1 ? `target ${exits.length + 1}` : 'target';
  return {
    figure: inR(entryPrice === undefined || entryPrice === null ? null : runningR(signal, entryPrice, at, exits)),
    detail: `${inPips(toStop)} ${unit} to stop · ${inPips(toTarget)} to ${target}`,
    at,
  };
}

/** The state of an active signal in one or two words; '' if it is not known. */
export function stateText(state: OrderState | undefined): string {
  if (state === undefined) return '';
  const { order, entry_price, targets, exits, close_requested_at } = state;
  if (close_requested_at !== null) return 'Closing';
  if (entry_price === null) return `Pending ${order}`;
  return exits.length === 0 ? 'Filled' : `Target ${exits.length}/${targets.length} hit`;
}
