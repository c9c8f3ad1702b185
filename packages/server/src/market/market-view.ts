// The read model of the market endpoints: the newest quote, order flow and bars of every instrument as JSON. Built from the
// journal alone; the JSON of a closed bar is created once.
import { iso, TIMEFRAMES, type Timeframe } from '@tickwire/contract';
import {
  type Bar,
  type BarEvent,
  type BarHistory,
  BarSeries,
  type EpochMs,
  type FlowEvent,
  type InstrumentSpec,
  LATE_WINDOW_MS,
  type MarketSymbol,
  MINUTE_MS,
  type MinuteHistogram,
  MinuteHistograms,
  PerInstrument,
  roundTo,
  SymbolIndex,
  type TickEvent,
} from '@tickwire/engine';
import type { Batch, JournalEvent } from '../journal/journal.ts';
import { ClosedBars, writerOf } from './closed-bars.ts';
import { FRESH_MS, staleAge } from './stale-quote.ts';

/** Minutes of volume at price in memory: an hour, and those that late trades can amend. */
const KEPT_HISTOGRAMS = 60 + LATE_WINDOW_MS / MINUTE_MS + 1;

/** A market response. `head` ends with the closed bars and is the same string until another bar closes. */
export interface MarketResponse {
  /** Changes whenever the response may have changed. */
  readonly version: number;
  readonly count: number;
  /** Whether the quote is marked as stale; only with `detail=true`. */
  readonly stale: boolean;
  readonly head: string;
  readonly tail: string;
  readonly json: string;
}

class MarketEntry {
  readonly spec: InstrumentSpec;
  readonly closed: Readonly<Record<Timeframe, ClosedBars>>;
  readonly histograms: MinuteHistograms;
  readonly series: BarSeries;
  tick: TickEvent | null = null;
  /** Source of the tick. */
  source = '';
  /** Whether the tick comes from the store and none has followed. */
  restored = false;
  flow: FlowEvent | null = null;
  /** Rises whenever a market response of the instrument may have changed. */
  version = 0;
  #quoteJson: string | null = null;
  #quoteBody: string | null = null;
  /** The last response of each timeframe, valid until the next event. */
  readonly #responses = new Map<Timeframe, MarketResponse>();
  readonly #detailed = new Map<Timeframe, MarketResponse>();

  constructor(spec: InstrumentSpec) {
    this.spec = spec;
    this.closed = Object.fromEntries(
      TIMEFRAMES.map((timeframe) => [timeframe, new ClosedBars(spec.symbol, timeframe)]),
    ) as Record<Timeframe, ClosedBars>;
    this.histograms = new MinuteHistograms(spec, KEPT_HISTOGRAMS);
    const put = ({ timeframe, bar }: BarEvent): void => this.put(timeframe, bar);
    this.series = new BarSeries(spec.symbol, put, spec.bars, this.histograms);
  }

  setTick(tick: TickEvent, source: string, restored: boolean): void {
    this.tick = tick;
    this.source = source;
    this.restored = restored;
    this.version++;
    this.#quoteJson = null;
    this.#quoteBody = null;
  }

  put(timeframe: Timeframe, bar: Bar): void {
    this.version++;
    this.closed[timeframe].put(bar);
  }

  /** The fields of a quote without braces, to be used with and without `symbol`; `null` before the first quote. */
  quoteFields(): string | null {
    if (!this.tick) return null;
    if (this.#quoteJson === null) {
      const { bid, ask, time } = this.tick;
      const spread = roundTo(ask - bid, this.spec.digits);
      this.#quoteJson = `"bid":${bid},"ask":${ask},"spread":${spread},"timestamp":"${iso(time)}"`;
    }
    return this.#quoteJson;
  }

  /** The standalone quote. */
  quote(): string | null {
    const fields = this.quoteFields();
    if (fields !== null) this.#quoteBody ??= `{"symbol":"${this.spec.symbol}",${fields}}`;
    return this.#quoteBody;
  }

