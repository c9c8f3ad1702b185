// The track record of every publisher, built from the records of the log: restored at start, then updated with the records that
// the journal has announced. The ranking is computed when it is asked for, because it depends on the current prices.
import {
  iso,
  type LogRecord,
  MARK_WINDOW_MINUTES,
  type OpenedRecord,
  type PublisherDetail,
  type PublisherList,
  type PublishersQuery,
} from '@tickwire/contract';
import {
  ACTIVE_PERIOD_MS,
  asEpochMs,
  type ClosedTimes,
  type EquityPoint,
  type IsTrusted,
  type Mark,
  type MarkOf,
  MIN_RECENT_DECISIONS,
  type RankingSignal,
  rankPublishers,
  type SharedLog,
  type Standing,
  sharedLog,
  TrackRecord,
} from '@tickwire/engine';
import { type Batch, isSignalEvent } from '../journal/journal.ts';
import { pauses } from '../ops/pauses.ts';
import type { SignalStore } from '../store/signal-store.ts';
import { parseRecord } from './log-records.ts';
import { ActiveSignalEntry, type MarketPrices } from './ranking-signals.ts';
import { pageOf, type RankedRecord, toFigures, toProgress, toWireRecord } from './track-record-list.ts';

/** Records per query. */
const PAGE = 1_000;
/** How long a ranking is used while no signal is published or closed: prices move meanwhile. */
const RANKING_MS = 1_000;

export interface TrackRecordsOptions {
  readonly store: Pick<SignalStore, 'log' | 'records'>;
  readonly nameOf: (publisher: string) => string | undefined;
  /** Whether prices of a source count. */
  readonly isTrusted: IsTrusted;
}

/** What the valuation of open signals needs. */
export interface Valuation {
  readonly market: MarketPrices;
  /** Wall clock; in a replay, market time is used instead. */
  readonly now: number;
}

export type PublicStanding = Pick<PublisherDetail, 'name' | 'status' | 'rank' | 'decisions'>;

export class TrackRecords {
  readonly #options: TrackRecordsOptions;
  readonly isTrusted: IsTrusted;
  readonly #records = new Map<string, TrackRecord>();
  /** Active signals by id. */
  readonly #active = new Map<string, ActiveSignalEntry>();
  #realm: OpenedRecord['realm'] = 'live';
  /** Every record up to this number is included. */
  #includedN = -1;
  /** The newest record number that the journal has announced. */
  #announcedN = -1;
  #loading: Promise<void> = Promise.resolve();
  #shared: SharedLog;
  /** Publishers without open signals, as of their last records: prices do not change them. */
  readonly #settled = new Map<string, Omit<RankedRecord, keyof Standing>>();
  #ranking: { readonly at: number; readonly records: readonly RankedRecord[] } | null = null;

  constructor(options: TrackRecordsOptions) {
    this.#options = options;
    this.isTrusted = options.isTrusted;
    this.#shared = sharedLog(options.isTrusted, this.#isSimulated);
  }

