// Decisions and their evidence (E1 to E6, EV1 to EV3 of docs/signals.md), without the marks of open signals.
import { closingN, countedUnits, type Recomputed } from './counting.ts';

const UNITS = 10_000;
const MAX_UNITS = 10 * UNITS;
const RUIN_UNITS = -5 * UNITS;
const GAMBLERS = 10;
/** Risks of every open decision that are reserved. */
const RESERVED = 5;
const MAX_WEALTH = 1e300;
const MAX_E_VALUE = 1e12;
const DIGITS = 4;
const RANKED_RULES = 2;

interface Decision {
  readonly signals: Recomputed[];
  /** Number of the closing record of its first signal; infinite while that is active. */
  readonly closesAt: number;
}

export interface DecisionEvidence {
  readonly decisions: number;
  readonly e_value: number;
}

export function evidenceOf(signals: readonly Recomputed[], untrusted: ReadonlySet<string>): DecisionEvidence {
  const bets = decisionsOf(signals).map((decision): Bet => {
    const units = decisionUnits(decision, untrusted);
    const end = Math.max(...decision.signals.map(({ history }) => closingN(history) ?? Number.POSITIVE_INFINITY));
    // An incomplete decision counts if it is negative.
    const counts = units !== null && (Number.isFinite(end) || units < 0);
    return { begin: decision.signals[0]!.history.published.n, end, units: counts ? Math.min(units, MAX_UNITS) : null };
  });
  return { decisions: bets.filter(({ units }) => units !== null).length, e_value: eValueOf(bets) };
}

/** In order of publication. */
function decisionsOf(signals: readonly Recomputed[]): readonly Decision[] {
  const latest = new Map<string, Decision>();
  const all: Decision[] = [];
  const ranked = signals.filter(({ history }) => history.published.rules >= RANKED_RULES);
  for (const signal of ranked.toSorted((a, b) => a.history.published.n - b.history.published.n)) {
    const { symbol, direction, n } = signal.history.published;
    const current = latest.get(`${direction} ${symbol}`);
    if (current && n < current.closesAt) {
      current.signals.push(signal);
      continue;
    }
    const decision = { signals: [signal], closesAt: closingN(signal.history) ?? Number.POSITIVE_INFINITY };
    latest.set(`${direction} ${symbol}`, decision);
    all.push(decision);
  }
  return all;
}

/** R of a decision in units (E3); `null` without a result. */
function decisionUnits({ signals }: Decision, untrusted: ReadonlySet<string>): number | null {
  const units = signals.map((signal) => countedUnits(signal, 'rank_r', untrusted));
  const results = units.flatMap((each) => each ?? []);
  if (results.length === 0) return null;
  const mean = Math.floor(results.reduce((sum, each) => sum + each, 0) / results.length);
  return Math.min(units[0] ?? 0, mean);
}

/** A decision from its first to its last record; `units` is its R if it counts. */
interface Bet {
  readonly begin: number;
  /** Infinite while it is incomplete. */
  readonly end: number;
  readonly units: number | null;
}

/** `bets` in order of publication. */
function eValueOf(bets: readonly Bet[]): number {
  if (bets.some(({ units }) => units !== null && units < RUIN_UNITS)) return 0;
  const steps = bets.flatMap((bet) => [
    { n: bet.begin, bet, isBegin: true },
    { n: bet.end, bet, isBegin: false },
  ]);
  // Stable: incomplete decisions stay in order of publication.
  steps.sort((a, b) => (a.n === b.n ? 0 : a.n - b.n));
  let sum = 0;
  for (let k = 1; k <= GAMBLERS; k++) sum += wealthOf(steps, k / 50);
  return Math.min(Number((sum / GAMBLERS).toPrecision(DIGITS)), MAX_E_VALUE);
}

/** What a gambler has in the end who bets a fraction of the wealth that is not reserved. */
function wealthOf(steps: readonly { readonly bet: Bet; readonly isBegin: boolean }[], fraction: number): number {
  const stakes = new Map<Bet, number>();
  let [wealth, staked] = [1, 0];
  for (const { bet, isBegin } of steps) {
    if (isBegin) {
      const stake = Math.max(0, fraction * (wealth - RESERVED * staked));
      stakes.set(bet, stake);
      staked += stake;
      continue;
    }
    const stake = stakes.get(bet)!;
    staked = Math.max(0, staked - stake);
    if (bet.units !== null) wealth = Math.min(Math.max(0, wealth + stake * (bet.units / UNITS)), MAX_WEALTH);
  }
  return wealth;
}
