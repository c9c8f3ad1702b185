// What the alerts of one instrument look at: prices, spread, forming bars, moves and indicators. Prices are in ticks.
// All values of an event are set before any alert is judged, so that combined conditions see the same moment.
import type { PriceSide, Timeframe } from '@tickwire/contract';
import type { Bar, BarEvent, FlowEvent, TickEvent } from '../market/events.ts';
import type { InstrumentSpec } from '../market/instrument.ts';
import { fromTicks, toTicks } from '../market/price.ts';
import { asEpochMs, type EpochMs } from '../market/time.ts';
import { Absorption } from './absorption.ts';
import type { StandingPrices, WarmUp } from './alert.ts';
import type { FormingBar } from './forming-bar.ts';
import { FormingBars } from './forming-bars.ts';
import type { IndicatorLines } from './indicator-lines.ts';
import type { JudgingContext } from './judging-context.ts';
import { MarketClock } from './market-clock.ts';
import { readMinute } from './minute-path.ts';
import type { MoveWindow } from './move-window.ts';
import { MovesBySide } from './price-moves.ts';
import { QuoteBounds } from './quote-bounds.ts';
import { marketOf, type SavedMarket } from './saved-market.ts';
import { TradeBounds } from './trade-bounds.ts';
import type { TrendLine } from './trend-line.ts';
import { ValueStream } from './value-stream.ts';

const known = (value: number): number | null => (Number.isFinite(value) ? value : null);

export class Market {
  readonly instrument: InstrumentSpec;
  readonly bid: ValueStream;
  readonly ask: ValueStream;
  readonly trade: ValueStream;
  readonly spread: ValueStream;
  readonly clock: MarketClock;
  readonly indicators = new Map<Timeframe, IndicatorLines>();
  /** Close of the newest bar in ticks, by interval: set only for its own moment. */
  readonly closes = new Map<Timeframe, ValueStream>();
  readonly trendLines = new Map<Timeframe, Set<TrendLine>>();
  readonly absorption = new Absorption();
  readonly forming = new FormingBars();
  readonly moves: MovesBySide;
  readonly #users = new Map<string, number>();
  readonly #context: JudgingContext;
  /** Ticks per unit of the price. */
  readonly #scale: number;
  readonly quotes: QuoteBounds;
  readonly trades: TradeBounds;

