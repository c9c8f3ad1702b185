// The simulated markets as a feed. They are a pure function of time, so what passed while the service was away is
// generated: tick by tick where that is quick, as minute bars where it was longer.
import { asEpochMs, type EpochMs, type MarketSymbol, type MinuteEvent } from '@tickwire/engine';
import type { Feed, FeedSink, FeedStatus } from '../feed.ts';
import { simMinutes } from './history.ts';
import type { SimEvent, SimMarket } from './market.ts';

/** Steps of live time. */
export const STEP_MS = 10;
/** Ticks that are worth generating at a start. Quotes and trades are three to two. */
const CATCH_UP_EVENTS = 300_000;
const EVENTS_PER_QUOTE = 1.5;
const MINUTE = 60_000;
/** More than this is not worth waiting for: at rates where a minute has more, its beginning is left out, and said to be. */
const MOST_EVENTS = 600_000;
/** A longer step is an absence, as when the machine has slept. */
const ABSENCE_MS = 60_000;
/** Events handed over at once while catching up. */
const CHUNK = 20_000;

/** A function of time has no connection to lose. */
const UNEVENTFUL = {
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

  /** The start of the minute from which so many ticks, or a little less, have passed until `now`. */
  static reach(rate: number, now: number, events = CATCH_UP_EVENTS): EpochMs {
    const from = Math.min(now, now - timeOf(events, rate) + MINUTE);
    return asEpochMs(from - (from % MINUTE));
  }

  /** Generates everything from `from` on until now. */
  catchUp(from: EpochMs): void {
    const { market, sink, now } = this.#options;
    // One reading of the clock: generating takes a while, and what happens meanwhile is for the first live step.
    const to = asEpochMs(now());
    const reach = SimFeed.reach(market.options.rate, to);
    let at = from;
    if (from < reach) {
      this.fill(from, reach);
      at = reach;
    }
    const late = asEpochMs(to - timeOf(MOST_EVENTS, market.options.rate));
    if (at < late) {
      sink.accept([{ kind: 'gap', symbols: this.#symbols, from: at, to: late, time: to }]);
      at = late;
    }
    this.#generate(at, to);
    this.#at = asEpochMs(Math.max(at, to));
  }

  /** Generates a stretch as minute bars. The minute that was under way when the service stopped gets the rest of its ticks. */
  fill(from: EpochMs, to: EpochMs): void {
    const { market, sink } = this.#options;
    const whole = asEpochMs(Math.ceil(from / MINUTE) * MINUTE);
    if (whole - from <= timeOf(CATCH_UP_EVENTS, market.options.rate)) this.#generate(from, whole);
    sink.fill(minutesOf(market, whole, to));
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
      ...UNEVENTFUL,
    };
  }

  /** Hands over what happened before `now`. */
  step(now: number): void {
    if (now - this.#at > ABSENCE_MS) {
      this.catchUp(this.#at);
      return;
    }
    const to = asEpochMs(now);
    this.#hand(this.#options.market.collect(this.#at, to));
    this.#at = asEpochMs(Math.max(this.#at, to));
  }

  /** Tick by tick, in pieces. */
  #generate(from: EpochMs, to: EpochMs): void {
    let chunk: SimEvent[] = [];
    for (const event of this.#options.market.events(from, to)) {
      chunk.push(event);
      if (chunk.length < CHUNK) continue;
      this.#hand(chunk);
      chunk = [];
    }
    this.#hand(chunk);
  }

  #hand(events: SimEvent[]): void {
    if (events.length === 0) return;
    this.#lastEventAt = events.at(-1)!.time;
    this.#options.sink.accept(events);
  }
}

/** How many milliseconds so many events take. */
const timeOf = (events: number, rate: number): number => (events / (rate * EVENTS_PER_QUOTE)) * 1000;

function* minutesOf(market: SimMarket, from: EpochMs, to: EpochMs): Generator<MinuteEvent> {
  for (const { symbol, bars } of simMinutes(market, from, to))
    for (const bar of bars) yield { kind: 'minute', symbol, bar };
}
