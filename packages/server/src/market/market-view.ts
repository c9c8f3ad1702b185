// The read model of the market endpoints: the newest quote, order flow and bars of every instrument as JSON. Built from the
// journal alone; the JSON of a closed bar is created once.
import { TIMEFRAMES, type Timeframe } from '@tickwire/contract';
import {
  type Bar,
  type BarEvent,
  type BarHistory,
  BarSeries,
  type EpochMs,
  type FlowEvent,
  type InstrumentSpec,
  type MarketSymbol,
  roundTo,
  type TickEvent,
} from '@tickwire/engine';
import type { Batch, JournalEvent } from '../journal/journal.ts';

/** Closed bars in memory per symbol and timeframe: somewhat more than one response contains. */
export const KEPT_BARS = 520;

const iso = (time: number): string => new Date(time).toISOString();

/** Without the closing brace, so that fields can be appended. */
const barFields = ({ time, open, high, low, close, volume }: Bar): string =>
  `{"time":"${iso(time)}","open":${open},"high":${high},"low":${low},"close":${close},"volume":${volume}`;

const barJson = (bar: Bar): string => `${barFields(bar)}}`;

/** For `detail=true`. */
const detailedBarJson = (bar: Bar): string =>
  `${barFields(bar)},"bid_volume":${bar.bidVolume},"ask_volume":${bar.askVolume}}`;

const writerOf = (detail: boolean): ((bar: Bar) => string) => (detail ? detailedBarJson : barJson);

/** A market response. `head` ends with the closed bars and is the same string until another bar closes. */
export interface MarketResponse {
  /** Changes whenever the response may have changed. */
  readonly version: number;
  readonly count: number;
  readonly head: string;
  readonly tail: string;
  readonly json: string;
}

/** Caches the JSON of closed bars in one form. */
class BarJsonCache {
  readonly #write: (bar: Bar) => string;
  #json: (string | undefined)[] = [];
  /** The opening and the newest `count` bars, for the last requested `count`. */
  #head = { count: -1, json: '' };

  constructor(write: (bar: Bar) => string) {
    this.#write = write;
  }