  constructor(instrument: InstrumentSpec, context: JudgingContext) {
    this.instrument = instrument;
    this.clock = new MarketClock(instrument, context);
    this.#context = context;
    this.#scale = toTicks(1, instrument.digits);
    this.quotes = new QuoteBounds(this.#scale);
    this.trades = new TradeBounds(this.#scale);
    const { forget } = this.quotes;
    this.bid = new ValueStream(forget, true, true);
    this.ask = new ValueStream(forget, true, true);
    this.spread = new ValueStream(forget, false, true);
    this.trade = new ValueStream(this.trades.forget, true, true);
    this.moves = new MovesBySide(this.#scale, this.#forget);
    this.clock.age.onWatch = forget;
  }

  /** Of the newest quote; 0 if there is none. */
  get spreadTicks(): number {
    this.settle();
    return this.spread.value || 0;
  }

  /** Levels that events had to look at so far. */
  get looked(): number {
    const streams = [this.bid, this.ask, this.trade, this.spread, this.clock.age, ...this.closes.values()];
    for (const lines of this.trendLines.values()) for (const { stream } of lines) streams.push(stream);
    for (const { volume, delta } of this.forming.bars) streams.push(volume, delta);
    for (const moves of [this.moves.bid, this.moves.ask, this.moves.trade])
      for (const { up, down } of moves?.windows ?? []) streams.push(up, down);
    const lines = [...this.indicators.values()].reduce((sum, { looked }) => sum + looked, 0);
    return streams.reduce((sum, { looked }) => sum + looked, lines);
  }

  price(ticks: number): number {
    return fromTicks(ticks, this.instrument.digits);
  }

  /** Prices known before the first event. Ignored if newer ones are known. */
  seed(prices: StandingPrices): void {
    this.restore(marketOf(prices, this.instrument));
  }

  /** The forming bar of an interval. `warmUp` is used if no other alert looks at it. */
  formingBar(interval: Timeframe, warmUp: WarmUp): FormingBar {
    this.forming.settle();
    this.#forget();
    return (
      this.forming.find(interval) ?? this.forming.open(interval, warmUp.forming?.[interval] ?? null, this.trades.time)
    );
  }

  /** The move of a side within a number of minutes. If no other alert looks at it, it starts at the standing price. */
  openMove(side: PriceSide, minutes: number): MoveWindow {
    this.settle();
    return this.moves.open(side, minutes, side === 'trade' ? this.trades.time : this.quotes.time, this[side].value);
  }

  /** Counts an alert that looks at something shared; the result takes it back, and the last one drops what was shared. */
  share(key: string, drop: () => void): () => void {
    this.#users.set(key, (this.#users.get(key) ?? 0) + 1);
    return () => {
      const left = this.#users.get(key)! - 1;
      if (left > 0) this.#users.set(key, left);
      else {
        this.#users.delete(key);
        drop();
      }
    };
  }

  /** Gives the streams the newest quote and trade, if they were only noted. */
  settle(): void {
    const { quotes, trades } = this;
    if (quotes.noted) {
      const { time, bid, ask } = quotes.noted;
      quotes.noted = null;
      this.#setQuote(time, Math.round(bid * this.#scale), Math.round(ask * this.#scale));
    }
    if (trades.noted) {
      this.trade.value = Math.round(trades.noted.price * this.#scale);
      trades.noted = null;
    }
  }

  /** Returns whether alerts were judged, like `readFlow`. */
  readTick(seq: number | null, event: TickEvent): boolean {
    return !this.quotes.note(event) && this.#tickOutside(seq, event);
  }

  #tickOutside(seq: number | null, event: TickEvent): boolean {
    this.settle();
    this.#judgeTick(seq, event);
    // Any quote ends the age that `stale` alerts wait for.
    if (!(this.clock.age.below >= 0)) this.quotes.aim(this, this.forming.rollAt);
    return true;
  }

  #judgeTick(seq: number | null, { time, bid, ask }: TickEvent): void {
    const bidTicks = Math.round(bid * this.#scale);
    const askTicks = Math.round(ask * this.#scale);
    this.#context.begin(seq, time);
    if (time < this.quotes.time) {
      this.bid.wakeLate(bidTicks);
      this.ask.wakeLate(askTicks);
      return;
    }
    this.advance(seq, time);
    const { bid: bidStream, ask: askStream, spread, clock, moves } = this;
    bidStream.rouse(time);
    askStream.rouse(time);
    spread.rouse(time);
    this.quotes.time = time;
    const bidBefore = bidStream.value;
    const askBefore = askStream.value;
    this.#setQuote(time, bidTicks, askTicks);
    const bidMoved = moves.bid?.add(time, bidTicks, bid) ?? false;
    const askMoved = moves.ask?.add(time, askTicks, ask) ?? false;
    if (bidMoved) moves.bid!.measure(time, bidTicks);
    if (askMoved) moves.ask!.measure(time, askTicks);
    this.#context.begin(seq, time);
    bidStream.beginChange(bidBefore);
    askStream.beginChange(askBefore);
    bidStream.wake();
    askStream.wake();
    spread.wake();
    clock.age.wake();
    if (bidMoved) moves.bid!.wake();
    if (askMoved) moves.ask!.wake();
    bidStream.endChange();
    askStream.endChange();
  }

  readFlow(seq: number | null, event: FlowEvent): boolean {
    const { trades, forming } = this;
    if (!trades.contain(event)) return this.#flowOutside(seq, event);
    if (forming.isUsed && forming.add(event)) return this.#flowReaches(seq, event, true);
    trades.note(event);
    return false;
  }

  #flowOutside(seq: number | null, event: FlowEvent): boolean {
    if (event.time >= this.trades.time) this.advance(seq, event.time);
    return this.#flowReaches(seq, event, this.forming.addTrade(event));
  }

  #flowReaches(seq: number | null, event: FlowEvent, formed: boolean): boolean {
    this.settle();
    this.#judgeFlow(seq, event, formed);
    this.trades.aim(this);
    return true;
  }

  #judgeFlow(seq: number | null, { time, price, absorption }: FlowEvent, formed: boolean): void {
    const [trade, moves] = [this.trade, this.moves.trade];
    const ticks = Math.round(price * this.#scale);
    const isLate = time < this.trades.time;
    let moved = false;
    if (!isLate) {
      trade.rouse(time);
      this.trades.time = time;
      moved = moves?.add(time, ticks, price) ?? false;
    }
    this.#context.begin(seq, time);
    trade.beginChange(trade.value);
    if (isLate) trade.wakeLate(ticks);
    else {
      trade.value = ticks;
      if (moved) moves!.measure(time, ticks);
      trade.wake();
    }
    if (moved) moves!.wake();
    if (formed) this.forming.wake();
    trade.endChange();
    this.absorption.read(absorption ?? 'none', price);
  }

  readMinute(seq: number | null, bar: Bar): void {
    readMinute(this, this.#context, seq, bar);
  }

  readBar(seq: number | null, { timeframe, bar }: BarEvent): void {
    this.settle();
    const close = this.closes.get(timeframe);
    if (close) {
      this.#context.beginBar(seq, timeframe, bar);
      close.value = toTicks(bar.close, this.instrument.digits);
      close.wake();
    }
    const moved = [...(this.trendLines.get(timeframe) ?? [])].filter((line) => line.read(bar));
    const lines = this.indicators.get(timeframe);
    if (lines?.read(bar)) {
      // An amended bar changes the values at the newest one.
      this.#context.beginBar(seq, timeframe, lines.newest!);
      lines.wake();
    }
    if (moved.length === 0) return;
    this.#context.beginBar(seq, timeframe, bar);
    for (const { stream } of moved) stream.wake();
  }

  readClock(seq: number | null, time: EpochMs): void {
    this.settle();
    this.advance(seq, time);
    this.clock.read(seq, time);
  }

  /** Begins new forming bars, as separate moments before the event that reveals them. */
  advance(seq: number | null, time: EpochMs): void {
    if (time < this.forming.rollAt) return;
    this.settle();
    this.#forget();
    for (const bar of this.forming.roll(time)) {
      this.#context.begin(seq, asEpochMs(bar.start), `forming:${bar.interval}:${bar.start}`);
      bar.wake();
    }
  }

  save(): SavedMarket {
    this.settle();
    return {
      bid: known(this.bid.value),
      ask: known(this.ask.value),
      trade: known(this.trade.value),
      spread: known(this.spread.value),
      quoted: known(this.quotes.time),
      traded: known(this.trades.time),
      absorption: this.absorption.side,
      clock: this.clock.save(),
    };
  }

  restore({ bid, ask, trade, spread, quoted, traded, absorption, clock }: SavedMarket): void {
    this.settle();
    this.#forget();
    if (quoted !== null && quoted > this.quotes.time && bid !== null) {
      this.quotes.time = quoted;
      this.bid.value = bid;
      this.ask.value = ask ?? Number.NaN;
      this.spread.value = spread ?? Number.NaN;
    }
    if (traded !== null && traded > this.trades.time && trade !== null) {
      this.trades.time = traded;
      this.trade.value = trade;
    }
    this.absorption.side ??= absorption;
    this.clock.restore(clock);
  }

  /** Levels have changed: the next quote and the next trade are compared exactly. */
  readonly #forget = (): void => {
    this.quotes.forget();
    this.trades.forget();
  };

  #setQuote(time: number, bidTicks: number, askTicks: number): void {
    this.bid.value = bidTicks;
    this.ask.value = askTicks;
    this.spread.value = askTicks - bidTicks;
    this.clock.quote(time);
  }
}
