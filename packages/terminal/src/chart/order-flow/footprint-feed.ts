// The footprints of the visible bars: loaded page by page, one request at a time, and updated live. Bars that were loaded once
// are kept. Responses for another instrument or interval are ignored.
import { type CoreClient, type FootprintTimeframe, type Interval, TickwireError } from '@tickwire/client';
import { FOOTPRINT_TIMEFRAMES } from '@tickwire/contract/timeframes.ts';
import type { SharedStream } from '../../services/shared-streams.ts';
import type { StreamService } from '../../services/stream-service.ts';
import type { Levels } from './footprint-levels.ts';

export interface Footprint {
  /** Height of a level in price units. */
  readonly level: number;
  readonly levels: Levels;
  readonly volume: number;
  readonly delta: number;
  /** Volume that is known only from bars, so it has no prices. */
  readonly uncovered: number;
}

export interface FootprintFeedOptions {
  readonly client: Pick<CoreClient, 'footprint'>;
  /** `null` if no stream may be opened; the forming bar is then loaded every few seconds. */
  readonly streams: Pick<StreamService, 'open'> | null;
  readonly onChange: () => void;
  /** '' after a success. */
  readonly onError: (message: string) => void;
  readonly now?: () => number;
}

/** A view that changes again within this time costs no request. */
const SETTLE_MS = 200;
const RETRY_MS = 10_000;
/** Without a stream, the forming bar is loaded this often. */
const RELOAD_MS = 5_000;
const MAX_BARS = 2_000;
const MAX_PAGE = 1_000;
const STREAMED: readonly string[] = FOOTPRINT_TIMEFRAMES;
const EMPTY: Footprint = { level: 0, levels: [], volume: 0, delta: 0, uncovered: 0 };

interface Current {
  readonly symbol: string;
  readonly interval: string;
  readonly end: AbortController;
}

export class FootprintFeed {
  readonly #options: FootprintFeedOptions;
  readonly #now: () => number;
  #current: Current | null = null;
  /** By start in milliseconds. */
  #bars = new Map<number, Footprint>();
  /** Starts of the visible bars, ascending. */
  #wanted: readonly number[] = [];
  #newest = 0;
  #loadedAt = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #busy = false;
  #stream: { readonly stream: SharedStream; readonly timeframe: string } | null = null;

  constructor(options: FootprintFeedOptions) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
  }

  /** `undefined` if it is not loaded; without levels if nothing traded. */
  at(time: number): Footprint | undefined {
    return this.#bars.get(time);
  }

  open(symbol: string, interval: string): void {
    if (this.#current?.symbol === symbol && this.#current.interval === interval) return;
    this.#stop();
    this.#current = { symbol, interval, end: new AbortController() };
    this.#openStream(symbol, interval);
  }

  close(): void {
    this.#stop();
    this.#stream?.stream.close();
    this.#stream = null;
  }

  /** Loads what is missing of these bars. `newest`: start of the forming bar. */
  want(times: readonly number[], newest: number): void {
    this.#wanted = times;
    this.#newest = newest;
    this.#schedule(SETTLE_MS);
  }

  #stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#current?.end.abort();
    this.#current = null;
    this.#bars = new Map();
    this.#wanted = [];
    this.#loadedAt = 0;
  }

  #schedule(ms: number): void {
    if (this.#timer !== undefined || this.#busy || !this.#current) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      if (this.#current) void this.#load(this.#current);
    }, ms);
  }

  #missing(): readonly number[] {
    const reload = !this.#isLive && this.#now() - this.#loadedAt >= RELOAD_MS;
    return this.#wanted.filter((time) => !this.#bars.has(time) || (reload && time === this.#newest));
  }

  get #isLive(): boolean {
    return this.#stream?.stream.state === 'live';
  }

  async #load({ symbol, interval, end }: Current): Promise<void> {
    const missing = this.#missing();
    const [first, last] = [missing[0], missing.at(-1)];
    if (first === undefined || last === undefined) {
      if (!this.#isLive && this.#wanted.includes(this.#newest)) this.#schedule(RELOAD_MS);
      return;
    }
    const { client, onChange, onError } = this.#options;
    this.#busy = true;
    let wait = 0;
    try {
      const limit = Math.min(MAX_PAGE, this.#wanted.length);
      const range = { interval: interval as Interval, from: first, to: last + 1, limit };
      const { items, level, next } = await client.footprint(symbol, range, { signal: end.signal });
      if (end.signal.aborted) return;
      for (const { time, levels, volume, delta, uncovered_volume: uncovered } of items)
        this.#bars.set(Date.parse(time), { level, levels, volume, delta, uncovered });
      // Bars up to the end of the page that are not on it have no trades.
      const until = next === null || items.length === 0 ? last : Date.parse(items.at(-1)!.time);
      for (const time of missing) if (time <= until && !this.#bars.has(time)) this.#bars.set(time, EMPTY);
      this.#loadedAt = this.#now();
      this.#forget();
      onError('');
      onChange();
    } catch (error) {
      if (end.signal.aborted) return;
      wait = RETRY_MS;
      if (error instanceof TickwireError) {
        onError(error.detail);
        if (error.code === 'no_trades') this.#wanted = [];
        wait = Math.max(wait, (error.retryAfterSeconds ?? 0) * 1_000);
      }
    } finally {
      this.#busy = false;
      if (this.#wanted.length > 0) this.#schedule(wait);
    }
  }

  /** Drops the bars that were loaded first. */
  #forget(): void {
    for (const time of this.#bars.keys()) {
      if (this.#bars.size <= MAX_BARS) return;
      if (!this.#wanted.includes(time)) this.#bars.delete(time);
    }
  }

  #openStream(symbol: string, interval: string): void {
    const { streams } = this.#options;
    const known = this.#stream;
    if (known && known.timeframe === interval && known.stream.state !== 'closed') {
      known.stream.setSymbols([symbol]);
      return;
    }
    known?.stream.close();
    this.#stream = null;
    if (!streams || !STREAMED.includes(interval)) return;
    const timeframe = interval as FootprintTimeframe;
    const stream = streams.open(
      'footprint',
      { symbols: [symbol], timeframe, maxRate: 2 },
      {
        onMessage: (message) => {
          if (message.symbol !== this.#current?.symbol || message.timeframe !== this.#current.interval) return;
          const { level, levels, volume, delta, uncovered_volume: uncovered } = message;
          this.#bars.set(message.time * 1_000, { level, levels, volume, delta, uncovered });
          this.#options.onChange();
        },
        // Every bar that formed meanwhile may be incomplete.
        onGap: () => this.#reloadNewest(),
        onState: (state) => {
          if (state !== 'live') this.#lostAt ??= this.#newest;
          else if (this.#lostAt !== null) this.#reloadNewest();
        },
      },
    );
    this.#stream = { stream, timeframe };
  }

  #lostAt: number | null = null;

  #reloadNewest(): void {
    const from = this.#lostAt ?? this.#newest;
    this.#lostAt = null;
    for (const time of this.#bars.keys()) if (time >= from) this.#bars.delete(time);
    this.#schedule(0);
  }
}
