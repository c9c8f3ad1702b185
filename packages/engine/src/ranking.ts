// The order of publishers. A rank is for those whose record is long enough to tell skill from luck; a lucky week has none.
// Compared are the published, rounded figures, so that anyone can check the order with what is shown.
import type { TrackSummary } from './tally.ts';

export interface Contender {
  readonly name: string;
  readonly summary: TrackSummary;
}

/** Ranked ones first, 1…; after them the others, with rank null. */
export function rankPublishers<P extends Contender>(
  publishers: readonly P[],
): (P & { readonly rank: number | null })[] {
  const ranked = publishers.filter(({ summary }) => summary.meaningful).sort(bySkill);
  const others = publishers.filter(({ summary }) => !summary.meaningful).sort(byLength);
  return [
    ...ranked.map((publisher, index) => ({ ...publisher, rank: index + 1 })),
    ...others.map((publisher) => ({ ...publisher, rank: null })),
  ];
}

const bySkill = (a: Contender, b: Contender): number =>
  (b.summary.probabilisticSharpe ?? 0) - (a.summary.probabilisticSharpe ?? 0) ||
  b.summary.totalR - a.summary.totalR ||
  byName(a, b);

const byLength = (a: Contender, b: Contender): number =>
  b.summary.rankedSignals - a.summary.rankedSignals || byName(a, b);

/** By code units: the same order on every machine, whatever its language. */
const byName = (a: Contender, b: Contender): number => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0);
