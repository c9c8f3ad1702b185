// Fetches bars of the past from venues: at the first start of an instrument, and after a downtime whose trades are lost. The bars
// go to the store together with the ranges they came from, which are where the next run continues, and as `history` events to the
// bars in memory. Live ticks never wait for them.
import {
  asEpochMs,
  type Bar,
  type InstrumentSpec,
  LATE_WINDOW_MS,
  type MarketSymbol,
  MINUTE_MS,
} from '@tickwire/engine';
import type { VenueConnector } from '../../market/feeds/connector.ts';
import { failureOf } from '../../market/feeds/failure.ts';
import type { HistoryStatus } from '../../market/feeds/feed.ts';
import type { FeedSet } from '../../market/feeds/open-feeds.ts';
import type { VenueBarLength } from '../../market/feeds/venues/venue.ts';
import { VENUE_BAR_MS } from '../../market/feeds/venues/venue-bars.ts';
import type { Log } from '../../ops/log.ts';
import { backOffMs } from '../../work/back-off.ts';
import type { TimeRange } from '../write/covered-ranges.ts';
import { EmptyAnswers } from './empty-answers.ts';
import { LOST_FOR_MS, readLost, storeLost } from './lost-ranges.ts';
import {
  CLOCK_TOLERANCE_MS,
  countBars,
  HISTORY_LEVELS,
  isLongPause,
  levelsAt,
  merged,
  missingRanges,
  nextRequest,
  provesStart,
  within,
  without,
} from './plan.ts';
import { type FetchedSink, publishFetched } from './publish-fetched.ts';

/** Instruments of a venue that are fetched at the same time; each has one request under way. */
const PARALLEL = 4;
/** Pauses after failed requests, of an instrument and of a venue. */
const RETRY = { firstMs: 2_000, maxMs: 10 * MINUTE_MS };
/** After this many failures in a row, a venue is left alone by all its instruments. */
const VENUE_FAILURES = 3;
/** Somebody waits for the bars of an instrument that was read less than this ago. */
const ASKED_FOR_MS = MINUTE_MS;