  restore(): Promise<void> {
    return this.#exclusively(async () => {
      const [opened] = await this.#options.store.log(-1, 1);
      if (opened) this.#realm = parseRecord<OpenedRecord>(opened).realm;
      this.#shared = sharedLog(this.isTrusted, this.#isSimulated);
      this.#records.clear();
      this.#active.clear();
      this.#settled.clear();
      this.#includedN = -1;
      await this.#load();
    });
  }

  readonly read = ({ events }: Batch): void => {
    for (const event of events) if (isSignalEvent(event)) this.#announcedN = Math.max(this.#announcedN, event.n);
  };

  async list(query: PublishersQuery, valuation: Valuation): Promise<PublisherList> {
    const ranking = await this.#ranked(valuation);
    const nameOf = (publisher: string): string => this.#nameOf(publisher);
    const { items, total, next } = await pageOf(ranking, query, nameOf, this.#now(valuation));
    return { items, count: items.length, total, next, time_waived: this.#isSimulated };
  }

  /**
   * By public id; undefined if the account has published nothing. With `isNearEvent`, also the figures of the signals near
   * calendar events, and of all others.
   */
  async detail(
    publisher: string,
    riskPercent: number,
    valuation: Valuation,
    isNearEvent?: (closed: ClosedTimes) => boolean,
  ): Promise<PublisherDetail | undefined> {
    const ranked = (await this.#ranked(valuation)).find((each) => each.publisher === publisher);
    if (!ranked) return undefined;
    const { record, openR } = ranked;
    const wire = toWireRecord(ranked, this.#nameOf(publisher));
    const open = [...this.#active.values()].filter(
      ({ isFilled, published }) => isFilled && published.publisher === publisher,
    );
    return {
      ...wire,
      progress: toProgress(ranked.evidence, this.#shared.trials.numberAt(asEpochMs(this.#now(valuation)))),
      equity: record.equity().map(toWirePoint),
      equity_now: {
        at: iso(this.#now(valuation)),
        total_r: Math.round((wire.total_r + openR) * 1e4) / 1e4,
        open: open.length,
      },
      risk: riskPercent,
      months: record.months(riskPercent),
      instruments: record.instruments().map(({ symbol, ...summary }) => ({ symbol, ...toFigures(summary) })),
      ...(isNearEvent && {
        windows: {
          minutes: MARK_WINDOW_MINUTES,
          inside: toFigures(record.figures({ includes: isNearEvent, active: false })),
          outside: toFigures(record.figures({ includes: (closed) => !isNearEvent(closed) })),
        },
      }),
    };
  }

  /** The summary of a badge; undefined if the account has published nothing. */
  async standing(publisher: string, valuation: Valuation): Promise<PublicStanding | undefined> {
    const ranked = (await this.#ranked(valuation)).find((each) => each.publisher === publisher);
    if (!ranked) return undefined;
    const { status, rank, evidence } = ranked;
    return { name: this.#nameOf(publisher), status, rank, decisions: evidence.decisions };
  }

  /** The complete equity curve; undefined if the account has published nothing. */
  async equity(publisher: string): Promise<PublisherDetail['equity'] | undefined> {
    await this.#catchUp();
    return this.#records.get(publisher)?.fullEquity().map(toWirePoint);
  }

  get #isSimulated(): boolean {
    return this.#realm !== 'live';
  }

  #now({ market, now }: Valuation): number {
    return this.#realm === 'replay' ? market.time : now;
  }

  #nameOf(publisher: string): string {
    return this.#options.nameOf(publisher) ?? publisher;
  }

  async #ranked(valuation: Valuation): Promise<readonly RankedRecord[]> {
    await this.#catchUp();
    if (!this.#ranking || Math.abs(valuation.now - this.#ranking.at) > RANKING_MS)
      this.#ranking = { at: valuation.now, records: this.#rank(valuation) };
    return this.#ranking.records;
  }

  #rank(valuation: Valuation): RankedRecord[] {
    const now = asEpochMs(this.#now(valuation));
    const marks = new Map<string, Mark | null>();
    const markOf: MarkOf = ({ id }) => {
      if (!marks.has(id)) marks.set(id, this.#active.get(id)?.mark(valuation.market, this.isTrusted) ?? null);
      return marks.get(id)!;
    };
    const entries = [...this.#records].map(([publisher, record]) => {
      const marked = this.#settled.get(publisher) ?? { publisher, record, ...record.marked(markOf) };
      if (marked.exposure.length === 0) this.#settled.set(publisher, marked);
      return { ...marked, recentDecisions: record.completedSince(now - ACTIVE_PERIOD_MS, MIN_RECENT_DECISIONS) };
    });
    return rankPublishers(entries, { now, trials: this.#shared.trials });
  }

  /** Includes everything that the journal has announced. */
  async #catchUp(): Promise<void> {
    if (this.#announcedN > this.#includedN) await this.#exclusively(() => this.#load());
  }

  #exclusively(work: () => Promise<void>): Promise<void> {
    const done = this.#loading.then(work);
    this.#loading = done.catch(() => {});
    return done;
  }

  async #load(): Promise<void> {
    const { store } = this.#options;
    const pause = pauses();
    for (;;) {
      const page = await store.log(this.#includedN, PAGE);
      for (const stored of page) {
        const record = parseRecord<LogRecord>(stored);
        // Read first: if the store fails, the record is read again.
        const closed =
          record.type === 'voided' && !this.#active.has(record.signal) ? await this.#closed(record.signal) : null;
        this.#includedN = record.n;
        this.#ranking = null;
        this.#apply(record, closed);
        const turn = pause();
        if (turn) await turn;
      }
      if (page.length < PAGE) return;
    }
  }

  /** `closed`: the signal of a void as it was when it closed, if it had closed before. */
  #apply(record: LogRecord, closed: RankingSignal | null): void {
    switch (record.type) {
      case 'published': {
        const entry = new ActiveSignalEntry(record);
        this.#active.set(record.signal, entry);
        this.#of(record.publisher).publish(entry.toRankingSignal());
        return;
      }
      case 'filled':
      case 'exited': {
        const entry = this.#active.get(record.signal)!;
        if (record.type === 'filled') entry.fill(record);
        else entry.exit(record);
        this.#of(record.publisher).update(entry.toRankingSignal());
        return;
      }
      case 'closed':
      case 'voided':
        if (closed) this.#of(record.publisher).void(closed);
        else this.#of(record.publisher).close(this.#active.get(record.signal)!.toRankingSignal(record));
        this.#active.delete(record.signal);
    }
  }

  /** A signal as it was when it closed. */
  async #closed(id: string): Promise<RankingSignal> {
    const records = (await this.#options.store.records([id])).get(id)!.map((stored) => parseRecord<LogRecord>(stored));
    const entry = new ActiveSignalEntry(records.find((record) => record.type === 'published')!);
    for (const record of records)
      if (record.type === 'filled') entry.fill(record);
      else if (record.type === 'exited') entry.exit(record);
    return entry.toRankingSignal(records.find((record) => record.type === 'closed')!);
  }

  /** For a change: what was computed of it is forgotten. */
  #of(publisher: string): TrackRecord {
    this.#settled.delete(publisher);
    const record = this.#records.get(publisher) ?? new TrackRecord(this.#shared);
    this.#records.set(publisher, record);
    return record;
  }
}

const toWirePoint = ({ at, r, totalR, open }: EquityPoint) => ({ at: iso(at), r, total_r: totalR, open });
