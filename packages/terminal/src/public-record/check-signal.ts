// Recomputes one signal from its records: whether its prices follow from the evidence in them, and its result from the prices.

import {
  endOf,
  fillPrice,
  lastExit,
  mayJudge,
  reachesTarget,
  requestedPrice,
  signedTicks,
  stopPrice,
} from './evidence-prices.ts';
import type { SignalHistory } from './history.ts';
import { type ExitedResult, type ExitPart, exitedResult } from './result.ts';

const CURRENT_RULES = 2;

export interface CheckedSignal {
  readonly faults: readonly string[];
  /** `null` while it is active, and if it was never filled. A void does not change it. */
  readonly result: ExitedResult | null;
}

export function checkSignal(history: SignalHistory): CheckedSignal {
  const { published, closed } = history;
  const faults = [...sequenceFaults(history)];
  // Rules version 1 is left to `tickwire verify`; its signals never count.
  if (published.rules === CURRENT_RULES) faults.push(...fillFaults(history), ...exitFaults(history));
  if (!closed) return { faults, result: null };
  if (published.rules === CURRENT_RULES) faults.push(...closingFaults(history));
  const result = resultOf(history);
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

function fillFaults({ published: p, filled, closed }: SignalHistory): string[] {
  if (!filled) return closed && closed.reason !== 'unfilled' ? ['It was never filled'] : [];
  const faults: string[] = [];
  if (!mayJudge(p, filled.filled)) faults.push('It was filled by a price from before its publication');
  if (fillPrice(p, filled.filled) !== signedTicks(p, filled.entry_price))
    faults.push('The entry price does not follow from its evidence');
  if (Date.parse(filled.filled_at) !== endOf(filled.filled))
    faults.push('It was not filled at the time of its evidence');
  if (Date.parse(filled.filled.time) >= Date.parse(p.entry_deadline)) faults.push('It was filled after its deadline');
  if (closed && closed.entry_price !== filled.entry_price) faults.push('The closing has another entry price');
  return faults;
}

function exitFaults({ published: p, exits, filled }: SignalHistory): string[] {
  const targets = p.targets ?? [{ price: p.take_profit, fraction: 1 }];
  return exits.flatMap((exit, index) => {
    const target = targets[index];
    if (!filled || exit.target !== index + 1 || !target) return [`Exit ${exit.target} is out of order`];
    if (exit.price !== target.price || exit.fraction !== target.fraction)
      return [`Exit ${exit.target} is not at its target`];
    if (mayJudge(p, exit.decided) && reachesTarget(p, exit.decided, target.price)) return [];
    return [`The evidence does not reach target ${exit.target}`];
  });
}

function closingFaults(history: SignalHistory): string[] {
  const { published: p, closed, filled, exits } = history;
  const { reason, decided, last_exit: last, decided_seq } = closed!;
  if (decided_seq < decided.seq) return ['It was decided by a later price than it says'];
  if (reason === 'unfilled') return filled || last ? ['An unfilled signal has a fill or an exit'] : [];
  if (!last) return ['It has no last exit'];
  const price = signedTicks(p, last.price);
  const closedAt = Date.parse(closed!.closed_at);
  if (reason === 'expired') {
    if (closedAt !== Date.parse(p.deadline)) return ['It did not expire at its deadline'];
    return price === lastExit(p, decided) ? [] : ['The exit is not at the last price before the deadline'];
  }
  const faults: string[] = [];
  if (!mayJudge(p, decided)) faults.push('It was closed by a price from before its publication');
  if (closedAt !== endOf(decided)) faults.push('It was not closed at the time of its evidence');
  if (reason === 'take_profit') {
    const target = p.targets?.at(-1)?.price ?? p.take_profit;
    if (last.price !== target || !reachesTarget(p, decided, target))
      faults.push('The evidence does not reach the target');
    if (exits.length !== (p.targets?.length ?? 1) - 1) faults.push('An earlier target has no exit');
  } else {
    const expected = reason === 'stop_loss' ? stopPrice(history, decided) : requestedPrice(history, decided);
    if (price !== expected) faults.push('The exit price does not follow from its evidence');
  }
  return faults;
}

function resultOf({ published: p, exits, closed }: SignalHistory): ExitedResult | null {
  const { entry_price: entryPrice, exit_price: exitPrice, last_exit: last, reason } = closed!;
  if (reason === 'unfilled' || entryPrice === null || exitPrice === null) return null;
  const whole: ExitPart = { fraction: 1, price: exitPrice };
  return exitedResult({
    rules: p.rules,
    direction: p.direction,
    entry: p.entry,
    entryPrice,
    stopLoss: p.stop_loss,
    exits: last ? [...exits, last] : [whole],
    digits: p.instrument.digits,
    pipSize: p.instrument.pip_size,
    spread: p.quote.ask - p.quote.bid,
  });
}
