// Recomputes one signal from its records: whether its prices follow from the evidence in them, and its result from the prices.
import { meanPrice, type Result, resultOf, type Trade } from '../signals/evidence/arithmetic.ts';
import { SignalLife } from '../signals/evidence/signal-life.ts';
import type { SignalHistory } from './history.ts';

const CURRENT_RULES = 2;
/** For ranking, the risk is at least this many spreads of the accepted quote (CR2). */
const MIN_RISK_SPREADS = 10;

export interface SignalResult extends Result {
  readonly exit_price: number;
  /** R for ranking. */
  readonly rank_r: number;
}

export interface CheckedSignal {
  readonly faults: readonly string[];
  /** `null` while it is active, and if it was never filled. A void does not change it. */
  readonly result: SignalResult | null;
}

export function checkSignal(history: SignalHistory): CheckedSignal {
  const { entries, published, closed } = history;
  const faults = sequenceFaults(history);
  // Rules version 1 is left to `tickwire verify`; its signals never count.
  if (published.rules === CURRENT_RULES) {
    const life = new SignalLife(published);
    for (const { record } of entries.slice(1)) life.add(record);
    faults.push(...life.faults);
  }
  if (!closed) return { faults, result: null };
  const result = recomputed(history);
  const expected = result ?? { pnl: 0, pnl_percent: 0, pnl_r: 0, exit_price: null };
  for (const name of ['pnl', 'pnl_percent', 'pnl_r', 'exit_price'] as const)
    if (closed[name] !== expected[name])
      faults.push(`${name} is ${closed[name]} in the log, but follows as ${expected[name]}`);
  return { faults, result };
}

/** The records are about one signal, in order of number and time. */
function sequenceFaults({ entries, published: p }: SignalHistory): string[] {
  const faults: string[] = [];
  for (const [index, { record }] of entries.entries()) {
    const before = entries[index - 1]?.record;
    if (!('signal' in record) || record.signal !== p.signal || record.publisher !== p.publisher)
      faults.push(`Record ${record.n} is about something else`);
    if (record.rules !== p.rules) faults.push(`Record ${record.n} is under other rules`);
    if (before && (record.n <= before.n || record.at < before.at)) faults.push(`Record ${record.n} is out of order`);
  }
  if (entries[0]?.record !== p) faults.push('The first record is not the publication');
  return faults;
}

function recomputed({ published: p, exits, closed }: SignalHistory): SignalResult | null {
  const { entry_price: entryPrice, exit_price: exitPrice, last_exit: last, reason } = closed!;
  if (reason === 'unfilled' || entryPrice === null || exitPrice === null) return null;
  const { digits, pip_size: pipSize } = p.instrument;
  const trade: Trade = {
    rules: p.rules,
    direction: p.direction,
    entry: p.entry,
    entryPrice,
    stopLoss: p.stop_loss,
    // Under rules version 1 everything exits at once.
    exits: last ? [...exits, last] : [{ fraction: 1, price: exitPrice }],
    digits,
    pipSize,
  };
  const result = resultOf(trade);
  if (!result) return null;
  const least = MIN_RISK_SPREADS * (p.quote.ask - p.quote.bid);
  const isWider = Math.abs(p.entry - p.stop_loss) >= least;
  // Only the distance of the stop counts, not its side.
  const ranked = isWider ? result : resultOf({ ...trade, stopLoss: p.entry + least });
  return { ...result, exit_price: meanPrice(trade.exits, digits), rank_r: ranked!.pnl_r };
}
