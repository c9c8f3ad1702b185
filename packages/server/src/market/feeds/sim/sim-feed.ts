// The simulated markets as a feed. They are a pure function of time, so a downtime is generated afterwards: as ticks if it was
// short, as minute bars if it was longer.
import { asEpochMs, type EpochMs, type MarketSymbol, MINUTE_MS, type MinuteEvent } from '@tickwire/engine';
import type { Feed, FeedSink, FeedStatus } from '../feed.ts';
import { simMinutes } from './sim-history.ts';
import type { SimEvent, SimMarket } from './sim-market.ts';

/** Interval of live steps. */
export const STEP_MS = 10;
/** Ticks generated when catching up. There is one trade for every two quotes. */
const CATCH_UP_EVENTS = 300_000;
const EVENTS_PER_QUOTE = 1.5;
/** If one minute has more ticks than this, its start is left out and declared as a gap. */
const MAX_EVENTS = 600_000;
/** A longer step is a downtime, for example if the machine was suspended. */
const DOWNTIME_MS = MINUTE_MS;
/** Events per batch while catching up. */
const CHUNK = 20_000;

/** There is no connection that could be lost. */
const NO_INCIDENTS = {
  connects: 1,
  disconnects: 0,
  duplicates: 0,
  backfilled: 0,
  gaps: 0,
  complaints: 0,
  lastError: null,
};

export interface SimFeedOptions {
  readonly market: SimMarket;
  readonly sink: FeedSink;
  readonly now: () => number;
}

export class SimFeed implements Feed {
  readonly #options: SimFeedOptions;
  readonly #symbols: readonly MarketSymbol[];
  #at = 0 as EpochMs;
  #lastEventAt = 0;
  #timer: ReturnType<typeof setInterval> | null = null;

  constructor(options: SimFeedOptions) {
    this.#options = options;
    this.#symbols = options.market.model.instruments.map(({ spec }) => spec.symbol);
  }

  /** The start of the first minute from which at most about `events` ticks lead up to `now`. */
  static catchUpStart(rate: number, now: number, events = CATCH_UP_EVENTS): EpochMs {
    const from = Math.min(now, now - durationOf(events, rate) + MINUTE_MS);
    return asEpochMs(from - (from % MINUTE_MS));
  }

  /** Generates everything from `from` until now. */
  catchUp(from: EpochMs): void {
    const { market, sink, now } = this.#options;
    // Read the clock once: generating takes a while, and the time since then belongs to the first live step.
    const to = asEpochMs(now());
    const ticksFrom = SimFeed.catchUpStart(market.options.rate, to);
    let at = from;
    if (from < ticksFrom) {
      this.fill(from, ticksFrom);
      at = ticksFrom;
    }
    const earliest = asEpochMs(to - durationOf(MAX_EVENTS, market.options.rate));
    if (at < earliest) {
      sink.accept([{ kind: 'gap', symbols: this.#symbols, from: at, to: earliest, time: to }]);
      at = earliest;
    }
    this.#generate(at, to);
    this.#at = asEpochMs(Math.max(at, to));
  }

  /** Generates a period as minute bars. The minute in which the service stopped gets the rest of its ticks. */
  fill(from: EpochMs, to: EpochMs): void {
    const { market, sink } = this.#options;
    const nextMinute = asEpochMs(Math.ceil(from / MINUTE_MS) * MINUTE_MS);
    if (nextMinute - from <= durationOf(CATCH_UP_EVENTS, market.options.rate)) this.#generate(from, nextMinute);
    sink.fill(minutesOf(market, nextMinute, to));
  }

  start(): void {
    this.#timer = setInterval(() => this.step(this.#options.now()), STEP_MS);
  }

  stop(): void {
    if (this.#timer) clearInterval(this.#timer);
    this.#timer = null;
  }

  status(): FeedStatus {
    return {
      name: 'sim',
      state: this.#timer ? 'live' : this.#at > 0 ? 'stopped' : 'starting',
      lastEventAt: this.#lastEventAt,
      symbols: this.#symbols,
      ...NO_INCIDENTS,
    };
  }

  /** Emits everything that happened before `now`. */
  step(now: number): void {
    if (now - this.#at > DOWNTIME_MS) {
      this.catchUp(this.#at);
      return;
    }
    const to = asEpochMs(now);
    this.#emit(this.#options.market.collect(this.#at, to));
    this.#at = asEpochMs(Math.max(this.#at, to));
  }

  /** Emits ticks in batches. */
  #generate(from: EpochMs, to: EpochMs): void {
    let chunk: SimEvent[] = [];
    for (const event of this.#options.market.events(from, to)) {
      chunk.push(event);
      if (chunk.length < CHUNK) continue;
      this.#emit(chunk);
      chunk = [];
    }
    this.#emit(chunk);
  }

  #emit(events: SimEvent[]): void {
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
