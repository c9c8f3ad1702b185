// Ranks publishers by their evidence, with the false discovery rate over all of them limited to 5 % (e-BH). Rules K1 to K5 of
// docs/signals.md, "Track records". The guarantee and its limits are stated there.
import { DAY_MS, type EpochMs } from '../market/time.ts';
import type { Evidence } from './decisions.ts';
import { publishedEValue } from './e-value.ts';
import { UNITS_PER_R } from './ranking-signal.ts';

/** Fewer decisions do not take part in the control over all publishers. */
export const MIN_DECISIONS = 30;
export const MIN_DAYS = 20;
/** Eight weeks from the first publication to the latest closing. */
export const MIN_SPAN_DAYS = 56;
export const ACTIVE_PERIOD_MS = 365 * DAY_MS;
export const MIN_RECENT_DECISIONS = 10;
const MIN_LOSING_DECISIONS = 10;
/** 1 / 5 %. */
const INVERSE_RATE = 20;

export const RANK_STATUSES = ['ranked', 'unproven', 'losing', 'inactive'] as const;
export type RankStatus = (typeof RANK_STATUSES)[number];

export interface RankingEntry {
  /** Public id of the publisher. */
  readonly publisher: string;
  readonly evidence: Evidence;
  /** Counted decisions completed within ACTIVE_PERIOD_MS, counted up to MIN_RECENT_DECISIONS. */
  readonly recentDecisions: number;
}

/** What keeps a publisher from a rank. */
export interface Missing {
  readonly what: 'decisions' | 'days' | 'span_days' | 'e_value' | 'recent_decisions';
  readonly have: number;
  readonly need: number;
}

export interface Standing {
  readonly rank: number | null;
  readonly status: RankStatus;
  /** One sentence. */
  readonly reason: string;
  readonly missing: readonly Missing[];
}

export interface RankingOptions {
  readonly now: EpochMs;
  /** In simulated markets and replays, days and weeks are not required. */
  readonly simulated: boolean;
}

/** All publishers: ranked ones first, from 1; then the others. */
export function rankPublishers<E extends RankingEntry>(
  entries: readonly E[],
  options: RankingOptions,
): (E & Standing)[] {
  const sorted = [...entries].sort(byEvidence);
  const contenders = sorted.filter(({ evidence }) => evidence.decisions >= MIN_DECISIONS);
  const discoveries = discoveryCount(contenders.map(({ evidence }) => evidence.eValue));
  const passed = new Set<E>(contenders.slice(0, discoveries));
  const ranked: (E & Standing)[] = [];
  const others: (E & Standing)[] = [];
  for (const entry of sorted) {
    const isContender = entry.evidence.decisions >= MIN_DECISIONS;
    // Enough for one discovery more, if the other publishers stay as they are.
    const need = (INVERSE_RATE * (contenders.length + (isContender ? 0 : 1))) / (discoveries + 1);
    const missing = missingFor(entry, passed.has(entry) ? 0 : need, options);
    const standing = standingOf(entry, missing);
    if (standing.status === 'ranked') ranked.push({ ...entry, ...standing, rank: ranked.length + 1 });
    else others.push({ ...entry, ...standing, rank: null });
  }
  return [...ranked, ...others];
}

/** e-BH at 5 %: the greatest k for which the k-th greatest e-value, times k, is at least 20 times their number. */
export function discoveryCount(descending: readonly number[]): number {
  const bound = INVERSE_RATE * descending.length;
  for (let k = descending.length; k > 0; k--) if (descending[k - 1]! * k >= bound) return k;
  return 0;
}

function missingFor({ evidence, recentDecisions }: RankingEntry, needE: number, options: RankingOptions): Missing[] {
  const { decisions, days, eValue, firstAt, lastCompletedAt } = evidence;
  const missing: Missing[] = [];
  const require = (what: Missing['what'], have: number, need: number): void => {
    if (have < need) missing.push({ what, have, need });
  };
  require('decisions', decisions, MIN_DECISIONS);
  if (!options.simulated) {
    require('days', days, MIN_DAYS);
    const span = firstAt === null || lastCompletedAt === null ? 0 : Math.max(0, lastCompletedAt - firstAt);
    require('span_days', Math.floor(span / DAY_MS), MIN_SPAN_DAYS);
  }
  if (eValue < needE) missing.push({ what: 'e_value', have: publishedEValue(eValue), need: publishedEValue(needE) });
  if (firstAt !== null && options.now - firstAt > ACTIVE_PERIOD_MS)
    require('recent_decisions', recentDecisions, MIN_RECENT_DECISIONS);
  return missing;
}

function standingOf({ evidence }: RankingEntry, missing: readonly Missing[]): Omit<Standing, 'rank'> {
  const { decisions, sumUnits } = evidence;
  const recent = missing.find(({ what }) => what === 'recent_decisions');
  if (recent)
    return {
      status: 'inactive',
      reason: `Only ${recent.have} of the last ${plural(decisions, 'decision')} were completed in the last 12 months; ${recent.need} are needed.`,
      missing,
    };
  if (missing.length === 0)
    return {
      status: 'ranked',
      reason: `The evidence of ${plural(decisions, 'decision')} against a mean of at most 0 R passes the 5 % control over all publishers.`,
      missing,
    };
  if (decisions >= MIN_LOSING_DECISIONS && sumUnits < 0)
    return {
      status: 'losing',
      reason: `The ${plural(decisions, 'decision')} add up to a loss of ${(-sumUnits / UNITS_PER_R).toFixed(2)} R.`,
      missing,
    };
  return { status: 'unproven', reason: unproven(missing), missing };
}

function unproven(missing: readonly Missing[]): string {
  const { what, have, need } = missing[0]!;
  if (what === 'decisions') return `There are ${plural(have, 'decision')}; at least ${need} are needed.`;
  if (what === 'days') return `The decisions began on ${plural(have, 'day')}; at least ${need} are needed.`;
  if (what === 'span_days') return `The decisions span ${plural(have, 'day')}; at least ${need} are needed.`;
  return `The results do not yet rule out a mean of at most 0 R: the e-value is ${have} and ${need} is needed.`;
}

const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

const byEvidence = (a: RankingEntry, b: RankingEntry): number =>
  b.evidence.eValue - a.evidence.eValue ||
  b.evidence.decisions - a.evidence.decisions ||
  (a.publisher < b.publisher ? -1 : a.publisher > b.publisher ? 1 : 0);
