// Finds signals that repeat one of another publisher, for the warning W8 of docs/reference/signals.md, "Track records". It is
// evaded by small changes, so it changes no rank.
import { type EpochMs, MINUTE_MS } from '../market/time.ts';
import type { RankingSignal } from './ranking-signal.ts';

const WITHIN_MS = 10 * MINUTE_MS;
/** Of the risk of the earlier signal. */
const TOLERANCE = 0.1;
/** Signals of one symbol and direction that are compared. */
const MAX_RECENT = 100;

interface Publication {
  readonly by: object;
  readonly at: EpochMs;
  readonly stop: number;
  readonly target: number;
  readonly risk: number;
}

export class RecentPublications {
  /** By direction and symbol, in the order of the log. */
  readonly #recent = new Map<string, Publication[]>();

  /** Adds a signal of the publisher `by`. Returns whether it repeats one that another publisher published shortly before. */
  add(by: object, signal: RankingSignal): boolean {
    const { symbol, direction, publishedAt: at, entry, plannedRisk: risk, plannedReward } = signal;
    const sign = direction === 'buy' ? 1 : -1;
    const own = { by, at, stop: entry - sign * risk, target: entry + sign * plannedReward, risk };
    const key = `${direction} ${symbol}`;
    const recent = this.#recent.get(key) ?? [];
    if (recent.length === 0) this.#recent.set(key, recent);
    while (recent.length >= MAX_RECENT || (recent[0] && recent[0].at < at - WITHIN_MS)) recent.shift();
    const isCopy = recent.some((other) => other.by !== by && isNear(own, other));
    recent.push(own);
    return isCopy;
  }
}

const isNear = (own: Publication, { stop, target, risk }: Publication): boolean =>
  Math.max(Math.abs(own.stop - stop), Math.abs(own.target - target)) <= TOLERANCE * risk;
