// The simulated markets as a feed. They are a pure function of time, so a downtime is generated afterwards: as ticks if it was
// short, as minute bars if it was longer, and as a new history if it was very long. A jump of the clock is a downtime too.
import {
  asEpochMs,
  DAY_MS,
  type EpochMs,
  HOUR_MS,
  type MarketSymbol,
  MINUTE_MS,
  type MinuteEvent,
  type PriceEvent,
} from '@tickwire/engine';
import { pauses } from '../../../ops/pauses.ts';
import type { Feed, FeedSink, FeedStatus } from '../feed.ts';
import { simMinutes } from './sim-history.ts';
import type { SimMarket } from './sim-market.ts';

/** Interval of live steps. */
export const STEP_MS = 10;
/** Ticks generated when catching up. There is one trade for every two quotes. */
const CATCH_UP_EVENTS = 300_000;
const EVENTS_PER_QUOTE = 1.5;
/** If one minute has more ticks than this, its start is left out and declared as a gap. */
const MAX_EVENTS = 600_000;
/** A longer step is a downtime, for example if the machine was suspended. */
const DOWNTIME_MS = MINUTE_MS;
/** After a longer downtime a new history is written instead of filling in every minute. */
export const MAX_FILL_MS = 7 * DAY_MS;
/** Events per batch while catching up. */
const CHUNK = 20_000;
/** Minutes of this time are made and stored before the next ones. */
const FILLED_AT_ONCE_MS = 2 * HOUR_MS;
/** Wait after a failure to catch up. */
const RETRY_MS = 5_000;

/** There is no connection that could be lost. */
const NO_INCIDENTS = {
  connects: 1,
  disconnects: 0,
  duplicates: 0,
  backfilled: 0,
  gaps: 0,
  invalidMessages: 0,
};

export interface SimFeedOptions {
  readonly market: SimMarket;
  readonly sink: FeedSink;
  readonly now: () => number;
  /** Resolves when everything so far is stored, or cannot be. */
  readonly stored: () => Promise<void>;
  /** Writes a new history up to about now. Returns from where ticks follow. */
  readonly renew: (from: EpochMs) => Promise<EpochMs>;
}

export class SimFeed implements Feed {
  readonly #options: SimFeedOptions;
  readonly #symbols: readonly MarketSymbol[];
  #at = 0 as EpochMs;
  #lastEventAt = 0;
  #timer: ReturnType<typeof setInterval> | null = null;
  #stopped = false;
  #catchingUp = false;
  #lastError: string | null = null;
  #retryAt = 0;

  constructor(options: SimFeedOptions) {
    this.#options = options;
    this.#symbols = options.market.model.instruments.map(({ spec }) => spec.symbol);
  }

  /** The start of the first minute from which at most about `events` ticks lead up to `now`. */
  static catchUpStart(rate: number, now: number, events = CATCH_UP_EVENTS): EpochMs {
    const from = Math.min(now, now - durationOf(events, rate) + MINUTE_MS);
    return asEpochMs(from - (from % MINUTE_MS));
  }

  /** Generates everything from `from` until now. Nothing else is emitted meanwhile. */
  async catchUp(from: EpochMs): Promise<void> {
    const { market, sink, now, renew } = this.#options;
    this.#catchingUp = true;
    try {
      this.#at = now() - from > MAX_FILL_MS ? await renew(from) : from;
      // Read the clock once: generating takes a while, and the time since then belongs to the first live step.
      const to = asEpochMs(now());
      const ticksFrom = SimFeed.catchUpStart(market.options.rate, to);
      if (this.#at < ticksFrom) await this.fill(this.#at, ticksFrom);
      const earliest = asEpochMs(to - durationOf(MAX_EVENTS, market.options.rate));
      if (this.#at < earliest) {
        sink.accept([{ kind: 'gap', symbols: this.#symbols, from: this.#at, to: earliest, time: to }]);
        this.#at = earliest;
      }
      await this.#generate(this.#at, to);
    } finally {
      this.#catchingUp = false;
    }
  }

  /** Generates a period as minute bars. The minute in which the service stopped gets the rest of its ticks. */
  async fill(from: EpochMs, to: EpochMs): Promise<void> {
    const { market, sink, stored } = this.#options;
    const nextMinute = asEpochMs(Math.ceil(from / MINUTE_MS) * MINUTE_MS);
    if (nextMinute - from <= durationOf(CATCH_UP_EVENTS, market.options.rate)) await this.#generate(from, nextMinute);
    this.#at = nextMinute;
    const pause = pauses();
    while (this.#at < to) {
      const end = asEpochMs(Math.min(to, this.#at + FILLED_AT_ONCE_MS));
      sink.fill(minutesOf(market, this.#at, end));
      this.#at = end;
      await stored();
      await pause();
      this.#rejectStopped();
    }
  }

  start(): void {
    this.#timer = setInterval(() => this.step(this.#options.now()), STEP_MS);
  }

  stop(): void {
    if (this.#timer) clearInterval(this.#timer);
    this.#timer = null;
    this.#stopped = true;
  }

  status(): FeedStatus {
    return {
      name: 'sim',
      state: this.#timer
        ? this.#catchingUp || this.#lastError
          ? 'waiting'
          : 'live'
        : this.#at > 0
          ? 'stopped'
          : 'starting',
      lastEventAt: this.#lastEventAt,
      symbols: this.#symbols,
      ...NO_INCIDENTS,
      lastError: this.#lastError,
    };
  }

  /** Emits everything that happened before `now`. Returns false while that takes longer. */
  step(now: number): boolean {
    if (this.#catchingUp || performance.now() < this.#retryAt) return false;
    if (now - this.#at > DOWNTIME_MS) {
      void this.catchUp(this.#at).then(
        () => {
          this.#lastError = null;
        },
        (error: Error) => {
          this.#lastError = error.message;
          this.#retryAt = performance.now() + RETRY_MS;
        },
      );
      return false;
    }
    const to = asEpochMs(now);
    this.#emit(this.#options.market.collect(this.#at, to));
    this.#at = asEpochMs(Math.max(this.#at, to));
    return true;
  }

  /** Emits ticks in batches. */
  async #generate(from: EpochMs, to: EpochMs): Promise<void> {
    const pause = pauses();
    let chunk: PriceEvent[] = [];
    for (const event of this.#options.market.events(from, to)) {
      chunk.push(event);
      if (chunk.length < CHUNK) continue;
      this.#emit(chunk);
      chunk = [];
      await pause();
      this.#rejectStopped();
    }
    this.#emit(chunk);
    this.#at = asEpochMs(Math.max(from, to));
  }

  /** What is missing then is generated after the next start. */
  #rejectStopped(): void {
    if (this.#stopped) throw new Error('the feed was stopped');
  }

  #emit(events: PriceEvent[]): void {
    if (events.length === 0) return;
    this.#lastEventAt = events.at(-1)!.time;
    this.#options.sink.accept(events);
  }
}

/** The time in milliseconds in which this many events happen. */
const durationOf = (events: number, rate: number): number => (events / (rate * EVENTS_PER_QUOTE)) * 1000;

function* minutesOf(market: SimMarket, from: EpochMs, to: EpochMs): Generator<MinuteEvent> {
  for (const { symbol, bars } of simMinutes(market, from, to))
    for (const bar of bars) yield { kind: 'minute', symbol, bar };
}
