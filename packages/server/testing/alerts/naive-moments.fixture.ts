// The moments at which alerts are judged, each with everything that can be known then, recomputed from the events before it.
// Written from the rules in docs/reference/alerts.md, without the structures of the engine's alert book.
import { parseIndicator, type SimpleCondition, TIMEFRAME_MS, type Timeframe } from '@tickwire/contract';
import {
  type AlertInput,
  asEpochMs,
  type Bar,
  definitionOf,
  IndicatorSeries,
  type InstrumentSpec,
  isMarketOpen,
  MINUTE_MS,
} from '@tickwire/engine';

export const INTERVALS = ['1m', '5m', '1h'] as const;
type Interval = (typeof INTERVALS)[number];

/** What changes at a moment, as bits. */
export const TOUCH = {
  bid: 1,
  ask: 2,
  trade: 4,
  spread: 8,
  age: 16,
  absorption: 32,
  headline: 64,
  signal: 128,
  calendar: 256,
  market: 512,
  lateBid: 1024,
  lateAsk: 2048,
  lateTrade: 4096,
} as const;
const at = (interval: Timeframe): number => INTERVALS.indexOf(interval as Interval);
export const touchForming = (interval: Timeframe): number => 1 << (13 + at(interval));
export const touchClose = (interval: Timeframe): number => 1 << (16 + at(interval));
export const touchLines = (interval: Timeframe): number => 1 << (19 + at(interval));

export interface Moment {
  /** Of the event. */
  readonly index: number;
  readonly seq: number;
  readonly time: number;
  readonly cause: string;
  readonly touches: number;
  readonly isBar: boolean;
  /** Standing prices; `NaN` if unknown. */
  readonly bid: number;
  readonly ask: number;
  readonly trade: number;
  /** Bid and ask of the newest quote. */
  readonly quote: { readonly bid: number; readonly ask: number };
  /** Prices so far of each side that are in the order of time. */
  readonly counts: { readonly bid: number; readonly ask: number; readonly trade: number };
  readonly volume: readonly number[];
  readonly delta: readonly number[];
  readonly age: number;
  readonly clock: number;
  /** Latest time of the market. */
  readonly now: number;
  /** By interval: number of the version of the closed bars. */
  readonly bars: readonly number[];
  /** Price of a late tick, close of a bar. */
  readonly price: number;
  readonly event: AlertInput;
  readonly session: 'opens' | 'closes' | null;
  readonly absorption: 'buy' | 'sell' | null;
}

export interface TimedPrice {
  readonly time: number;
  readonly price: number;
}

export class NaiveMarket {
  readonly moments: Moment[] = [];
  readonly prices: Record<'bid' | 'ask' | 'trade', TimedPrice[]> = { bid: [], ask: [], trade: [] };
  /** By interval: the closed bars after each change. */
  readonly versions: Bar[][][] = INTERVALS.map(() => [[]]);
  readonly #spec: InstrumentSpec;
  readonly #values = new Map<string, number[]>();
  readonly #flows: { readonly time: number; readonly volume: number; readonly delta: number }[] = [];
  #bid = Number.NaN;
  #ask = Number.NaN;
  #trade = Number.NaN;
  #quote = { bid: Number.NaN, ask: Number.NaN };
  #quoted = -1;
  #quoteTick = -1;
  #traded = -1;
  #tradeMinute = -1;
  #now = 0;
  #clock = Number.NaN;
  #resumed = 0;
  #opened: number | null = null;
  #absorption: string | undefined;

  constructor(spec: InstrumentSpec, events: readonly AlertInput[], firstSeq: number) {
    this.#spec = spec;
    for (const [index, event] of events.entries()) this.#read(event, index, firstSeq + index);
  }

  /** Value of a line of an indicator over the closed bars of a version. */
  line(text: string, line: string | undefined, interval: Timeframe, version: number): number {
    const key = `${text} ${line} ${interval}`;
    let values = this.#values.get(key);
    if (!values) {
      const spec = parseIndicator(text);
      const definition = definitionOf(spec);
      const position = line === undefined ? 0 : definition.lines.indexOf(line);
      values = this.versions[at(interval)]!.map((bars) => {
        const series = new IndicatorSeries(definition, spec.inputs);
        let value = Number.NaN;
        for (const bar of bars) value = series.add(bar).values[position]!;
        return value;
      });
      this.#values.set(key, values);
    }
    return values[version]!;
  }

