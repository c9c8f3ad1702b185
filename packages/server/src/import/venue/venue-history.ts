// Fetches bars of the past from venues: at the first start of an instrument, and after a downtime whose trades are lost. The bars
// go to the store together with the ranges they came from, which are where the next run continues, and as `history` events to the
// bars in memory. Live ticks never wait for them.
import { TIMEFRAME_MS, TIMEFRAMES } from '@tickwire/contract';
import {
  aggregateBars,
  asEpochMs,
  type Bar,
  DAY_MS,
  type HistoryEvent,
  type InstrumentSpec,
  LATE_WINDOW_MS,
  type MarketSymbol,
  MINUTE_MS,
} from '@tickwire/engine';
import { KEPT_BARS } from '../../market/closed-bars.ts';
import type { VenueConnector } from '../../market/feeds/connector.ts';
import type { HistoryStatus } from '../../market/feeds/feed.ts';
import type { FeedSet } from '../../market/feeds/open-feeds.ts';
import type { VenueBarLength } from '../../market/feeds/venues/venue.ts';
import { VENUE_BAR_MS } from '../../market/feeds/venues/venue-bars.ts';
import type { Intake } from '../../market/intake.ts';
import type { MarketView } from '../../market/market-view.ts';
import type { Recorder } from '../../market/recorder.ts';
import type { Log } from '../../ops/log.ts';
import type { MarketStore } from '../../store/store.ts';
import { backOffMs } from '../../work/back-off.ts';
import type { TimeRange } from '../write/covered-ranges.ts';
import type { ChangedBars } from '../write/longer-bars.ts';
import {
  CLOCK_TOLERANCE_MS,
  countBars,
  HISTORY_LEVELS,
  levelsAt,
  merged,
  missingRanges,
  nextRequest,
  provesStart,
  within,
  without,
} from './plan.ts';
import { writeFetched } from './write-fetched.ts';

/** Instruments of a venue that are fetched at the same time; each has one request under way. */
const PARALLEL = 4;
/** Pauses after failed requests, of an instrument and of a venue. */
const RETRY = { firstMs: 2_000, maxMs: 10 * MINUTE_MS };
/** After this many failures in a row, a venue is left alone by all its instruments. */
const VENUE_FAILURES = 3;
/** Minutes are fetched for seven days; what was lost before needs no bars. */
const LOST_FOR_MS = 8 * DAY_MS;

export interface VenueHistoryOptions {
  readonly instruments: readonly InstrumentSpec[];
  readonly feeds: Pick<FeedSet, 'historyOf' | 'connected'>;
  readonly store: MarketStore;
  readonly view: MarketView;
  readonly recorder: Pick<Recorder, 'drain'>;
  readonly intake: Pick<Intake, 'history'>;
  readonly log: Log;
  readonly now: () => number;
}

interface Level {
  readonly length: VenueBarLength;
  /** Ranges that were fetched, in this run or before. */
  requested: TimeRange[];
  requests: number;
  /** Of this run. */
  bars: number;
  /** What is missing up to a minute; `null` after a change. */
  plan: { readonly venue: VenueState; readonly until: number; readonly missing: readonly TimeRange[] } | null;
  /** Whether its completion was logged. */
  logged: boolean;
}

interface Subject {
  readonly spec: InstrumentSpec;
  /** The venues that offer it, in the order of the configuration: a later one is asked while those before it fail. */
  readonly sources: readonly Source[];
  readonly levels: readonly Level[];
  /** Recorded without a break. */
  watched: readonly TimeRange[];
  /** Recorded, but without trades that are lost. */
  lost: readonly TimeRange[];
  /** Start of the first minute that is recorded from its beginning. */
  until: number;
  /** It was never recorded without a break. Otherwise late trades may still complete the last minutes. */
  isNew: boolean;
  isConnected: boolean;
  /** Minutes were recorded since `watched` was read. */
  isStale: boolean;
  /** When its bars were last asked for; 0: never. */
  askedAt: number;
  isBusy: boolean;
}

interface Source {
  readonly venue: VenueState;
  failures: number;
  retryAt: number;
}

interface VenueState {
  readonly connector: VenueConnector;
  running: number;
  failures: number;
  retryAt: number;
  barsFetched: number;
  lastError: string | null;
}

interface Job {
  readonly subject: Subject;
  readonly source: Source;
  readonly level: Level;
  readonly range: TimeRange;
  readonly missing: readonly TimeRange[];
}

