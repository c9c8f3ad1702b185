// Ranks publishers by the evidence since their trials. The bar depends on the number of the trial, and no account can move it later. Rules
// K1 to K7 of docs/reference/signals.md, "Track records". The guarantee and its limits are stated there.
import { plural } from '@tickwire/contract';
import { DAY_MS, type EpochMs } from '../market/time.ts';
import type { Evidence } from './decisions.ts';
import { publishedEValue } from './e-value.ts';
import { UNITS_PER_R } from './ranking-signal.ts';
import { MIN_DAYS, MIN_DECISIONS, type Trials } from './trials.ts';

/** Eight weeks from the first publication to the latest closing. */
export const MIN_SPAN_DAYS = 56;
export const ACTIVE_PERIOD_MS = 365 * DAY_MS;
export const MIN_RECENT_DECISIONS = 10;
const MIN_LOSING_DECISIONS = 10;
/** 1 / 5 %. */
const INVERSE_RATE = 20;
/** The estimate of further decisions needs this many, and is absent above the maximum. */
const MIN_FOR_PACE = 30;
const MAX_FURTHER = 2_000;

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
  readonly what: 'decisions' | 'days' | 'sum_r' | 'span_days' | 'e_value' | 'recent_decisions';
  readonly have: number;
  /** At least this; of `sum_r`, more than this. */
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
  /** The trials of all publishers. */
  readonly trials: Trials;
}

/** All publishers: ranked ones first, from 1; losing ones last. */
export function rankPublishers<E extends RankingEntry>(
  entries: readonly E[],
  options: RankingOptions,
): (E & Standing)[] {
  const nextNumber = options.trials.numberAt(options.now);
  const ranked: (E & Standing)[] = [];
  const others: (E & Standing)[] = [];
  const losing: (E & Standing)[] = [];
  for (const entry of [...entries].sort(byEvidence)) {
    const standing = standingOf(entry, missingFor(entry, nextNumber, options));
    if (standing.status === 'ranked') ranked.push({ ...entry, ...standing, rank: ranked.length + 1 });
    else (standing.status === 'losing' ? losing : others).push({ ...entry, ...standing, rank: null });
  }
  return [...ranked, ...others, ...losing];
}

/** The e-value for a rank. During the trial, what it would be if the trial ended now, as `nextNumber`. */
export const neededEValue = ({ trial }: Evidence, nextNumber: number): number =>
  INVERSE_RATE * (trial?.number ?? nextNumber);

/** About how many more decisions a rank takes at the present pace; `null` if that cannot be said. */
export function furtherDecisions({ trial, sinceTrial, eValue, maxWealth }: Evidence): number | null {
  if (!trial || sinceTrial < MIN_FOR_PACE || maxWealth <= 1) return null;
  const missing = Math.log((INVERSE_RATE * trial.number) / eValue);
  const further = Math.ceil((sinceTrial * missing) / Math.log(maxWealth));
  return missing > 0 && further <= MAX_FURTHER ? further : null;
}

function missingFor(
  { evidence, recentDecisions }: RankingEntry,
  nextNumber: number,
  options: RankingOptions,
): Missing[] {
  const { complete, trial, eValue, firstAt, lastCompletedAt } = evidence;
  const { simulated } = options.trials;
  const missing: Missing[] = [];
  const require = (what: Missing['what'], have: number, need: number): void => {
    if (have < need) missing.push({ what, have, need });
  };
  const counted = trial ? evidence : complete;
  require('decisions', counted.decisions, MIN_DECISIONS);
  if (!simulated) require('days', counted.days, MIN_DAYS);
  if (!trial && complete.sumUnits <= 0) missing.push({ what: 'sum_r', have: complete.sumUnits / UNITS_PER_R, need: 0 });
  if (!simulated) {
    const span = firstAt === null || lastCompletedAt === null ? 0 : Math.max(0, lastCompletedAt - firstAt);
    require('span_days', Math.floor(span / DAY_MS), MIN_SPAN_DAYS);
  }
  const needE = neededEValue(evidence, nextNumber);
  if (eValue < needE) missing.push({ what: 'e_value', have: publishedEValue(eValue), need: publishedEValue(needE) });
  if (firstAt !== null && options.now - firstAt > ACTIVE_PERIOD_MS)
    require('recent_decisions', recentDecisions, MIN_RECENT_DECISIONS);
  return missing;
}

function standingOf({ evidence }: RankingEntry, missing: readonly Missing[]): Omit<Standing, 'rank'> {
  const { decisions, sumUnits, sinceTrial, trial } = evidence;
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
      reason: `The evidence of the ${plural(sinceTrial, 'decision')} since the trial is enough for its number, ${trial!.number}.`,
      missing,
    };
  if (decisions >= MIN_LOSING_DECISIONS && sumUnits < 0)
    return {
      status: 'losing',
      reason: `The ${plural(decisions, 'decision')} add up to a loss of ${(-sumUnits / UNITS_PER_R).toFixed(2)} R for the rank.`,
      missing,
    };
  return { status: 'unproven', reason: unproven(missing[0]!, trial === null), missing };
}

function unproven({ what, have, need }: Missing, isTrial: boolean): string {
  if (what === 'decisions')
    return `The ${isTrial ? 'trial' : 'record'} has ${plural(have, isTrial ? 'complete decision' : 'decision')}; at least ${need} are needed.`;
  if (what === 'days') return `The decisions began on ${plural(have, 'day')}; at least ${need} are needed.`;
  if (what === 'sum_r') return `The decisions add up to ${have.toFixed(2)} R for the rank; the trial ends above 0.`;
  if (what === 'span_days') return `The decisions span ${plural(have, 'day')}; at least ${need} are needed.`;
  return `The results do not yet show an edge: the evidence is ${have} of ${need} needed (1 = none).`;
}

const byEvidence = (a: RankingEntry, b: RankingEntry): number =>
  b.evidence.eValue - a.evidence.eValue ||
  b.evidence.decisions - a.evidence.decisions ||
  (a.publisher < b.publisher ? -1 : a.publisher > b.publisher ? 1 : 0);
