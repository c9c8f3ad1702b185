// How one signal stands, in large figures over its bar: what it runs to, or what it came to.
import type { SignalDetail } from '@tickwire/client';
import { box, make, write } from '../elements.ts';
import { price, signOf } from '../format.ts';
import type { QuoteBoard } from '../quote-board.ts';
import { LevelBar } from './level-bar.ts';
import { distancesOf, entrySide, exitSide, placeOf, runningR, toEntry } from './levels.ts';
import { digitsOf, inPips, inR, REASONS, signedFigure, signedPips } from './words.ts';

interface Standing {
  readonly figure: string;
  readonly below: string;
  /** Where the needle stands; null where there is no price. */
  readonly at: number | null;
  /** It is not in yet. */
  readonly waits?: boolean;
}

/** Follows the market until `end`. */
export function standing(board: QuoteBoard, signal: SignalDetail, end: AbortSignal): HTMLElement {
  const digits = digitsOf(signal, board);
  const bar = new LevelBar(signal);
  const figure = make('b', 'standing-figure');
  const way = make('p', 'hint');
  const show = (): void => {
    const { figure: text, below, at, waits } = standingOf(board, signal);
    bar.show(at, waits);
    write(figure, text);
    figure.dataset.sign = signOf(text);
    write(way, below);
  };
  show();
  board.onChange((changed) => {
    if (changed.has(signal.symbol)) show();
  }, end);
  const entry = make('span', 'at-entry', `Entry ${price(signal.entry, digits)}`);
  // Under its mark, but clear of the other two.
  entry.style.left = `${Math.min(0.68, Math.max(0.34, placeOf(signal, signal.entry))) * 100}%`;
  const ends = box(
    'div',
    'level-ends',
    make('span', '', `Stop ${price(signal.stop_loss, digits)}`),
    entry,
    make('span', '', `Target ${price(signal.take_profit, digits)}`),
  );
  return box('div', 'standing', box('div', '', figure, way), box('div', 'standing-bar', bar.element, ends));
}

function standingOf(board: QuoteBoard, signal: SignalDetail): Standing {
  if (signal.status === 'closed') {
    const { pnl, pnl_percent, pnl_r, close_reason, exit_price: at } = signal;
    if (close_reason === 'unfilled') return { figure: 'No result', below: REASONS.unfilled, at };
    const below = `${REASONS[close_reason]} · ${signedPips(pnl)} pips · ${signedFigure(pnl_percent, 2)} %`;
    return { figure: inR(pnl_r), below, at };
  }
  const row = board.row(signal.symbol);
  if (!row || row.bid === null || row.ask === null) return { figure: '–', below: 'No price yet', at: null };
  const market = { bid: row.bid, ask: row.ask };
  const { pip_size } = row.instrument;
  if (signal.entry_price === null) {
    const below = `${inPips(toEntry(signal, market, pip_size))} pips to its entry`;
    return { figure: 'Waiting', below, at: entrySide(signal, market), waits: true };
  }
  const at = exitSide(signal, market);
  const { toStop, toTarget } = distancesOf(signal, at, pip_size);
  const below = `running, not verified before it closes · ${inPips(toStop)} pips to stop · ${inPips(toTarget)} to target`;
  return { figure: inR(runningR(signal, signal.entry_price, at)), below, at };
}
