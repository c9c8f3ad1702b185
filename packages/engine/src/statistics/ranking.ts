// Ranks publishers. Only a track record that is long enough to tell skill from luck gets a rank.
// Compares the published, rounded figures, so that anyone can check the order.
import type { TrackSummary } from './signal-statistics.ts';

export interface RankingEntry {
  readonly name: string;
  readonly summary: TrackSummary;
}

/** Ranked publishers first, from 1; then the others, with rank `null`. */
export function rankPublishers<P extends RankingEntry>(
  publishers: readonly P[],
): (P & { readonly rank: number | null })[] {
  const ranked = publishers.filter(({ summary }) => summary.meaningful).sort(bySkill);
  const others = publishers.filter(({ summary }) => !summary.meaningful).sort(byLength);
  return [
    ...ranked.map((publisher, index) => ({ ...publisher, rank: index + 1 })),
    ...others.map((publisher) => ({ ...publisher, rank: null })),
  ];
}

const bySkill = (a: RankingEntry, b: RankingEntry): number =>
  (b.summary.probabilisticSharpe ?? 0) - (a.summary.probabilisticSharpe ?? 0) ||
  b.summary.totalR - a.summary.totalR ||
  byName(a, b);

const byLength = (a: RankingEntry, b: RankingEntry): number =>
  b.summary.rankedSignals - a.summary.rankedSignals || byName(a, b);

/** By code units, so that the order does not depend on the locale. */
const byName = (a: RankingEntry, b: RankingEntry): number => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0);
