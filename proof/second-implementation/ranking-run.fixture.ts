// Ranks the publishers of a log with the engine of the service, and says about each what ranking.py says.
import { rankingR, WHOLE } from '@tickwire/contract';
import {
  ACTIVE_PERIOD_MS,
  asEpochMs,
  asSymbol,
  furtherDecisions,
  MAX_R,
  MIN_RECENT_DECISIONS,
  type Missing,
  publishedEValue,
  type RankingSignal,
  rankPublishers,
  sharedLog,
  TrackRecord,
  toTicks,
  trustedSources,
} from '@tickwire/engine';
import type { RankingLog, RankingRecord } from './random-log.fixture.ts';

export interface RankedPublisher {
  readonly publisher: string;
  readonly rank: number | null;
  readonly status: string;
  readonly decisions: number;
  readonly sum: number;
  readonly e: number;
  readonly e_value: number;
  readonly number: number | null;
  readonly since: number;
  readonly further: number | null;
  readonly missing: readonly Missing[];
}

type Published = Extract<RankingRecord, { readonly type: 'published' }>;

/** A signal as its records tell it so far. */
interface Told {
  readonly published: Published;
  signal: RankingSignal;
  entryPrice: number;
  readonly exits: { readonly fraction: number; readonly price: number }[];
}

const DIGITS = 2;
const ticks = (price: number): number => toTicks(price, DIGITS);

export function rankByEngine({ now, realm, trusted, records, marks }: RankingLog): RankedPublisher[] {
  const isTrusted = trustedSources(trusted);
  const signals = new Map<string, Told>();
  const shared = sharedLog(isTrusted, realm === 'sim');
  const publishers = new Map<string, TrackRecord>();
  for (const record of records) {
    if (record.type === 'published') {
      const told = toldBy(record);
      signals.set(record.signal, told);
      if (!publishers.has(record.publisher)) publishers.set(record.publisher, new TrackRecord(shared));
      publishers.get(record.publisher)?.publish(told.signal);
    } else {
      const told = signals.get(record.signal)!;
      const track = publishers.get(told.published.publisher);
      if (track) follow(track, told, record);
    }
  }
  const markOf = ({ id }: RankingSignal) => {
    const mark = marks[id];
    const rankR = mark ? resultOf(signals.get(id)!, ticks(mark.price)) : 0;
    return mark ? { pnlR: rankR, rankR, worstR: rankR, isTrusted: true } : null;
  };
  const entries = [...publishers].map(([publisher, track]) => ({
    publisher,
    evidence: track.marked(markOf).evidence,
    recentDecisions: track.completedSince(now - ACTIVE_PERIOD_MS, MIN_RECENT_DECISIONS),
  }));
  const ranking = rankPublishers(entries, { now: asEpochMs(now), trials: shared.trials });
  return ranking.map(({ publisher, rank, status, evidence, missing }) => ({
    publisher,
    rank,
    status,
    decisions: evidence.decisions,
    sum: evidence.sumUnits,
    e: evidence.eValue,
    e_value: publishedEValue(evidence.eValue),
    number: evidence.trial?.number ?? null,
    since: evidence.sinceTrial,
    further: furtherDecisions(evidence),
    missing,
  }));
}

function toldBy(published: Published): Told {
  const { n, signal, symbol, direction, at, quote } = published;
  return {
    published,
    entryPrice: 0,
    exits: [],
    signal: {
      id: signal,
      publishedN: n,
      symbol: asSymbol(symbol),
      direction,
      order: 'limit',
      publishedAt: asEpochMs(Date.parse(at)),
      filledAt: null,
      closedN: null,
      closingAt: null,
      closedAt: null,
      reason: null,
      pnlR: null,
      rankR: null,
      sources: { accepted: quote.source, filled: null, decided: null, exits: [] },
      gap: false,
      selfSourced: quote.source === `push:${published.publisher}`,
      acceptedOwn: quote.source === `push:${published.publisher}`,
      withdrawn: false,
      maxR: maxR(published),
      entry: 1,
      plannedRisk: 1,
      plannedReward: 1,
      voided: false,
    },
  };
}

function follow(track: TrackRecord, told: Told, record: RankingRecord): void {
  const before = told.signal;
  const own = `push:${told.published.publisher}`;
  switch (record.type) {
    case 'filled': {
      const { source } = record.filled;
      const sources = { ...before.sources, filled: source };
      const selfSourced = before.selfSourced || source === own;
      told.entryPrice = ticks(record.entry_price);
      told.signal = { ...before, filledAt: asEpochMs(Date.parse(record.filled_at)), sources, selfSourced };
      track.update(told.signal);
      break;
    }
    case 'exited': {
      const { source } = record.decided;
      told.exits.push({ fraction: Math.round(record.fraction * WHOLE), price: ticks(record.price) });
      const sources = { ...before.sources, exits: [...(before.sources.exits ?? []), source] };
      told.signal = { ...before, sources, selfSourced: before.selfSourced || source === own };
      track.update(told.signal);
      break;
    }
    case 'closed': {
      const { source } = record.decided;
      const rankR = record.last_exit ? resultOf(told, ticks(record.last_exit.price)) : 0;
      told.signal = {
        ...before,
        closedN: record.n,
        closingAt: asEpochMs(Date.parse(record.at)),
        closedAt: asEpochMs(Date.parse(record.closed_at)),
        reason: record.reason,
        pnlR: rankR,
        rankR,
        gap: record.gap_from !== undefined,
        sources: { ...before.sources, decided: source },
        selfSourced: before.selfSourced || source === own,
      };
      track.close(told.signal);
      break;
    }
    case 'voided':
      if (before.closedN === null) {
        const closedAt = asEpochMs(Date.parse(record.at));
        const closing = {
          closedN: record.n,
          closingAt: closedAt,
          closedAt,
          reason: 'voided',
          pnlR: 0,
          rankR: 0,
          voided: true,
        };
        told.signal = { ...before, ...closing };
        track.close(told.signal);
      } else {
        track.void(before);
        told.signal = { ...before, voided: true };
      }
  }
}

/** `rank_r` if every target is reached. */
function maxR({ direction, entry, stop_loss, take_profit, targets, quote }: Published): number {
  const exits = (targets ?? [{ price: take_profit, fraction: 1 }]).map(({ price, fraction }) => ({
    fraction: Math.round(fraction * WHOLE),
    price: ticks(price),
  }));
  const levels = { direction, entry: ticks(entry), entryPrice: ticks(entry), stopLoss: ticks(stop_loss) };
  const r = rankingR({ ...levels, exits, digits: DIGITS, pipSize: 0.01 }, ticks(quote.ask) - ticks(quote.bid));
  return Math.min(r, MAX_R);
}

/** `rank_r` if everything that is still open exits at `price`, in ticks. */
function resultOf({ published, entryPrice, exits }: Told, price: number): number {
  const { direction, entry, stop_loss, quote } = published;
  const rest = exits.reduce((left, { fraction }) => left - fraction, WHOLE);
  const input = { direction, entry: ticks(entry), entryPrice, stopLoss: ticks(stop_loss) } as const;
  const parts = [...exits, { fraction: rest, price }];
  return rankingR({ ...input, exits: parts, digits: DIGITS, pipSize: 0.01 }, ticks(quote.ask) - ticks(quote.bid));
}
