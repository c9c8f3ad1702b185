// What the market endpoints answer from: the newest quote, flow and bars of every instrument, ready to send.
// Built from the journal alone; the JSON of a closed bar is made once.
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

/** Closed bars kept in memory per symbol and timeframe: the most one answer holds, and some more. */
export const KEPT_BARS = 520;

const iso = (time: number): string => new Date(time).toISOString();

/** Up to the brace, so that more may follow. */
const barFields = ({ time, open, high, low, close, volume }: Bar): string =>
  `{"time":"${iso(time)}","open":${open},"high":${high},"low":${low},"close":${close},"volume":${volume}`;

const barJson = (bar: Bar): string => `${barFields(bar)}}`;

/** With `detail=true`. */
const detailedBarJson = (bar: Bar): string =>
  `${barFields(bar)},"bid_volume":${bar.bidVolume},"ask_volume":${bar.askVolume}}`;

const writerOf = (detail: boolean): ((bar: Bar) => string) => (detail ? detailedBarJson : barJson);

/** A market response. `head`, which ends with the closed bars, is the same string until another bar closes. */
export interface MarketText {
  /** Another whenever the response may be another. */
  readonly version: number;
  readonly count: number;
  readonly head: string;
  readonly tail: string;
  readonly json: string;
}

/** The JSON of closed bars in one form, made once somebody has asked for it. */
class BarTexts {
  readonly #write: (bar: Bar) => string;
  #json: (string | undefined)[] = [];
  /** The opening and the JSON of the newest n, for the n last asked for. */
  #head = { count: -1, json: '' };

  constructor(write: (bar: Bar) => string) {
    this.#write = write;
  }

  /** A bar came in at this place, or in the place of another; `kept` are left of all, the newest. */
  changed(at: number, replaces: boolean, kept: number): void {
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
  /** How a market response of the timeframe begins. */
  readonly opening: string;
  readonly #texts = new BarTexts(barJson);
  readonly #detailed = new BarTexts(detailedBarJson);
  #bars: Bar[] = [];

  constructor(symbol: MarketSymbol, timeframe: Timeframe) {
    this.opening = `{"symbol":"${symbol}","timeframe":"${timeframe}","ohlcv":[`;
  }

  put(bar: Bar): void {
    let at = this.#bars.length;
    while (at > 0 && this.#bars[at - 1]!.time > bar.time) at--;
    const replaces = this.#bars[at - 1]?.time === bar.time;
    if (replaces) at--;
    // As a rule it is the newest.
    if (at === this.#bars.length) this.#bars.push(bar);
    else this.#bars.splice(at, replaces ? 1 : 0, bar);
    if (this.#bars.length > KEPT_BARS + 100) this.#bars = this.#bars.slice(-KEPT_BARS);
    this.#texts.changed(at, replaces, this.#bars.length);
    this.#detailed.changed(at, replaces, this.#bars.length);
  }

  /** A market response up to the last of its newest `count` closed bars. */
  head(count: number, detail: boolean): string {
    return (detail ? this.#detailed : this.#texts).head(this.opening, this.#bars, count);
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
  /** The response last asked for in each timeframe: until the next event it is the same for all. */
  readonly #responses = new Map<Timeframe, MarketText>();
  readonly #detailed = new Map<Timeframe, MarketText>();

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

  /** The fields of a quote without braces, so that it serves with and without `symbol`; null before the first quote. */
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
  market(timeframe: Timeframe, count: number, detail: boolean): MarketText {
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

  /** What follows the bars. */
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

  /** Takes up again where the store left off: closed bars before `from`, after which events follow. */
  restore(symbol: MarketSymbol, history: BarHistory, from: EpochMs): void {
    const entry = this.#entries.get(symbol);
    if (!entry) return;
    entry.series.restore(history, from);
    for (const timeframe of TIMEFRAMES) for (const bar of history[timeframe] ?? []) entry.put(timeframe, bar);
  }

  /** The last prices of an instrument, where no event will bring them. */
  seed(tick: TickEvent | null, flow: FlowEvent | null): void {
    if (tick) this.#entries.get(tick.symbol)?.setTick(tick);
    const entry = flow && this.#entries.get(flow.symbol);
    if (entry) entry.flow = flow;
  }

  /** The canonical symbol for what a caller wrote, or undefined. */
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

  /** JSON of the standalone quote, or null where there is none yet. */
  quote(symbol: MarketSymbol): string | null {
    return this.#entries.get(symbol)!.quote();
  }

  /** The market response with the newest `count` bars. */
  market(symbol: MarketSymbol, timeframe: Timeframe, count: number, detail = false): MarketText {
    return this.#entries.get(symbol)!.market(timeframe, count, detail);
  }

  /** JSON of the market response with given bars, for history from the store. */
  marketOf(symbol: MarketSymbol, timeframe: Timeframe, bars: readonly Bar[], detail = false): string {
    const entry = this.#entries.get(symbol)!;
    return entry.closed[timeframe].opening + bars.map(writerOf(detail)).join(',') + entry.marketEnd();
  }

  /** Bars in memory, the forming one included, that start within the range; newer than what the store may have yet. */
  recent(symbol: MarketSymbol, timeframe: Timeframe, from: number, to: number): Bar[] {
    const entry = this.#entries.get(symbol)!;
    const forming = entry.series.forming(timeframe);
    const bars = forming ? [...entry.closed[timeframe].all(), forming] : entry.closed[timeframe].all();
    return bars.filter((bar) => bar.time >= from && bar.time <= to);
  }

  /** The bar of the current interval, or null where it has no price yet. */
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
      entry.series.whole(event.bar);
    } else if (event.kind === 'clock') {
      for (const entry of this.#entries.values()) entry.series.advance(event.time);
    }
  }
}