  /** A bar was inserted or replaced at this index; only the newest `kept` bars remain. */
  update(at: number, replaces: boolean, kept: number): void {
    if (at === this.#json.length) this.#json.push(undefined);
    else this.#json.splice(at, replaces ? 1 : 0, undefined);
    if (this.#json.length > kept) this.#json = this.#json.slice(-kept);
    this.#head.count = -1;
  }

  head(opening: string, bars: readonly Bar[], count: number): string {
    if (this.#head.count !== count) {
      const first = Math.max(0, bars.length - count);
      for (let at = first; at < bars.length; at++) this.#json[at] ??= this.#write(bars[at]!);
      this.#head = { count, json: opening + this.#json.slice(first).join(',') };
    }
    return this.#head.json;
  }
}

/** Closed bars of one timeframe, ascending. */
class ClosedBars {
  /** Start of a market response of the timeframe. */
  readonly opening: string;
  readonly #basic = new BarJsonCache(barJson);
  readonly #detailed = new BarJsonCache(detailedBarJson);
  #bars: Bar[] = [];

  constructor(symbol: MarketSymbol, timeframe: Timeframe) {
    this.opening = `{"symbol":"${symbol}","timeframe":"${timeframe}","ohlcv":[`;
  }

  put(bar: Bar): void {
    let at = this.#bars.length;
    while (at > 0 && this.#bars[at - 1]!.time > bar.time) at--;
    const replaces = this.#bars[at - 1]?.time === bar.time;
    if (replaces) at--;
    // Usually it is the newest.
    if (at === this.#bars.length) this.#bars.push(bar);
    else this.#bars.splice(at, replaces ? 1 : 0, bar);
    if (this.#bars.length > KEPT_BARS + 100) this.#bars = this.#bars.slice(-KEPT_BARS);
    this.#basic.update(at, replaces, this.#bars.length);
    this.#detailed.update(at, replaces, this.#bars.length);
  }

  /** A market response up to its last closed bar, with the newest `count`. */
  head(count: number, detail: boolean): string {
    return (detail ? this.#detailed : this.#basic).head(this.opening, this.#bars, count);
  }

  all(): readonly Bar[] {
    return this.#bars;
  }
}

class MarketEntry {
  readonly spec: InstrumentSpec;
  readonly closed: Readonly<Record<Timeframe, ClosedBars>>;
  readonly series: BarSeries;
  tick: TickEvent | null = null;
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
    this.series = new BarSeries(spec.symbol, ({ timeframe, bar }: BarEvent) => this.put(timeframe, bar));
  }

  setTick(tick: TickEvent): void {
    this.tick = tick;
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
  market(timeframe: Timeframe, count: number, detail: boolean): MarketResponse {
    const { version } = this;
    const responses = detail ? this.#detailed : this.#responses;
    const last = responses.get(timeframe);
    if (last?.version === version && last.count === count) return last;
    const closed = this.closed[timeframe];
    const forming = this.series.forming(timeframe);
    const head = closed.head(forming ? count - 1 : count, detail);
    const newest = forming ? `${head === closed.opening ? '' : ','}${writerOf(detail)(forming)}` : '';
    const tail = newest + this.marketEnd();
    const response = { version, count, head, tail, json: head + tail };
    responses.set(timeframe, response);
    return response;
  }

  /** The part after the bars. */
  marketEnd(): string {
    const quote = this.quoteFields();
    return `],"quote":${quote ? `{${quote}}` : 'null'}}`;
  }
}

export class MarketView {
  readonly #entries = new Map<string, MarketEntry>();

  constructor(instruments: readonly InstrumentSpec[]) {
    for (const spec of instruments) this.#entries.set(spec.symbol, new MarketEntry(spec));
  }

  readonly read = ({ events }: Batch): void => {
    for (let index = 0; index < events.length; index++) this.#apply(events[index]!);
  };

  /** Restores closed bars before `from`. Events from `from` on follow. */
  restore(symbol: MarketSymbol, history: BarHistory, from: EpochMs): void {
    const entry = this.#entries.get(symbol);
    if (!entry) return;
    entry.series.restore(history, from);
    for (const timeframe of TIMEFRAMES) for (const bar of history[timeframe] ?? []) entry.put(timeframe, bar);
  }

  /** Sets the last prices of an instrument after a restart. */
  seed(tick: TickEvent | null, flow: FlowEvent | null): void {
    if (tick) this.#entries.get(tick.symbol)?.setTick(tick);
    const entry = flow && this.#entries.get(flow.symbol);
    if (entry) entry.flow = flow;
  }

  /** The canonical symbol for a client's spelling, or `undefined`. */
  resolve(code: string): MarketSymbol | undefined {
    return this.#entries.get(code)?.spec.symbol ?? this.#entries.get(code.toUpperCase())?.spec.symbol;
  }

  get symbols(): readonly MarketSymbol[] {
    return [...this.#entries.values()].map(({ spec }) => spec.symbol);
  }

  tick(symbol: MarketSymbol): TickEvent | null {
    return this.#entries.get(symbol)?.tick ?? null;
  }

  flow(symbol: MarketSymbol): FlowEvent | null {
    return this.#entries.get(symbol)?.flow ?? null;
  }

  /** JSON of the standalone quote, or `null` before the first. */
  quote(symbol: MarketSymbol): string | null {
    return this.#entries.get(symbol)!.quote();
  }

  /** The market response with the newest `count` bars. */
  market(symbol: MarketSymbol, timeframe: Timeframe, count: number, detail = false): MarketResponse {
    return this.#entries.get(symbol)!.market(timeframe, count, detail);
  }

  /** JSON of the market response with the given bars, for history from the store. */
  marketOf(symbol: MarketSymbol, timeframe: Timeframe, bars: readonly Bar[], detail = false): string {
    const entry = this.#entries.get(symbol)!;
    return entry.closed[timeframe].opening + bars.map(writerOf(detail)).join(',') + entry.marketEnd();
  }

  /** Bars in memory that start within the range, the forming one included. They may be newer than the store. */
  recent(symbol: MarketSymbol, timeframe: Timeframe, from: number, to: number): Bar[] {
    const entry = this.#entries.get(symbol)!;
    const forming = entry.series.forming(timeframe);
    const bars = forming ? [...entry.closed[timeframe].all(), forming] : entry.closed[timeframe].all();
    return bars.filter((bar) => bar.time >= from && bar.time <= to);
  }

  /** The bar of the current interval, or `null` if it has no price yet. */
  forming(symbol: MarketSymbol, timeframe: Timeframe): Bar | null {
    return this.#entries.get(symbol)!.series.forming(timeframe);
  }

  /** The newest bar, which may still be forming. */
  latestBar(symbol: MarketSymbol, timeframe: Timeframe): Bar | null {
    const entry = this.#entries.get(symbol)!;
    return entry.series.forming(timeframe) ?? entry.closed[timeframe].all().at(-1) ?? null;
  }

  /** Instruments with a quote since `time`. */
  activeSince(time: number): number {
    let active = 0;
    for (const { tick } of this.#entries.values()) if (tick && tick.time >= time) active++;
    return active;
  }

  #apply(event: JournalEvent): void {
    if (event.kind === 'tick') {
      const entry = this.#entries.get(event.symbol)!;
      entry.setTick(event);
      entry.series.quote(event.time, event.bid, event.bidSize);
    } else if (event.kind === 'flow') {
      const entry = this.#entries.get(event.symbol)!;
      entry.flow = event;
      entry.version++;
      entry.series.trade(event.time, event.price, event.size, event.side);
    } else if (event.kind === 'minute') {
      const entry = this.#entries.get(event.symbol)!;
      entry.version++;
      entry.series.addMinuteBar(event.bar);
    } else if (event.kind === 'clock') {
      for (const entry of this.#entries.values()) entry.series.advance(event.time);
    }
  }
}
