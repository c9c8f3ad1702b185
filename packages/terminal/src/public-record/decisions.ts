// Decisions and their evidence (E1 to E6, EV1 to EV3 of docs/signals.md), without the marks of open signals.
import { closingN, countedUnits, type Recomputed } from './counting.ts';

const MAX_UNITS = 100_000;
const RUIN_UNITS = -50_000;
const GAMBLERS = 10;
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
  const decisions = decisionsOf(signals);
  const ends = ({ signals: all }: Decision): number =>
    Math.max(...all.map(({ history }) => closingN(history) ?? Number.POSITIVE_INFINITY));
  const results = decisions.map((decision) => ({ end: ends(decision), units: decisionUnits(decision, untrusted) }));
  const complete = results.filter(({ end, units }) => Number.isFinite(end) && units !== null);
  const losing = results.filter(({ end, units }) => !Number.isFinite(end) && units !== null && units < 0);
  const counted = [...complete.sort((a, b) => a.end - b.end), ...losing].map(({ units }) =>
    Math.min(units!, MAX_UNITS),
  );
  return { decisions: counted.length, e_value: eValueOf(counted) };
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

function eValueOf(results: readonly number[]): number {
  let sum = 0;
  for (let k = 1; k <= GAMBLERS; k++) {
    let wealth = 1;
    for (const units of results)
      wealth = units < RUIN_UNITS ? 0 : Math.min(wealth * ((500_000 + k * units) / 500_000), MAX_WEALTH);
    sum += wealth;
  }
  return Math.min(Number((sum / GAMBLERS).toPrecision(DIGITS)), MAX_E_VALUE);
}
