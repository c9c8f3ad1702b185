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

const barJson = ({ time, open, high, low, close, volume }: Bar): string =>
  `{"time":"${iso(time)}","open":${open},"high":${high},"low":${low},"close":${close},"volume":${volume}}`;

/** Closed bars of one timeframe, ascending, each with its JSON once somebody has asked for it. */
class ClosedBars {
  #bars: Bar[] = [];
  #json: (string | undefined)[] = [];
  /** The joined JSON of the newest n, for the n last asked for. */
  #joined = { count: -1, json: '' };

  put(bar: Bar): void {
    let at = this.#bars.length;
    while (at > 0 && this.#bars[at - 1]!.time > bar.time) at--;
    const replaces = this.#bars[at - 1]?.time === bar.time;
    if (replaces) at--;
    this.#bars.splice(at, replaces ? 1 : 0, bar);
    this.#json.splice(at, replaces ? 1 : 0, undefined);
    if (this.#bars.length > KEPT_BARS + 100) {
      this.#bars = this.#bars.slice(-KEPT_BARS);
      this.#json = this.#json.slice(-KEPT_BARS);
    }
    this.#joined.count = -1;
  }

  /** JSON of the newest `count`, comma-separated. */
  newest(count: number): string {
    if (this.#joined.count !== count) {
      const first = Math.max(0, this.#bars.length - count);
      for (let at = first; at < this.#bars.length; at++) this.#json[at] ??= barJson(this.#bars[at]!);
      this.#joined = { count, json: this.#json.slice(first).join(',') };
    }
    return this.#joined.json;
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
  #quoteJson: string | null = null;

  constructor(spec: InstrumentSpec) {
    this.spec = spec;
    this.closed = Object.fromEntries(TIMEFRAMES.map((timeframe) => [timeframe, new ClosedBars()])) as Record<
      Timeframe,
      ClosedBars
    >;
    this.series = new BarSeries(spec.symbol, ({ timeframe, bar }: BarEvent) => this.closed[timeframe].put(bar));
  }

  setTick(tick: TickEvent): void {
    this.tick = tick;
    this.#quoteJson = null;
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
    for (const timeframe of TIMEFRAMES) for (const bar of history[timeframe] ?? []) entry.closed[timeframe].put(bar);
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
    const fields = this.#entries.get(symbol)!.quoteFields();
    return fields && `{"symbol":"${symbol}",${fields}}`;
  }

  /** JSON of the market response with the newest `count` bars. */
  market(symbol: MarketSymbol, timeframe: Timeframe, count: number): string {
    const entry = this.#entries.get(symbol)!;
    const forming = entry.series.forming(timeframe);
    const closed = entry.closed[timeframe].newest(forming ? count - 1 : count);
    const bars = forming ? (closed ? `${closed},${barJson(forming)}` : barJson(forming)) : closed;
    return this.#marketJson(entry, timeframe, bars);
  }

  /** JSON of the market response with given bars, for history from the store. */
  marketOf(symbol: MarketSymbol, timeframe: Timeframe, bars: readonly Bar[]): string {
    return this.#marketJson(this.#entries.get(symbol)!, timeframe, bars.map(barJson).join(','));
  }

  /** Bars in memory, the forming one included, that start within the range; newer than what the store may have yet. */
  recent(symbol: MarketSymbol, timeframe: Timeframe, from: number, to: number): Bar[] {
    const entry = this.#entries.get(symbol)!;
    const forming = entry.series.forming(timeframe);
    const bars = forming ? [...entry.closed[timeframe].all(), forming] : entry.closed[timeframe].all();
    return bars.filter((bar) => bar.time >= from && bar.time <= to);
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
      entry.series.trade(event.time, event.price, event.size, event.side);
    } else if (event.kind === 'minute') {
      this.#entries.get(event.symbol)!.series.whole(event.bar);
    } else if (event.kind === 'clock') {
      for (const entry of this.#entries.values()) entry.series.advance(event.time);
    }
  }

  #marketJson(entry: MarketEntry, timeframe: Timeframe, bars: string): string {
    const quote = entry.quoteFields();
    return `{"symbol":"${entry.spec.symbol}","timeframe":"${timeframe}","ohlcv":[${bars}],"quote":${quote ? `{${quote}}` : 'null'}}`;
  }
}
