// Market logic: events in, events out. Pure and synchronous: no I/O and no clock, so the same input gives the same output.
import type { Timeframe } from '@tickwire/contract';
import { type BarHistory, BarSeries, LATE_WINDOW_MS } from './bar-series.ts';
import type { Bar, BarEvent, EngineEvent, EngineInput, MinuteEvent, QuoteEvent, TradeEvent } from './events.ts';
import type { InstrumentSpec, MarketSymbol } from './instrument.ts';
import { MinuteHistograms } from './minute-histograms.ts';
import { OrderFlow } from './order-flow.ts';
import { PerInstrument } from './per-instrument.ts';
import { roundSize } from './price.ts';
import { type EpochMs, MINUTE_MS } from './time.ts';
import type { MinuteHistogram } from './volume-level.ts';

/** Minutes whose volume at price may change: the current one, and those that a late trade can amend. */
const AMENDED_MINUTES = LATE_WINDOW_MS / MINUTE_MS + 1;

interface Market {
  readonly bars: BarSeries;
  readonly flow: OrderFlow;
  spread: number;
  /** Size traded since the last tick; used if the feed is known to have trades. */
  traded: number;
  hasTrades: boolean;
}

/** State of an instrument that is restored after a restart. */
export interface MarketState {
  readonly history: BarHistory;
  /** Volume at price of the last minutes before `from`. */
  readonly histograms?: readonly MinuteHistogram[];
  /** Start of the minute from which events follow. */
  readonly from: EpochMs;
  readonly cumulativeDelta: number;
  readonly spread: number;
}

export class Engine {
  readonly #markets: PerInstrument<Market>;
  #out: EngineEvent[] = [];
  #clockMinute = 0;

  /** The list may grow. */
  constructor(instruments: readonly InstrumentSpec[]) {
    this.#markets = PerInstrument.of(instruments, (spec) => this.#open(spec));
  }

  /** Ticks of all instruments that arrived too late to amend a bar. */
  get lateTicks(): number {
    let count = 0;
    for (const market of this.#markets.values()) count += market.bars.lateTicks;
    return count;
  }

  /** Applies one event and appends the resulting events to `out`. Intake guarantees that its symbols are known. */
  apply(input: EngineInput, out: EngineEvent[]): void {
    this.#out = out;
    switch (input.kind) {
      case 'quote':
        this.#quote(input, out);
        return;
      case 'trade':
        this.#trade(input, out);
        return;
      case 'minute':
        this.#minute(input);
        out.push(input);
        return;
      case 'history':
        this.#markets.get(input.symbol)!.bars.addHistory(input.bars);
        out.push(input);
        return;
      case 'clock':
        this.#clock(input.time);
        out.push(input);
        return;
      default:
        out.push(input);
    }
  }

  /** The bar of the current interval, or `null` if it has no price yet. */
  forming(symbol: MarketSymbol, timeframe: Timeframe): Bar | null {
    return this.#markets.get(symbol)?.bars.forming(timeframe) ?? null;
  }

  restore(symbol: MarketSymbol, state: MarketState): void {
    const market = this.#markets.get(symbol);
    if (!market) return;
    market.bars.restore(state.history, state.from, state.histograms);
    market.flow.restore(state.from, state.cumulativeDelta);
    market.spread = state.spread;
    market.hasTrades ||= state.history['1m']?.at(-1)?.basis === 'trade';
  }

  #open(spec: InstrumentSpec): Market {
    const { symbol, bars: source } = spec;
    const histograms = new MinuteHistograms(spec, AMENDED_MINUTES);
    const emit = (event: BarEvent): void => {
      const histogram = event.timeframe === '1m' ? histograms.at(event.bar.time) : null;
      this.#out.push(histogram ? { ...event, histogram } : event);
    };
    const bars = new BarSeries(symbol, emit, source, histograms);
    return { bars, flow: new OrderFlow(), spread: 0, traded: 0, hasTrades: source === 'trades' };
  }

  #quote(quote: QuoteEvent, out: EngineEvent[]): void {
    const market = this.#markets.get(quote.symbol)!;
    market.bars.quote(quote.time, quote.bid, quote.bidSize);
    market.spread = quote.ask - quote.bid;
    const volume = market.hasTrades ? roundSize(market.traded) : quote.bidSize || 1;
    market.traded = 0;
    const { symbol, time, bid, ask, bidSize, askSize } = quote;
    out.push({ kind: 'tick', symbol, time, bid, ask, bidSize, askSize, volume });
  }

  #trade(trade: TradeEvent, out: EngineEvent[]): void {
    const market = this.#markets.get(trade.symbol)!;
    const { symbol, time, price, size, side, sideMethod, id } = trade;
    market.hasTrades = true;
    market.traded += size;
    market.bars.trade(time, price, size, side, sideMethod);
    market.flow.trade(time, price, size, side);
    out.push({
      kind: 'flow',
      symbol,
      time,
      price,
      size,
      side,
      sideMethod,
      cumulativeDelta: market.flow.cumulative,
      imbalance: market.flow.imbalance,
      absorption: market.flow.absorption(price, market.spread),
      id,
    });
  }

  #minute({ symbol, bar }: MinuteEvent): void {
    if (bar.partial) return;
    const market = this.#markets.get(symbol)!;
    market.bars.addMinuteBar(bar);
    market.flow.addMinute(bar.time, bar.bidVolume, bar.askVolume);
    if (bar.basis === 'trade') market.hasTrades = true;
  }

  #clock(time: EpochMs): void {
    const minute = time - (time % MINUTE_MS);
    if (minute <= this.#clockMinute) return;
    this.#clockMinute = minute;
    for (const market of this.#markets.values()) {
      market.bars.advance(time);
      market.flow.advance(time);
    }
  }
}
