// Signal outcomes for tests, and an independent calculation of a track record from a complete list.
import { CLOSE_REASONS } from '@tickwire/contract';
import fc from 'fast-check';
import { asSymbol } from '../src/market/instrument.ts';
import { asEpochMs } from '../src/market/time.ts';
import { normalCdf } from '../src/statistics/normal-distribution.ts';
import { type RankingSignal, trustedSources } from '../src/statistics/ranking-signal.ts';
import { sharedLog, TrackRecord } from '../src/statistics/track-record.ts';

const T0 = Date.UTC(2026, 2, 2);
const MINUTE = 60_000;
const UNTRUSTED = 'push:pub_other';

/** Numbers of log records, in the order in which signals are made. */
let records = 0;

/** A filled signal that closed after an hour. */
export function closed(pnlR: number, over: Partial<RankingSignal> = {}): RankingSignal {
  const publishedN = ++records;
  return {
    id: `sig_${publishedN}`,
    publishedN,
    symbol: asSymbol('EURUSD'),
    direction: 'buy',
    order: 'market',
    publishedAt: asEpochMs(T0),
    filledAt: asEpochMs(T0 + MINUTE),
    closedN: ++records,
    closingAt: asEpochMs(T0 + 61 * MINUTE),
    closedAt: asEpochMs(T0 + 61 * MINUTE),
    reason: pnlR > 0 ? 'take_profit' : 'stop_loss',
    pnlR,
    rankR: pnlR,
    sources: { accepted: 'sim', filled: null, decided: 'sim' },
    gap: false,
    selfSourced: false,
    withdrawn: false,
    maxR: 2,
    entry: 10_000,
    plannedRisk: 100,
    plannedReward: 200,
    voided: false,
    ...over,
  };
}

export const unfilled = (over: Partial<RankingSignal> = {}): RankingSignal =>
  closed(0, { reason: 'unfilled', filledAt: null, ...over });

/** The same signal when it was published. */
export const active = (signal: RankingSignal): RankingSignal => ({
  ...signal,
  filledAt: null,
  closedN: null,
  closingAt: null,
  closedAt: null,
  reason: null,
  pnlR: null,
  rankR: null,
  sources: { accepted: signal.sources.accepted, filled: null, decided: null },
  gap: false,
  withdrawn: false,
  voided: false,
});

/** The same signal while it was open. */
export const open = (signal: RankingSignal): RankingSignal => ({
  ...active(signal),
  filledAt: signal.filledAt,
  sources: { ...signal.sources, decided: null },
});

/** Every source but pushed ones. */
export const TRUSTED = trustedSources();

/** Arbitrary outcomes with repeated symbols and times of publication. */
export const anyOutcome: fc.Arbitrary<RankingSignal> = fc
  .record({
    symbol: fc.constantFrom('EURUSD', 'XAUUSD', 'BTCUSD'),
    published: fc.nat(5),
    pending: fc.nat(90),
    held: fc.integer({ min: -5, max: 5000 }),
    reason: fc.constantFrom(...CLOSE_REASONS),
    units: fc.oneof(fc.integer({ min: -30_000, max: 60_000 }), fc.constantFrom(-10_000, 0, 20_000)),
    /** One of an untrusted source does not count. */
    source: fc.oneof({ weight: 9, arbitrary: fc.constant('sim') }, { weight: 1, arbitrary: fc.constant(UNTRUSTED) }),
  })
  .map(({ symbol, published, pending, held, reason, units, source }) => {
    const publishedAt = T0 + published * MINUTE;
    const filledAt = publishedAt + pending * MINUTE;
    const outcome = {
      symbol: asSymbol(symbol),
      publishedAt: asEpochMs(publishedAt),
      closedAt: asEpochMs(filledAt + held * MINUTE),
      sources: { accepted: source, filled: null, decided: 'sim' },
    };
    return reason === 'unfilled'
      ? unfilled(outcome)
      : closed(units / 1e4, { ...outcome, reason, filledAt: asEpochMs(filledAt) });
  });

export function recordOf(outcomes: readonly RankingSignal[]): TrackRecord {
  const record = new TrackRecord(sharedLog(TRUSTED, false));
  for (const outcome of outcomes) {
    record.publish(active(outcome));
    if (outcome.closedN !== null) record.close(outcome);
  }
  return record;
}

/** Unrounded figures. */
export function recomputed(outcomes: readonly RankingSignal[]) {
  const filled = outcomes.filter((outcome) => outcome.reason !== 'unfilled');
  const counted = filled.filter((outcome) => outcome.sources.accepted !== UNTRUSTED);
  const results = counted.map((outcome) => outcome.pnlR!);
  const n = results.length;
  const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0);
  const wins = results.filter((r) => r > 0);
  const losses = results.filter((r) => r < 0);
  const mean = sum(results) / n;
  const central = (k: number) => sum(results.map((r) => (r - mean) ** k)) / n;
  const varied = new Set(results).size > 1;
  const sharpe = mean / Math.sqrt((central(2) * n) / (n - 1));
  const skewness = central(3) / central(2) ** 1.5;
  const kurtosis = central(4) / central(2) ** 2;
  const deviation = Math.sqrt((1 - skewness * sharpe + ((kurtosis - 1) / 4) * sharpe ** 2) / (n - 1));
  let maxDrawdownR = 0;
  for (let from = 0; from <= n; from++)
    for (let to = from; to <= n; to++) maxDrawdownR = Math.max(maxDrawdownR, -sum(results.slice(from, to)));
  return {
    counts: {
      signals: outcomes.length,
      active: 0,
      closed: outcomes.length,
      rankedSignals: n,
      wins: wins.length,
      losses: losses.length,
      breakeven: n - wins.length - losses.length,
      unfilled: outcomes.length - filled.length,
      unranked: filled.length - n,
    },
    figures: {
      winRate: n > 0 ? wins.length / n : null,
      averageR: n > 0 ? mean : null,
      expectancyR: n > 0 ? (sum(wins) + sum(losses)) / n : null,
      totalR: sum(results),
      profitFactor: losses.length > 0 ? sum(wins) / -sum(losses) : null,
      maxDrawdownR,
      sharpe: varied ? sharpe : null,
      probabilisticSharpe: varied && n >= 3 ? normalCdf(sharpe / deviation) : null,
    },
    holdingSeconds: n > 0 ? sum(counted.map((one) => Math.max(0, one.closedAt! - one.filledAt!))) / n / 1000 : null,
  };
}