  /** The market response with the newest `count` bars. */
  market(timeframe: Timeframe, count: number, detail: boolean, stale: boolean): MarketResponse {
    const { version } = this;
    const responses = detail ? this.#detailed : this.#responses;
    const last = responses.get(timeframe);
    if (last?.version === version && last.count === count && last.stale === stale) return last;
    const closed = this.closed[timeframe];
    const forming = this.series.forming(timeframe);
    const head = closed.head(forming ? count - 1 : count, detail);
    const newest = forming ? `${head === closed.opening ? '' : ','}${writerOf(detail)(forming)}` : '';
    const tail = newest + this.marketEnd(detail, stale);
    const response = { version, count, stale, head, tail, json: head + tail };
    responses.set(timeframe, response);
    return response;
  }

  /** The part after the bars. */
  marketEnd(detail: boolean, stale: boolean): string {
    const quote = this.quoteFields();
    const added = detail ? `,"stale":${stale}` : '';
    return `],"quote":${quote ? `{${quote}${added}}` : 'null'}}`;
  }
}

export class MarketView {
  /** Market time: the time of the last clock event. */
  time = 0;
  readonly #entries: PerInstrument<MarketEntry>;
  readonly #index: SymbolIndex;

  /** The list may grow. */
  constructor(instruments: readonly InstrumentSpec[]) {
    this.#index = new SymbolIndex(instruments);
    this.#entries = PerInstrument.of(instruments, (spec) => new MarketEntry(spec));
  }

  readonly read = ({ events, source }: Batch): void => {
    for (let index = 0; index < events.length; index++) this.#apply(events[index]!, source, false);
  };

  /** Applies events of the last run, after a restart. */
  readonly replay = (events: readonly JournalEvent[]): void => {
    for (const event of events) this.#apply(event, '', true);
  };

  /** Restores closed bars and volume at price before `from`. Events from `from` on follow. */
  restore(symbol: MarketSymbol, history: BarHistory, from: EpochMs, histograms: readonly MinuteHistogram[] = []): void {
    const entry = this.#entries.get(symbol);
    if (!entry) return;
    entry.series.restore(history, from, histograms);
    entry.version++;
    for (const timeframe of TIMEFRAMES) entry.closed[timeframe].restore(history[timeframe] ?? []);
  }

  /** Sets the last prices of an instrument. `restored`: they are those of the last run, after a restart. */
  seed(tick: TickEvent | null, flow: FlowEvent | null, restored = true): void {
    if (tick) this.#entries.get(tick.symbol)?.setTick(tick, '', restored);
    const entry = flow && this.#entries.get(flow.symbol);
    if (entry) entry.flow = flow;
  }

  /** The canonical symbol for a client's spelling, or `undefined`. */
  resolve(code: string): MarketSymbol | undefined {
    return this.#index.resolve(code);
  }

  /** Symbols that a spelling without an instrument may mean. */
  similar(code: string): readonly MarketSymbol[] {
    return this.#index.similar(code);
  }

  /** The same for a spelling that may begin with a venue. */
  resolveWithVenue(code: string): MarketSymbol | undefined {
    return this.#index.resolveWithVenue(code);
  }