export interface VenueHistoryOptions extends FetchedSink {
  readonly instruments: readonly InstrumentSpec[];
  readonly feeds: Pick<FeedSet, 'historyOf' | 'connected'>;
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
  plan: {
    readonly venue: VenueState;
    readonly until: number;
    /** Empty answers that were left out. */
    readonly waiting: number;
    readonly missing: readonly TimeRange[];
  } | null;
  readonly empty: EmptyAnswers;
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
    if (!subject) return;
    const isNew = !this.#isAsked(subject);
    subject.askedAt = this.#options.now();
    if (isNew && subject.isConnected) for (const { venue } of subject.sources) this.#startJobs(venue);
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
    const { now, store, log } = this.#options;
    const oldest = now() - LOST_FOR_MS;
    const changed = new Map<MarketSymbol, readonly TimeRange[]>();
    for (const symbol of symbols) {
      const subject = this.#subjects.get(symbol);
      if (!subject) continue;
      subject.until = Math.max(subject.until, firstWhole(to));
      if (to > from) {
        const [minutes] = subject.levels;
        const open = without(subject.lost, minutes!.requested).filter((range) => range.to > oldest);
        subject.lost = merged([...open, { from, to }]);
        changed.set(symbol, subject.lost);
      }
      for (const level of subject.levels) level.plan = null;
      if (subject.isConnected) this.#interrupt(subject);
    }
    if (changed.size === 0) return;
    const storing = storeLost(store, changed);
    this.#whileStoring(storing).catch((error: unknown) => log.warn('lost minutes could not be noted', { error }));
  }

  /** Starts no more requests, and waits until what has arrived is stored. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.allSettled(this.#storing);
  }

  /** Adds an instrument whose bars are fetched at once. */
  async add(spec: InstrumentSpec): Promise<void> {
    await this.#add(spec);
    this.asked(spec.symbol);
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
      const requested = merged(shorter);
      return { length, requested, requests: 0, bars: 0, plan: null, empty: new EmptyAnswers(), logged: true };
    });
    const lost = await readLost(store, symbol, now());
    const isNew = watched.length === 0;
    this.#subjects.set(symbol, {
      ...{ spec, sources, levels, watched, lost, until: firstWhole(now()), isNew },
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
    const waiting = level.empty.waiting(time);
    if (level.plan?.until !== end || level.plan.venue !== venue || level.plan.waiting !== waiting.length) {
      const range = levelsAt(time, end, venue.connector.oldestBar)[level.length];
      const known = [...without(subject.watched, subject.lost), ...level.requested, ...waiting];
      level.plan = { venue, until: end, waiting: waiting.length, missing: missingRanges(range, level.length, known) };
    }
    return level.plan.missing;
  }

  #isAsked({ askedAt }: Subject): boolean {
    return this.#options.now() - askedAt < ASKED_FOR_MS;
  }

  #startJobs(venue: VenueState): void {
    while (!this.#stopped && venue.running < PARALLEL && this.#options.now() >= venue.retryAt) {
      const job = this.#nextJob(venue);
      if (!job) return;
      // Another request would only wait behind those that wait already, and later it is known better what is asked for.
      if (venue.connector.isBusy?.() && !this.#isAsked(job.subject)) return;
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

  /** Instruments that were asked for come first, then each of the others gets its newest bars of every level before older ones. */
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
        const range = nextRequest(missing, level.length, venue.connector.barsPerRequest);
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
      const isBackground = !this.#isAsked(subject) && ({ isBackground: true } as const);
      const bars = await venue.connector.fetchBars!({ symbol: spec.symbol, length, from, to, ...isBackground });
      if (this.#stopped) return;
      const isBeforeOldest = bars.length === 0 && (await this.#isBeforeOldest(subject, level, range.to));
      // The store may be closed by now.
      if (this.#stopped) return;
      const isStart = bars.length === 0 && (isBeforeOldest || provesStart(range, length, 0));
      const aside = { from: isStart ? 0 : range.from, to: range.to };
      level.plan = null;
      const isBelieved = bars.length > 0 || isBeforeOldest || level.empty.note(aside, now());
      // A venue that keeps few bars may have dropped the oldest meanwhile.
      const oldest = venue.connector.oldestBar?.(length, asEpochMs(now())) ?? 0;
      const asked = isStart ? within(this.#missing(subject, level), aside) : missing;
      const first = Math.ceil(oldest / VENUE_BAR_MS[length]) * VENUE_BAR_MS[length];
      const ranges = within(asked, { from: first, to: range.to });
      if (isBelieved) {
        level.empty.forget(aside);
        await this.#store(spec, level, bars, ranges);
      }
      level.requests++;
      level.bars += bars.length;
      venue.barsFetched += bars.length;
      venue.failures = source.failures = 0;
      venue.lastError = null;
    } catch (error) {
      const { text: reason } = failureOf(error, venue.connector.name);
      const how = venue.lastError === reason ? 'debug' : 'warn';
      venue.lastError = reason;
      const waitMs = backOffMs(++source.failures, RETRY);
      source.retryAt = now() + waitMs;
      venue.retryAt = now() + backOffMs(++venue.failures, RETRY);
      const facts = { feed: venue.connector.name, symbol: spec.symbol, timeframe: length };
      log[how]('bars of the past could not be fetched', { ...facts, reason, again_in_ms: waitMs });
    }
  }

  /** Whether the venue has said before that it has no bars for a long time from here on: then it has no older ones. */
  async #isBeforeOldest({ spec: { symbol }, levels }: Subject, level: Level, time: number): Promise<boolean> {
    const { store, now } = this.#options;
    const range = { symbol, timeframe: level.length, from: time, to: now(), limit: 1, first: 'oldest' } as const;
    const [oldest] = await store.bars(range);
    if (!oldest || !isLongPause({ from: time, to: oldest.time })) return false;
    const known = levels.slice(0, levels.indexOf(level) + 1).flatMap(({ requested }) => requested);
    return without([{ from: time, to: oldest.time }], known).length === 0;
  }

  async #store(spec: InstrumentSpec, level: Level, bars: readonly Bar[], ranges: readonly TimeRange[]): Promise<void> {
    await this.#whileStoring(publishFetched(this.#options, { spec, length: level.length, bars, ranges }));
    level.requested = merged([...level.requested, ...ranges]);
    level.plan = null;
  }

  /** `stop` waits for it. */
  async #whileStoring(work: Promise<void>): Promise<void> {
    this.#storing.add(work);
    await work.finally(() => this.#storing.delete(work));
  }

  #logEnd({ spec }: Subject, venue: VenueState, level: Level): void {
    if (level.logged) return;
    level.logged = true;
    const { length, requests, bars } = level;
    const facts = { feed: venue.connector.name, symbol: spec.symbol, timeframe: length, bars, requests };
    this.#options.log.info('fetched bars of the past', facts);
  }
}

function isBefore(subject: Subject, level: Level, { subject: other, level: otherLevel }: Job): boolean {
  if (subject.askedAt !== other.askedAt) return subject.askedAt > other.askedAt;
  // What is read grows into the past without holes: the levels are in this order already.
  if (subject.askedAt > 0) return false;
  return level.requests < otherLevel.requests;
}

/** The first minute that is recorded from its beginning by a connection at this time. */
const firstWhole = (time: number): number => (Math.floor((time + CLOCK_TOLERANCE_MS) / MINUTE_MS) + 1) * MINUTE_MS;