export class VenueHistory {
  readonly #options: VenueHistoryOptions;
  readonly #subjects = new Map<MarketSymbol, Subject>();
  readonly #venues: VenueState[] = [];
  readonly #jobs = new Set<Promise<void>>();
  readonly #storing = new Set<Promise<void>>();
  #stopped = false;

  private constructor(options: VenueHistoryOptions) {
    this.#options = options;
  }

  /** Reads what is known. Requests begin with the first `tick`. */
  static async open(options: VenueHistoryOptions): Promise<VenueHistory> {
    const history = new VenueHistory(options);
    for (const spec of options.instruments) await history.#add(spec);
    return history;
  }

  get status(): HistoryStatus[] {
    return this.#venues.map((venue) => {
      const subjects = [...this.#subjects.values()].filter((subject) => this.#sourceOf(subject).venue === venue);
      const left = subjects.flatMap((subject) =>
        subject.levels.map((level) => countBars(this.#missing(subject, level), level.length)),
      );
      return {
        venue: venue.connector.name,
        barsLeft: left.reduce((sum, bars) => sum + bars, 0),
        barsFetched: venue.barsFetched,
        lastError: venue.lastError,
      };
    });
  }

  /** Whether nothing is missing and no request is under way. */
  get isIdle(): boolean {
    return (
      this.#jobs.size === 0 &&
      [...this.#subjects.values()].every(
        (subject) => !subject.isStale && subject.levels.every((level) => this.#missing(subject, level).length === 0),
      )
    );
  }

  /** Resolves when the requests under way have ended. */
  async idle(): Promise<void> {
    while (this.#jobs.size > 0) await Promise.all(this.#jobs);
  }

  /** The bars of an instrument are being read: they are fetched first. */
  asked(symbol: MarketSymbol): void {
    const subject = this.#subjects.get(symbol);
    if (subject) subject.askedAt = this.#options.now();
  }

  /** Starts requests. Call it every second. */
  tick(): void {
    if (this.#stopped || this.#options.view.time === 0) return;
    const time = this.#options.now();
    const connected = new Set(this.#options.feeds.connected(time));
    for (const subject of this.#subjects.values()) {
      const isConnected = connected.has(subject.spec.symbol);
      if (!isConnected) {
        if (subject.isConnected) this.#interrupt(subject);
        subject.until = firstWhole(time);
      }
      subject.isConnected = isConnected;
      if (isConnected && subject.isStale && !subject.isBusy) this.#work(subject, this.#refresh(subject));
    }
    for (const venue of this.#venues) this.#startJobs(venue);
  }

  /** Trades of some instruments between two times are lost, or may be. */
  lost(symbols: readonly MarketSymbol[], from: number, to: number): void {
    const oldest = this.#options.now() - LOST_FOR_MS;
    for (const symbol of symbols) {
      const subject = this.#subjects.get(symbol);
      if (!subject) continue;
      subject.until = Math.max(subject.until, firstWhole(to));
      if (to > from) subject.lost = merged([...subject.lost.filter((range) => range.to > oldest), { from, to }]);
      for (const level of subject.levels) level.plan = null;
      if (subject.isConnected) this.#interrupt(subject);
    }
  }

  /** Starts no more requests, and waits until what has arrived is stored. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.allSettled(this.#storing);
  }

  async #add(spec: InstrumentSpec): Promise<void> {
    const { feeds, store, now } = this.#options;
    const connectors = feeds.historyOf?.(spec.symbol) ?? [];
    if (connectors.length === 0) return;
    const sources = connectors.map((connector) => ({ venue: this.#venueOf(connector), failures: 0, retryAt: 0 }));
    const { symbol } = spec;
    const watched = await store.watched(symbol, 0, now());
    const fetched = await store.fetched(symbol, 0, now());
    const levels = HISTORY_LEVELS.map((length, at): Level => {
      // A longer bar is not needed where the shorter ones are known.
      const shorter = fetched.filter(({ timeframe }) => HISTORY_LEVELS.indexOf(timeframe) <= at);
      return { length, requested: merged(shorter), requests: 0, bars: 0, plan: null, logged: true };
    });
    const isNew = watched.length === 0;
    this.#subjects.set(symbol, {
      ...{ spec, sources, levels, watched, lost: [], until: firstWhole(now()), isNew },
      ...{ isConnected: false, isStale: false, askedAt: 0, isBusy: false },
    });
  }

  #venueOf(connector: VenueConnector): VenueState {
    let venue = this.#venues.find((each) => each.connector === connector);
    if (!venue) {
      venue = { connector, running: 0, failures: 0, retryAt: 0, barsFetched: 0, lastError: null };
      this.#venues.push(venue);
    }
    return venue;
  }

  /** The first source that does not wait after a failure; the first of all if each does. */
  #sourceOf({ sources }: Subject): Source {
    const time = this.#options.now();
    const isReady = ({ venue, retryAt }: Source): boolean =>
      time >= retryAt && (venue.failures < VENUE_FAILURES || time >= venue.retryAt);
    return sources.find(isReady) ?? sources[0]!;
  }

  #interrupt(subject: Subject): void {
    subject.isNew = false;
    subject.isStale = true;
  }

  /** Reads what was recorded meanwhile. */
  async #refresh(subject: Subject): Promise<void> {
    const { store, now, log } = this.#options;
    subject.isStale = false;
    try {
      subject.watched = await store.watched(subject.spec.symbol, 0, now());
      for (const level of subject.levels) level.plan = null;
    } catch (error) {
      subject.isStale = true;
      log.warn('what was recorded could not be read', { symbol: subject.spec.symbol, error });
    }
  }

  #missing(subject: Subject, level: Level): readonly TimeRange[] {
    const { until, isNew } = subject;
    const { venue } = this.#sourceOf(subject);
    const time = this.#options.now();
    // What can still change is fetched once it cannot, in steps, so that it does not take a request each minute.
    const [wait, step] = isNew ? [0, MINUTE_MS] : [LATE_WINDOW_MS, LATE_WINDOW_MS];
    const closed = time - CLOCK_TOLERANCE_MS - wait;
    const end = closed >= until ? until : closed - (closed % step);
    if (level.plan?.until !== end || level.plan.venue !== venue) {
      const range = levelsAt(time, end, venue.connector.oldestBar)[level.length];
      const known = [...without(subject.watched, subject.lost), ...level.requested];
      level.plan = { venue, until: end, missing: missingRanges(range, level.length, known) };
    }
    return level.plan.missing;
  }

  #startJobs(venue: VenueState): void {
    while (!this.#stopped && venue.running < PARALLEL && this.#options.now() >= venue.retryAt) {
      const job = this.#nextJob(venue);
      if (!job) return;
      venue.running++;
      const running = this.#run(job).finally(() => {
        venue.running--;
      });
      this.#work(job.subject, running);
    }
  }

  /** An instrument has one piece of work at a time. */
  #work(subject: Subject, work: Promise<void>): void {
    subject.isBusy = true;
    const job = work.finally(() => {
      subject.isBusy = false;
      this.#jobs.delete(job);
      for (const venue of this.#venues) this.#startJobs(venue);
    });
    this.#jobs.add(job);
  }

  /** Instruments that were asked for come first, then each gets its newest bars of every level before older ones. */
  #nextJob(venue: VenueState): Job | null {
    const time = this.#options.now();
    let best: Job | null = null;
    for (const subject of this.#subjects.values()) {
      if (subject.isBusy || subject.isStale) continue;
      const source = this.#sourceOf(subject);
      if (source.venue !== venue || time < source.retryAt) continue;
      for (const level of subject.levels) {
        if (best && !isBefore(subject, level, best)) continue;
        const missing = this.#missing(subject, level);
        const range = nextRequest(missing, level.length);
        if (range) best = { subject, source, level, range, missing: within(missing, range) };
        else this.#logEnd(subject, venue, level);
      }
    }
    return best;
  }

  async #run({ subject, source, level, range, missing }: Job): Promise<void> {
    const { spec } = subject;
    const { venue } = source;
    const { length } = level;
    const { log, now } = this.#options;
    level.logged = false;
    try {
      const [from, to] = [asEpochMs(range.from), asEpochMs(range.to)];
      const bars = await venue.connector.fetchBars!({ symbol: spec.symbol, length, from, to });
      if (this.#stopped) return;
      const isStart = provesStart(range, length, bars.length);
      // A venue that keeps few bars may have dropped the oldest meanwhile.
      const oldest = venue.connector.oldestBar?.(length, asEpochMs(now())) ?? 0;
      const asked = isStart ? within(this.#missing(subject, level), { from: 0, to: range.to }) : missing;
      const first = Math.ceil(oldest / VENUE_BAR_MS[length]) * VENUE_BAR_MS[length];
      const ranges = within(asked, { from: first, to: range.to });
      const storing = this.#store(spec, length, bars, ranges);
      this.#storing.add(storing);
      await storing.finally(() => this.#storing.delete(storing));
      level.requested = merged([...level.requested, ...ranges]);
      level.plan = null;
      level.requests++;
      level.bars += bars.length;
      venue.barsFetched += bars.length;
      venue.failures = source.failures = 0;
      venue.lastError = null;
    } catch (error) {
      venue.lastError = error instanceof Error ? error.message : String(error);
      const waitMs = backOffMs(++source.failures, RETRY);
      source.retryAt = now() + waitMs;
      venue.retryAt = now() + backOffMs(++venue.failures, RETRY);
      const facts = { feed: venue.connector.name, symbol: spec.symbol, timeframe: length };
      log.warn('bars of the past could not be fetched', { ...facts, reason: venue.lastError, again_in_ms: waitMs });
    }
  }

  #logEnd({ spec }: Subject, venue: VenueState, level: Level): void {
    if (level.logged) return;
    level.logged = true;
    const { length, requests, bars } = level;
    const facts = { feed: venue.connector.name, symbol: spec.symbol, timeframe: length, bars, requests };
    this.#options.log.info('fetched bars of the past', facts);
  }

  /** Stores fetched bars, with the longer ones that follow from them, and publishes those that memory keeps. */
  async #store(
    spec: InstrumentSpec,
    length: VenueBarLength,
    bars: readonly Bar[],
    ranges: readonly TimeRange[],
  ): Promise<void> {
    const { store, recorder, intake } = this.#options;
    await recorder.drain();
    const closedUntil = this.#closedUntil(spec.symbol);
    const rows = await writeFetched(store, { spec, length, bars, ranges, closedUntil });
    const byTimeframe: ChangedBars = new Map(TIMEFRAMES.map((timeframe) => [timeframe, new Map()]));
    for (const { symbol: _symbol, timeframe, ...bar } of rows) byTimeframe.get(timeframe)!.set(bar.time, bar);
    const event = this.#event(spec.symbol, byTimeframe, closedUntil);
    if (event) intake.history(event);
  }

  /** What has changed among the newest bars; `null` if nothing has. Nothing waits from here until the event is in the journal. */
  #event(symbol: MarketSymbol, changed: ChangedBars, before: number): HistoryEvent | null {
    const { view } = this.#options;
    const now = this.#closedUntil(symbol);
    const day = before - (before % DAY_MS);
    const bars: { [K in (typeof TIMEFRAMES)[number]]?: Bar[] } = {};
    let shorter: Map<number, Bar> = new Map();
    const touchesDay = [...changed.values()].some((fresh) => [...fresh.keys()].some((time) => time >= day));
    for (const timeframe of TIMEFRAMES) {
      const length = TIMEFRAME_MS[timeframe];
      const fresh = changed.get(timeframe)!;
      const known = new Map(fresh);
      // The bars of the day make the forming ones; those of the late window can still change.
      const from = Math.min(day, now - LATE_WINDOW_MS - length);
      const kept = view.closedBars(symbol, timeframe).newest(KEPT_BARS);
      if (touchesDay) for (const bar of kept) if (bar.time >= from && !known.has(bar.time)) known.set(bar.time, bar);
      // A longer bar that closed while the bars were stored lacks them.
      const bucket = before - (before % length);
      if (touchesDay && length > MINUTE_MS && bucket < before && bucket + length <= now) {
        const made = aggregateBars(
          bucket,
          sorted(shorter).filter(({ time }) => time >= bucket && time < bucket + length),
        );
        if (made) known.set(bucket, made);
      }
      shorter = known;
      const oldest = kept.length < KEPT_BARS ? 0 : kept[0]!.time;
      const newest = sorted(known).filter(({ time }) => time >= oldest && time + length <= now);
      if (newest.length > 0) bars[timeframe] = newest.slice(-KEPT_BARS);
    }
    return Object.keys(bars).length === 0 ? null : { kind: 'history', symbol, bars };
  }

  /** Start of the forming minute: bars that end by then are closed. */
  #closedUntil(symbol: MarketSymbol): number {
    const { view } = this.#options;
    return Math.max(view.time - (view.time % MINUTE_MS), view.forming(symbol, '1m')?.time ?? 0);
  }
}

function isBefore(subject: Subject, level: Level, { subject: other, level: otherLevel }: Job): boolean {
  if (subject.askedAt !== other.askedAt) return subject.askedAt > other.askedAt;
  return level.requests < otherLevel.requests;
}

/** The first minute that is recorded from its beginning by a connection at this time. */
const firstWhole = (time: number): number => (Math.floor((time + CLOCK_TOLERANCE_MS) / MINUTE_MS) + 1) * MINUTE_MS;
const sorted = (bars: ReadonlyMap<number, Bar>): Bar[] => [...bars.values()].sort((a, b) => a.time - b.time);