  get symbols(): readonly MarketSymbol[] {
    return [...this.#entries.values()].map(({ spec }) => spec.symbol);
  }

  tick(symbol: MarketSymbol): TickEvent | null {
    return this.#entries.get(symbol)?.tick ?? null;
  }

  /** Source of the newest quote; empty if it was restored from the store. */
  quoteSource(symbol: MarketSymbol): string {
    return this.#entries.get(symbol)?.source ?? '';
  }

  /** Age of the newest quote in milliseconds if it is stale; `null` if it is not, or if there is none. */
  staleQuoteAge(symbol: MarketSymbol, now: number, alwaysOpen: boolean): number | null {
    const { tick, spec, source, restored } = this.#entries.get(symbol)!;
    if (!tick || (!restored && now - tick.time <= FRESH_MS)) return null;
    return staleAge(spec, { time: tick.time, source, restored }, now, alwaysOpen);
  }

  /** Time of the newest quote if it was restored from the store and none has followed, else `null`. */
  restoredQuoteTime(symbol: MarketSymbol): number | null {
    const entry = this.#entries.get(symbol);
    return entry?.tick && entry.restored ? entry.tick.time : null;
  }

  flow(symbol: MarketSymbol): FlowEvent | null {
    return this.#entries.get(symbol)?.flow ?? null;
  }

  /** JSON of the standalone quote, or `null` before the first. */
  quote(symbol: MarketSymbol): string | null {
    return this.#entries.get(symbol)!.quote();
  }

  /** The market response with the newest `count` bars. `stale`: whether the quote is stale, for `detail`. */
  market(symbol: MarketSymbol, timeframe: Timeframe, count: number, detail = false, stale = false): MarketResponse {
    return this.#entries.get(symbol)!.market(timeframe, count, detail, detail && stale);
  }

  /** JSON of the market response with the given bars, for history from the store. */
  marketOf(symbol: MarketSymbol, timeframe: Timeframe, bars: readonly Bar[], detail = false, stale = false): string {
    const entry = this.#entries.get(symbol)!;
    return entry.closed[timeframe].opening + bars.map(writerOf(detail)).join(',') + entry.marketEnd(detail, stale);
  }

  /** Bars in memory that start within the range, the forming one included. They may be newer than the store. */
  recent(symbol: MarketSymbol, timeframe: Timeframe, from: number, to: number): Bar[] {
    const entry = this.#entries.get(symbol)!;
    const bars = entry.closed[timeframe].between(from, to);
    const forming = entry.series.forming(timeframe);
    if (forming && forming.time >= from && forming.time <= to) bars.push(forming);
    return bars;
  }

  /** Closed bars in memory. */
  closedBars(symbol: MarketSymbol, timeframe: Timeframe): Pick<ClosedBars, 'version' | 'newest'> {
    return this.#entries.get(symbol)!.closed[timeframe];
  }

  /** Volume at price of the recent minutes from `from` (inclusive) to `to` (exclusive), the running one included. */
  histograms(symbol: MarketSymbol, from: number, to: number): MinuteHistogram[] {
    return this.#entries.get(symbol)!.histograms.between(from, to);
  }

  /** The bar of the current interval, or `null` if it has no price yet. */
  forming(symbol: MarketSymbol, timeframe: Timeframe): Bar | null {
    return this.#entries.get(symbol)!.series.forming(timeframe);
  }

  /** The newest bar, which may still be forming. */
  latestBar(symbol: MarketSymbol, timeframe: Timeframe): Bar | null {
    const entry = this.#entries.get(symbol)!;
    return entry.series.forming(timeframe) ?? entry.closed[timeframe].newest(1)[0] ?? null;
  }

  /** Instruments with a quote since `time`. */
  activeSince(time: number): number {
    let active = 0;
    for (const { tick } of this.#entries.values()) if (tick && tick.time >= time) active++;
    return active;
  }

  #apply(event: JournalEvent, source: string, restored: boolean): void {
    if (event.kind === 'tick') {
      const entry = this.#entries.get(event.symbol)!;
      entry.setTick(event, source, restored);
      entry.series.quote(event.time, event.bid, event.bidSize);
    } else if (event.kind === 'flow') {
      const entry = this.#entries.get(event.symbol)!;
      entry.flow = event;
      entry.version++;
      entry.series.trade(event.time, event.price, event.size, event.side, event.sideMethod);
    } else if (event.kind === 'minute') {
      const entry = this.#entries.get(event.symbol)!;
      entry.version++;
      entry.series.addMinuteBar(event.bar);
    } else if (event.kind === 'history') {
      const entry = this.#entries.get(event.symbol)!;
      for (const timeframe of TIMEFRAMES) for (const bar of event.bars[timeframe] ?? []) entry.put(timeframe, bar);
      entry.version++;
      entry.series.addHistory(event.bars);
    } else if (event.kind === 'clock') {
      this.time = event.time;
      for (const entry of this.#entries.values()) entry.series.advance(event.time);
    }
  }
}
