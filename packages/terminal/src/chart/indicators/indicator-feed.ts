// The values of all indicators of a chart: loaded for the bars that the chart has, older ones as it loads older bars, and live with
// each bar. Without a stream (an API key, an interval that has none, too many streams), the newest values are loaded again when a
// bar closes and every few seconds in between.
import { type Allowance, type BarMessage, type CoreClient, type IndicatorText, TickwireError } from '@tickwire/client';
import { historyEveryMs } from '../../services/request-pacing.ts';
import type { OpenBars } from '../bars/bar-feed.ts';
import { LoadedIndicator, requestIndicators } from './indicator-request.ts';
import { IndicatorStream } from './indicator-stream.ts';
import type { IndicatorValues } from './indicator-values.ts';

/** Maximum number of bars in a response. */
const MAX_PAGE = 10_000;
/** Above this number of missing bars everything is loaded again. */
const MAX_TAIL = 500;
/** Instruments opened in quick succession, by arrow keys, wait this long. */
const SETTLE_MS = 200;
const RETRY_MS = 10_000;
/** Least time between two loads of the newest values. */
const MIN_REFRESH_MS = 2_000;

export interface WantedIndicator {
  readonly indicator: IndicatorText;
  readonly lines: readonly string[];
}

export interface IndicatorFeedOptions {
  readonly client: Pick<CoreClient, 'indicators'>;
  /** `null` if no stream is available. */
  readonly openBars: OpenBars | null;
  readonly allowance: () => Allowance | null;
  /** Values have changed. */
  readonly onChange: () => void;
  readonly onError: (error: TickwireError) => void;
  /** An indicator turned out to have no values here. */
  readonly onProblem?: () => void;
  readonly now?: () => number;
}

interface Market {
  readonly symbol: string;
  readonly interval: string;
  readonly call: AbortController;
}

type Bars = readonly { readonly time: number }[];

