// The track record of every publisher: restored from the store at start, then updated from the journal.
import type { PublisherDetail, TrackRecord as WireRecord } from '@tickwire/contract';
import { asEpochMs, rankPublishers, type SignalOutcome, TrackRecord, type TrackSummary } from '@tickwire/engine';
import type { Batch } from '../journal/journal.ts';
import type { SignalStore } from '../store/signal-store.ts';
import { iso } from './log-records.ts';

export interface TrackRecordsOptions {
  readonly store: SignalStore;
  readonly nameOf: (publisher: string) => string | undefined;
}

export class TrackRecords {
  readonly #options: TrackRecordsOptions;
  readonly #records = new Map<string, TrackRecord>();
  /** Cached until the next signal event, because ranking all publishers is expensive. Names may have changed since. */
  #ranking: WireRecord[] | null = null;

  constructor(options: TrackRecordsOptions) {
    this.#options = options;
  }

  async restore(): Promise<void> {
    const outcomes = await this.#options.store.outcomes();
    this.#records.clear();
    this.#ranking = null;
    const add = (publisher: string, outcome: SignalOutcome): void => this.#of(publisher).add(outcome);
    for (const { publisher, symbol, publishedAt } of outcomes) {
      const at = asEpochMs(publishedAt);
      add(publisher, { ...ACTIVE, symbol, publishedAt: at });
    }
    const closed = outcomes.filter(({ closedN }) => closedN !== null).sort((a, b) => a.closedN! - b.closedN!);
    for (const {
      publisher,
      symbol,
      publishedAt,
      filledAt,
      closedAt,
      reason,
      pnlR,
      gap,
      selfSourced,
      voided,
    } of closed) {
      add(publisher, {
        symbol,
        publishedAt: asEpochMs(publishedAt),
        filledAt: filledAt === null ? null : asEpochMs(filledAt),
        closedAt: asEpochMs(closedAt!),
        reason: reason as SignalOutcome['reason'],
        pnlR,
        ranked: !gap && !selfSourced && !voided,
      });
    }
  }

  readonly read = ({ events }: Batch): void => {
    for (const event of events) {
      if (event.kind === 'signal') {
        const { symbol, publisher, signal } = event;
        this.#of(publisher).add({ ...ACTIVE, symbol, publishedAt: asEpochMs(Date.parse(signal.timestamp)) });
      } else if (event.kind === 'signal_closed') {
        const { symbol, publisher, filledAt, facts, signal } = event;
        if (signal.close_reason === 'voided') {
          // It may have been counted as closed before.
          void this.restore().catch(() => {});
          continue;
        }
        this.#of(publisher).add({
          symbol,
          publishedAt: asEpochMs(Date.parse(signal.timestamp)),
          filledAt,
          closedAt: asEpochMs(Date.parse(signal.closed_at)),
          reason: signal.close_reason,
          pnlR: signal.pnl_r,
          ranked: !facts.gap && !facts.selfSourced,
        });
      } else continue;
      this.#ranking = null;
    }
  };

  /** Ranked publishers first. */
  list(limit: number): WireRecord[] {
    return this.#ranked()
      .slice(0, limit)
      .map((each) => this.#named(each));
  }

  /** By public id; undefined if the account has published nothing. */
  detail(publisher: string): PublisherDetail | undefined {
    const record = this.#records.get(publisher);
    const summary = this.#ranked().find((each) => each.publisher === publisher);
    if (!record || !summary) return undefined;
    return {
      ...this.#named(summary),
      equity: record.equity().map(({ at, r, totalR }) => ({ at: iso(at), r, total_r: totalR })),
      instruments: record.instruments().map((each) => ({
        symbol: each.symbol,
        signals: each.rankedSignals,
        wins: each.wins,
        losses: each.losses,
        total_r: each.totalR,
        average_r: each.averageR,
        win_rate: each.winRate,
      })),
    };
  }

  #ranked(): WireRecord[] {
    if (this.#ranking) return this.#ranking;
    const contenders = [...this.#records].map(([publisher, record]) => ({
      publisher,
      name: this.#options.nameOf(publisher) ?? publisher,
      summary: record.summary(),
    }));
    this.#ranking = rankPublishers(contenders).map(({ name, publisher, rank, summary }) => ({
      name,
      publisher,
      rank,
      ...toWireRecord(summary),
    }));
    return this.#ranking;
  }

  /** With the current name: an account may have been renamed or deleted. */
  #named(record: WireRecord): WireRecord {
    const name = this.#options.nameOf(record.publisher) ?? record.publisher;
    return name === record.name ? record : { ...record, name };
  }

  #of(publisher: string): TrackRecord {
    let record = this.#records.get(publisher);
    if (!record) {
      record = new TrackRecord();
      this.#records.set(publisher, record);
    }
    return record;
  }
}

const ACTIVE = { filledAt: null, closedAt: null, reason: null, pnlR: null, ranked: true } as const;

const toWireRecord = (summary: TrackSummary): Omit<WireRecord, 'name' | 'publisher' | 'rank'> => ({
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
  first_at: summary.firstAt === null ? null : iso(summary.firstAt),
  last_at: summary.lastAt === null ? null : iso(summary.lastAt),
});