  /**
   * Close of the newest bar of a version, and where a line that is judged since another version and time is there. The bars are
   * those of that version, and later ones as they came. The line starts at the first bar that is not before its time. Until there is
   * one, it is ahead by the intervals that were left when the alert was set, and at least by one bar.
   */
  onTrendLine(
    { interval, time, price, per_bar }: Extract<SimpleCondition, { type: 'trend_line' }>,
    since: { readonly version: number; readonly time: number },
    version: number,
  ): { readonly close: number; readonly level: number } {
    const versions = this.versions[at(interval)]!;
    const start = Date.parse(time);
    const known = versions[since.version]!.map((bar) => bar.time);
    const later = versions.slice(since.version + 1, version + 1).map((bars) => bars.at(-1)!.time);
    const came = [...new Set(later)].filter((each) => each > (known.at(-1) ?? -1));
    const passed = [...known, ...came].filter((each) => each >= start).length;
    const left = Math.max(0, Math.ceil((start - since.time) / TIMEFRAME_MS[interval]));
    const position = passed > 0 ? passed - 1 : -Math.max(1, 1 + left - came.length);
    return { close: versions[version]!.at(-1)?.close ?? Number.NaN, level: price + position * per_bar };
  }

  /** Volume and delta of the forming bar of an interval after all events so far. */
  #forming(interval: Interval): { volume: number; delta: number } {
    const length = TIMEFRAME_MS[interval];
    const start = this.#now - (this.#now % length);
    let [volume, delta] = [0, 0];
    for (let index = this.#flows.length - 1; index >= 0; index--) {
      const flow = this.#flows[index]!;
      if (flow.time < start) continue;
      volume += flow.volume;
      delta += flow.delta;
    }
    return { volume: Math.round(volume * 1e8) / 1e8, delta: Math.round(delta * 1e8) / 1e8 };
  }

  #moment(
    index: number,
    seq: number,
    event: AlertInput,
    time: number,
    touches: number,
    rest: Partial<Moment> = {},
  ): void {
    const forming = INTERVALS.map((interval) => this.#forming(interval));
    this.moments.push({
      index,
      seq,
      time,
      cause: `seq:${seq}`,
      touches,
      isBar: false,
      bid: this.#bid,
      ask: this.#ask,
      trade: this.#trade,
      quote: this.#quote,
      counts: { bid: this.prices.bid.length, ask: this.prices.ask.length, trade: this.prices.trade.length },
      volume: forming.map(({ volume }) => volume),
      delta: forming.map(({ delta }) => delta),
      age: this.#age(),
      clock: this.#clock,
      now: this.#now,
      bars: this.versions.map((versions) => versions.length - 1),
      price: Number.NaN,
      event,
      session: null,
      absorption: null,
      ...rest,
    });
  }

  /** Time goes on: new bars begin before anything else happens. */
  #advance(index: number, seq: number, event: AlertInput, time: number): void {
    const before = this.#now;
    if (time <= before) return;
    this.#now = time;
    for (const interval of INTERVALS) {
      const length = TIMEFRAME_MS[interval];
      const start = time - (time % length);
      if (before >= start) continue;
      const cause = `forming:${interval}:${start}`;
      this.#moment(index, seq, event, start, touchForming(interval), { cause });
    }
  }

  #read(event: AlertInput, index: number, seq: number): void {
    switch (event.kind) {
      case 'tick': {
        const { time, bid, ask } = event;
        if (time < this.#quoted) {
          this.#moment(index, seq, event, time, TOUCH.lateBid, { price: bid });
          this.#moment(index, seq, event, time, TOUCH.lateAsk, { price: ask });
          return;
        }
        this.#advance(index, seq, event, time);
        [this.#quoted, this.#quoteTick, this.#bid, this.#ask] = [time, time, bid, ask];
        this.#quote = { bid, ask };
        this.prices.bid.push({ time, price: bid });
        this.prices.ask.push({ time, price: ask });
        this.#moment(index, seq, event, time, TOUCH.bid | TOUCH.ask | TOUCH.spread | TOUCH.age);
        return;
      }
      case 'flow': {
        const { time, price, size, side, absorption } = event;
        const isLate = time < this.#traded;
        if (!isLate) this.#advance(index, seq, event, time);
        this.#flows.push({ time, volume: size, delta: side === 'buy' ? size : -size });
        this.#tradeMinute = Math.max(this.#tradeMinute, time - (time % MINUTE_MS));
        const begins = absorption && this.#absorption !== undefined && this.#absorption !== absorption;
        this.#absorption = absorption ?? 'none';
        let touches: number = TOUCH.lateTrade;
        if (!isLate) {
          [this.#traded, this.#trade] = [time, price];
          this.prices.trade.push({ time, price });
          touches = TOUCH.trade;
        }
        for (const interval of INTERVALS) touches |= touchForming(interval);
        if (begins) touches |= TOUCH.absorption;
        this.#moment(index, seq, event, time, touches, { price, absorption: begins ? absorption : null });
        return;
      }
      case 'minute':
        this.#minute(index, seq, event, event.bar);
        return;
      case 'bar':
        this.#bar(index, seq, event, event.timeframe, event.bar);
        return;
      case 'clock':
        this.#clockEvent(index, seq, event, event.time);
        return;
      case 'headline':
        this.#moment(index, seq, event, event.time, TOUCH.headline, { cause: `news:${event.id}` });
        return;
      case 'signal_happening': {
        const cause = `signal:${event.n}:${event.happening}`;
        this.#moment(index, seq, event, event.time, TOUCH.signal, { cause });
        return;
      }
      case 'calendar_item':
        this.#moment(index, seq, event, this.#clock, TOUCH.calendar);
    }
  }

  #minute(index: number, seq: number, event: AlertInput, bar: Bar): void {
    const { time, basis, open, high, low, close } = bar;
    const isLate = time < (basis === 'trade' ? this.#traded : this.#quoted);
    if (!isLate) this.#advance(index, seq, event, time);
    if (basis === 'trade' && time > this.#tradeMinute) {
      this.#flows.push({ time, volume: bar.volume, delta: bar.askVolume - bar.bidVolume });
      this.#tradeMinute = time;
    }
    let touches: number = basis === 'trade' ? TOUCH.trade : TOUCH.bid;
    if (isLate) touches = basis === 'trade' ? TOUCH.lateTrade : TOUCH.lateBid;
    for (const interval of INTERVALS) touches |= touchForming(interval);
    for (const price of close >= open ? [open, low, high, close] : [open, high, low, close]) {
      if (!isLate) {
        this.prices[basis].push({ time, price });
        if (basis === 'trade') [this.#traded, this.#trade] = [time, price];
        else [this.#quoted, this.#bid] = [time, price];
      }
      this.#moment(index, seq, event, time, touches, { price });
    }
  }

  #bar(index: number, seq: number, event: AlertInput, interval: Timeframe, bar: Bar): void {
    const position = at(interval);
    if (position < 0) return;
    const end = bar.time + TIMEFRAME_MS[interval];
    const isBar = true;
    const cause = `bar:${interval}:${bar.time}`;
    this.#moment(index, seq, event, end, touchClose(interval), { cause, isBar, price: bar.close });
    const versions = this.versions[position]!;
    const bars = [...versions.at(-1)!.filter(({ time }) => time !== bar.time), bar].sort((a, b) => a.time - b.time);
    versions.push(bars);
    const newest = bars.at(-1)!.time;
    this.#moment(index, seq, event, newest + TIMEFRAME_MS[interval], touchLines(interval), {
      cause: `bar:${interval}:${newest}`,
      isBar,
    });
  }

  #clockEvent(index: number, seq: number, event: AlertInput, time: number): void {
    const before = this.#clock;
    if (time < before) return;
    this.#advance(index, seq, event, time);
    const { hours } = this.#spec;
    const isOpen = (at: number): boolean => isMarketOpen(hours, asEpochMs(at));
    if (!(time - before <= MINUTE_MS)) this.#resumed = time;
    const sinceMinute = Number.isNaN(before) ? time : before;
    for (let minute = sinceMinute - (sinceMinute % MINUTE_MS) + MINUTE_MS; minute <= time; minute += MINUTE_MS) {
      if (isOpen(minute) === isOpen(minute - 1)) continue;
      const session = isOpen(minute) ? 'opens' : 'closes';
      this.#opened = isOpen(minute) ? minute : null;
      const cause = `market:${session}:${minute}`;
      this.#moment(index, seq, event, minute, TOUCH.market, { cause, session });
    }
    if (Number.isNaN(before)) this.#opened = isOpen(time) ? 0 : null;
    this.#clock = time;
    const base = Math.max(this.#quoteTick, this.#resumed, this.#opened ?? 0);
    this.#moment(index, seq, event, time, TOUCH.age, { cause: `stale:${base}` });
    this.#moment(index, seq, event, time, TOUCH.calendar);
  }

  #age(): number {
    if (Number.isNaN(this.#clock)) return Number.NaN;
    if (this.#opened === null) return 0;
    return Math.max(0, this.#clock - Math.max(this.#quoteTick, this.#resumed, this.#opened));
  }
}