export class IndicatorFeed {
  readonly #options: IndicatorFeedOptions;
  readonly #now: () => number;
  readonly #entries = new Map<string, LoadedIndicator>();
  readonly #stream: IndicatorStream;
  #market: Market | null = null;
  #bars: Bars = [];
  #openedAt = Number.NEGATIVE_INFINITY;
  #waitUntil = 0;
  #newestBar = Number.NEGATIVE_INFINITY;
  #refreshing = false;
  /** Values from this time on may be out of date: a closed bar was corrected. */
  #staleFrom = Number.POSITIVE_INFINITY;
  #refreshedAt = Number.NEGATIVE_INFINITY;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(options: IndicatorFeedOptions) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
    this.#stream = new IndicatorStream(options.openBars, {
      onBar: (bar) => this.#apply(bar),
      onMissed: () => void this.#refresh(),
    });
  }

  open(symbol: string, interval: string): void {
    this.#market?.call.abort();
    this.#market = { symbol, interval, call: new AbortController() };
    const passing = this.#now() - this.#openedAt < SETTLE_MS;
    this.#openedAt = this.#now();
    this.#waitUntil = passing ? this.#now() + SETTLE_MS : 0;
    this.#bars = [];
    this.#newestBar = Number.NEGATIVE_INFINITY;
    this.#refreshing = false;
    this.#staleFrom = Number.POSITIVE_INFINITY;
    for (const entry of this.#entries.values()) entry.reset();
    this.#schedule();
  }

  /** Replaces the indicators. Values of those that stay are kept. */
  want(indicators: readonly WantedIndicator[]): void {
    const wanted = new Map(indicators.map((each) => [each.indicator as string, each]));
    for (const name of this.#entries.keys()) if (!wanted.has(name)) this.#entries.delete(name);
    for (const [name, { indicator, lines }] of wanted)
      if (!this.#entries.has(name)) this.#entries.set(name, new LoadedIndicator(indicator, lines));
    if (this.#entries.size === 0) this.#stream.close();
    this.#load();
  }

  /** The chart has these bars: values for all of them are loaded. */
  cover(bars: Bars): void {
    this.#bars = bars;
    const newest = bars.at(-1)?.time ?? Number.NEGATIVE_INFINITY;
    const began = newest > this.#newestBar && this.#newestBar > Number.NEGATIVE_INFINITY;
    this.#newestBar = newest;
    this.#load();
    if (began && !this.#stream.live) void this.#refresh();
  }

  valuesOf(indicator: string): IndicatorValues | null {
    return this.#entries.get(indicator)?.values ?? null;
  }

  /** Why there are no values; '' if there are, or will be. */
  problemOf(indicator: string): string {
    return this.#entries.get(indicator)?.problem ?? '';
  }

  close(): void {
    this.#market?.call.abort();
    this.#market = null;
    clearTimeout(this.#timer);
    this.#stream.close();
  }

  /** Requests what is missing: all values of new indicators, values of older bars for the others. */
  #load(): void {
    const [oldest] = this.#bars;
    const market = this.#market;
    if (!market || !oldest) return;
    const wait = this.#waitUntil - this.#now();
    if (wait > 0) {
      setTimeout(() => this.#market === market && this.#load(), wait);
      return;
    }
    const groups = new Map<number, LoadedIndicator[]>();
    for (const entry of this.#entries.values()) {
      if (entry.loading || entry.problem !== '' || entry.from <= oldest.time) continue;
      groups.set(entry.from, [...(groups.get(entry.from) ?? []), entry]);
    }
    for (const [from, entries] of groups) void this.#loadPage(market, from, entries);
    if (groups.size === 0) this.#updateStream();
  }

  async #loadPage(market: Market, from: number, entries: readonly LoadedIndicator[]): Promise<void> {
    const first = from === Number.POSITIVE_INFINITY;
    const missing = first ? this.#bars.length : this.#bars.filter(({ time }) => time < from).length;
    // One bar may have begun since.
    const limit = Math.max(1, Math.min(MAX_PAGE, missing + (first ? 1 : 0)));
    for (const entry of entries) entry.loading = true;
    try {
      const range = { interval: market.interval, limit, ...(!first && { to: from }) };
      const results = await this.#request(market, entries, range);
      if (!results) return;
      for (const [entry, { next, result }] of results) {
        entry.loading = false;
        entry.merge(result);
        const oldest = result.items[0];
        entry.from = next === null || !oldest ? Number.NEGATIVE_INFINITY : Date.parse(oldest.time);
      }
      this.#options.onChange();
      this.#load();
    } catch (error) {
      if (market.call.signal.aborted) return;
      setTimeout(() => {
        for (const entry of entries) entry.loading = false;
        if (this.#market === market) this.#load();
      }, this.#report(error));
    }
  }

  /** `null` if another instrument was opened meanwhile. */
  async #request(
    market: Market,
    entries: readonly LoadedIndicator[],
    range: { readonly limit: number; readonly interval: string; readonly to?: number },
  ) {
    const { client, onProblem } = this.#options;
    const { symbol, call } = market;
    const request = { client, symbol, range, signal: call.signal, onProblem: () => onProblem?.() };
    const results = await requestIndicators(entries, request);
    return call.signal.aborted || this.#market !== market ? null : results;
  }

  /** Loads the newest values again. */
  async #refresh(): Promise<void> {
    const market = this.#market;
    const loaded = [...this.#entries.values()].filter(({ usable, loading }) => usable && !loading);
    const due = this.#now() - this.#refreshedAt >= MIN_REFRESH_MS;
    if (!market || loaded.length === 0 || this.#refreshing || !due) return;
    const since = Math.min(this.#staleFrom, ...loaded.map(({ values }) => values.unfinished ?? values.newest));
    const missing = this.#bars.filter(({ time }) => time >= since).length;
    if (missing > MAX_TAIL) {
      for (const entry of loaded) entry.reset();
      this.#load();
      return;
    }
    this.#refreshing = true;
    this.#refreshedAt = this.#now();
    try {
      const range = { interval: market.interval, limit: Math.max(3, missing + 1) };
      const results = await this.#request(market, loaded, range);
      if (!results) return;
      this.#staleFrom = Number.POSITIVE_INFINITY;
      for (const [entry, { result }] of results) entry.merge(result);
      this.#options.onChange();
    } catch (error) {
      if (!market.call.signal.aborted) this.#refreshedAt = this.#now() + this.#report(error);
    } finally {
      if (this.#market === market) this.#refreshing = false;
    }
  }

  #schedule(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      if (!this.#stream.live) void this.#refresh();
      this.#schedule();
    }, historyEveryMs(this.#options.allowance()));
  }

  #updateStream(): void {
    if (!this.#market) return;
    const { symbol, interval } = this.#market;
    const usable = [...this.#entries.values()].filter((entry) => entry.usable);
    this.#stream.show(
      symbol,
      interval,
      usable.map(({ text }) => text),
    );
  }

  #apply({ symbol, timeframe, time, closed, indicators }: BarMessage): void {
    const market = this.#market;
    if (symbol !== market?.symbol || timeframe !== market.interval || !indicators) return;
    const start = time * 1_000;
    let unfinished = false;
    for (const { text, values, from } of this.#entries.values()) {
      const value = indicators[text];
      if (!value || from === Number.POSITIVE_INFINITY) continue;
      // A corrected bar also corrects the values of the bars after it.
      if (start < values.newest && closed && values.at(start)?.forming === false)
        this.#staleFrom = Math.min(this.#staleFrom, start);
      values.apply(start, value, closed);
      unfinished ||= values.unfinished !== null;
    }
    this.#options.onChange();
    if (unfinished || this.#staleFrom < Number.POSITIVE_INFINITY) void this.#refresh();
  }

  /** Returns the milliseconds to wait before a retry. */
  #report(error: unknown): number {
    if (!(error instanceof TickwireError)) throw error;
    this.#options.onError(error);
    return error.retryAfterSeconds === null ? RETRY_MS : error.retryAfterSeconds * 1_000;
  }
}
