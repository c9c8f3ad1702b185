// Bars as messages: as they are sent, and as closed ones are kept for clients that resume.
import { TIMEFRAMES, type Timeframe } from '@tickwire/contract';
import type { Bar, MarketSymbol } from '@tickwire/engine';
import { MessageRing } from '../../ws/message-ring.ts';

type BarFields = Pick<Bar, 'time' | 'open' | 'high' | 'low' | 'close' | 'volume'>;

export function barBody(symbol: MarketSymbol, timeframe: Timeframe, bar: BarFields, closed: boolean): string {
  const { time, open, high, low, close, volume } = bar;
  return `{"channel":"bars","symbol":"${symbol}","timeframe":"${timeframe}","time":${Math.floor(time / 1000)},"open":${open},"high":${high},"low":${low},"close":${close},"volume":${volume},"closed":${closed}`;
}

/** A bar with the values of indicators, which are JSON already. */
export const withIndicators = (body: string, indicators: string): string => `${body},"indicators":${indicators}`;

/** Bars that closed or were amended. Each instrument has a topic for each timeframe; `prev` is that of the subscriber. */
export class BarRing extends MessageRing {
  readonly #times = new Float64Array(this.capacity);
  readonly #opens = new Float64Array(this.capacity);
  readonly #highs = new Float64Array(this.capacity);
  readonly #lows = new Float64Array(this.capacity);
  readonly #closes = new Float64Array(this.capacity);
  readonly #volumes = new Float64Array(this.capacity);

  static topicOf(instrument: number, timeframe: Timeframe): number {
    return instrument * TIMEFRAMES.length + TIMEFRAMES.indexOf(timeframe);
  }

  add(seq: number, instrument: number, timeframe: Timeframe, bar: Bar): void {
    const slot = this.addRow(seq, 0, BarRing.topicOf(instrument, timeframe));
    this.#times[slot] = bar.time;
    this.#opens[slot] = bar.open;
    this.#highs[slot] = bar.high;
    this.#lows[slot] = bar.low;
    this.#closes[slot] = bar.close;
    this.#volumes[slot] = bar.volume;
  }

  timeAt(position: number): number {
    return this.#times[position % this.capacity]!;
  }

  bodyAt(position: number): string {
    const slot = position % this.capacity;
    const topic = this.topicAt(position);
    const bar = {
      time: this.#times[slot]! as Bar['time'],
      open: this.#opens[slot]!,
      high: this.#highs[slot]!,
      low: this.#lows[slot]!,
      close: this.#closes[slot]!,
      volume: this.#volumes[slot]!,
    };
    const { symbol } = this.instruments[Math.floor(topic / TIMEFRAMES.length)]!;
    return barBody(symbol, TIMEFRAMES[topic % TIMEFRAMES.length]!, bar, true);
  }
}
