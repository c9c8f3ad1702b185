// The list of publishers as the API returns it: filters, order, pages and the fields of each record.
import {
  ANY_DRAWDOWN,
  isoOrNull,
  type PublishersQuery,
  type RankProgress,
  type TrackRecord as WireRecord,
} from '@tickwire/contract';
import {
  asSymbol,
  DAY_MS,
  type FigureFilter,
  furtherDecisions,
  type Marked,
  neededEValue,
  publishedEValue,
  type RankingEvidence,
  type Standing,
  type TrackRecord,
  type TrackSummary,
  UNITS_PER_R,
} from '@tickwire/engine';
import { pauses } from '../ops/pauses.ts';

/** A publisher with its record and its place in the ranking as of now. */
export interface RankedRecord extends Standing, Marked {
  readonly publisher: string;
  readonly record: TrackRecord;
}

type Figures = Omit<WireRecord, keyof Standing | 'name' | 'publisher' | keyof ReturnType<typeof markedFields>>;

export function toFigures(summary: TrackSummary): Figures {
  return {
    signals: summary.signals,
    active: summary.active,
    closed: summary.closed,
    ranked_signals: summary.rankedSignals,
    wins: summary.wins,
    losses: summary.losses,
    breakeven: summary.breakeven,
    unfilled: summary.unfilled,
    unranked: summary.unranked,
    win_rate: summary.winRate,
    win_rate_low: summary.winRateLow,
    win_rate_high: summary.winRateHigh,
    average_r: summary.averageR,
    total_r: summary.totalR,
    expectancy_r: summary.expectancyR,
    profit_factor: summary.profitFactor,
    max_drawdown_r: summary.maxDrawdownR,
    average_holding_seconds: summary.averageHoldingSeconds,
    sharpe: summary.sharpe,
    probabilistic_sharpe: summary.probabilisticSharpe,
    signals_needed: summary.signalsNeeded,
    first_at: isoOrNull(summary.firstAt),
    last_at: isoOrNull(summary.lastAt),
  };
}

function markedFields({ evidence, openR, worstOpenR, drawdownR, exposure, record, warnings }: RankedRecord) {
  return {
    decisions: evidence.decisions,
    e_value: publishedEValue(evidence.eValue),
    open_r: openR,
    worst_open_r: worstOpenR,
    drawdown_r: drawdownR,
    exposure: exposure.map(({ asset, netR, signals }) => ({ asset, net_r: netR, signals })),
    voided: record.voided,
    warnings: [...warnings],
  };
}

/** `nextNumber` is that of a trial that would end now. */
export function toProgress(evidence: RankingEvidence, nextNumber: number): RankProgress {
  const { trial, complete, sinceTrial } = evidence;
  return {
    trial_ended_at: isoOrNull(trial?.at ?? null),
    number: trial?.number ?? null,
    decisions: trial ? sinceTrial : complete.decisions,
    days: trial ? null : complete.days,
    sum_r: trial ? null : complete.sumUnits / UNITS_PER_R,
    need: neededEValue(evidence, nextNumber),
    further: furtherDecisions(evidence),
  };
}

/** The record of a publisher; `filter` selects the signals of its figures. */
export function toWireRecord(ranked: RankedRecord, name: string, filter: FigureFilter = {}): WireRecord {
  const { publisher, rank, status, reason, missing, record } = ranked;
  return {
    name,
    publisher,
    rank,
    status,
    reason,
    missing: [...missing],
    ...markedFields(ranked),
    ...toFigures(record.figures(filter)),
  };
}

/** Sorting by these needs the figures of the page only; by any other, those of every publisher. */
const RANKING_FIELDS = new Set<PublishersQuery['sort']>([
  'rank',
  'name',
  'e_value',
  'decisions',
  'drawdown_r',
  'open_r',
]);
const ASCENDING = new Set<PublishersQuery['sort']>(['rank', 'name', 'max_drawdown_r', 'drawdown_r']);

export interface RecordPage {
  readonly items: WireRecord[];
  readonly total: number;
  readonly next: number | null;
}

/** One page of `ranking`, which is in the order of ranks. */
export async function pageOf(
  ranking: readonly RankedRecord[],
  query: PublishersQuery,
  nameOf: (publisher: string) => string,
  now: number,
): Promise<RecordPage> {
  const { limit, offset, min_decisions, max_drawdown, status, sort } = query;
  const symbol = query.symbol === undefined ? undefined : asSymbol(query.symbol);
  const since = query.period === undefined ? undefined : now - Number(query.period) * DAY_MS;
  const wire = (ranked: RankedRecord): WireRecord => toWireRecord(ranked, nameOf(ranked.publisher), { symbol, since });
  const selected = ranking.filter(
    ({ evidence, record, status: own }) =>
      evidence.decisions >= min_decisions &&
      (!status || status.includes(own)) &&
      (symbol === undefined || record.hasSymbol(symbol)),
  );
  const order = query.order ?? (ASCENDING.has(sort) ? 'asc' : 'desc');
  const page = <T>(all: readonly T[]): readonly T[] => all.slice(offset, offset + limit);
  const next = (total: number): number | null => (offset + limit < total ? offset + limit : null);
  if (max_drawdown === ANY_DRAWDOWN && RANKING_FIELDS.has(sort)) {
    const total = selected.length;
    const keyed = selected.map((ranked) => ({ ranked, key: rankingKey(ranked, sort, nameOf) }));
    const sorted = sort === 'rank' && order === 'asc' ? keyed : sortByKey(keyed, order);
    return { items: page(sorted).map(({ ranked }) => wire(ranked)), total, next: next(total) };
  }
  const records: WireRecord[] = [];
  // With a period, the figures of a publisher are computed from all its signals.
  const pause = pauses();
  for (const ranked of selected) {
    const record = wire(ranked);
    if (max_drawdown === ANY_DRAWDOWN || record.max_drawdown_r <= max_drawdown) records.push(record);
    await pause();
  }
  const keyed = records.map((record) => ({ record, key: record[sort] }));
  const sorted = sort === 'rank' && order === 'asc' ? keyed : sortByKey(keyed, order);
  return { items: page(sorted).map(({ record }) => record), total: records.length, next: next(records.length) };
}

type Key = string | number | null;

function rankingKey(ranked: RankedRecord, sort: PublishersQuery['sort'], nameOf: (publisher: string) => string): Key {
  if (sort === 'name') return nameOf(ranked.publisher);
  if (sort === 'e_value') return ranked.evidence.eValue;
  if (sort === 'decisions') return ranked.evidence.decisions;
  if (sort === 'drawdown_r') return ranked.drawdownR;
  return sort === 'open_r' ? ranked.openR : ranked.rank;
}

/** Stable; `null` comes last in both orders. */
function sortByKey<T extends { readonly key: Key }>(all: readonly T[], order: 'asc' | 'desc'): T[] {
  const sign = order === 'asc' ? 1 : -1;
  return all.toSorted(({ key: a }, { key: b }) => {
    if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1;
    return sign * (a < b ? -1 : a > b ? 1 : 0);
  });
}
