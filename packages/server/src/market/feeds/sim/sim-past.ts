// The past of simulated markets at any depth, without storing it. A day is drawn from the path, as in the history of a new
// store, and each longer bar determines the shorter ones in it: 1d → 4h → 1h → 15m → 5m → 1m. A bar of any timeframe therefore
// costs a few draws, and the bars of all timeframes agree exactly. Stored bars without shorter ones are continued in the same
// way.
import { TIMEFRAME_MS, TIMEFRAMES, type Timeframe } from '@tickwire/contract';
import { type Bar, DAY_MS, type HoursName, type MarketSymbol, MINUTE_MS } from '@tickwire/engine';
import { LruMap } from '../../../work/lru-map.ts';
import { BUCKET_UNITS } from './activity-profile.ts';
import { drawBar } from './bar-draw.ts';
import { type BarSpan, openSpan } from './bar-plan.ts';
import { fitBars } from './fit-bars.ts';
import { buildModel, type InstrumentModel, type MarketModel, Paths, type SimOptions, volatilityOf } from './model.ts';
import { drawPart } from './part-draw.ts';
import { exp } from './portable-math.ts';
import { fromBar, fromTickBar, type TickBar, toTickBar } from './tick-bar.ts';
import { UNIT_MS } from './time-grid.ts';

/** The past begins here, as do the holidays of the trading calendars. */
export const PAST_BEGINS = Date.UTC(2000, 0, 1);

const MINUTES_PER_DAY = DAY_MS / MINUTE_MS;
/** Duration of a bucket of the activity profile. */
const BUCKET_MS = BUCKET_UNITS * UNIT_MS;

/** A range of bar starts in milliseconds, both inclusive. */
export interface TimeRange {
  readonly from: number;
  readonly to: number;
}

/** Days whose prices are kept: more than the readings that take turns. */
const DAYS_KEPT = 32;
/** Bars up to this timeframe are divided at once; longer ones in parts, between which other work runs. */
const AT_ONCE = TIMEFRAMES.indexOf('1h');

interface DayPrices {
  /** At the minutes of the day, including its end; 0 if not read yet. */
  readonly prices: Float64Array;
  readonly at: (time: number) => number;
}

export class SimPast {
  readonly #model: MarketModel;
  readonly #hours: SimOptions['hours'];
  readonly #paths: Paths;
  readonly #instruments: ReadonlyMap<MarketSymbol, InstrumentModel>;
  /** By instrument and day. */
  readonly #prices = new LruMap<string, DayPrices>(DAYS_KEPT);

  constructor(instruments: Parameters<typeof buildModel>[0], options: SimOptions) {
    this.#model = buildModel(instruments, options);
    this.#hours = options.hours;
    this.#paths = new Paths(this.#model.factors);
    this.#instruments = new Map(this.#model.instruments.map((each) => [each.spec.symbol, each]));
  }

  has(symbol: MarketSymbol): boolean {
    return this.#instruments.has(symbol);
  }

  /** Bars of one UTC day, which starts at `day`, ascending, in parts of a fraction of a millisecond. */
  *barsOfDay(symbol: MarketSymbol, day: number, timeframe: Timeframe, range: TimeRange): Generator<Bar[], void, void> {
    const instrument = this.#instruments.get(symbol)!;
    const span = openSpan(this.#hoursOf(instrument), day, day + DAY_MS);
    if (!span) return;
    const [first, last] = [span.from, span.to].map((time) => this.#paths.logPrice(instrument, time / UNIT_MS));
    const drawn = toTickBar(instrument, drawBar(this.#model, instrument, span, first!, last!));
    if (timeframe === '1m' && range.from <= day && range.to >= day + DAY_MS / 2) {
      this.#readPrices(instrument, day);
      yield [];
    }
    yield* this.#parts(instrument, day, drawn, TIMEFRAMES.length - 1, TIMEFRAMES.indexOf(timeframe), range);
  }

  /** The shorter bars of a bar that is known, ascending, in parts. None if the market is closed all the time. */
  barsWithin(symbol: MarketSymbol, bar: Bar, length: Timeframe, timeframe: Timeframe, range: TimeRange) {
    const instrument = this.#instruments.get(symbol)!;
    const [from, to] = [TIMEFRAMES.indexOf(length), TIMEFRAMES.indexOf(timeframe)];
    return this.#parts(instrument, bar.time, fromBar(instrument, bar), from, to, range);
  }

  /** The bars of the timeframe `wanted` in the bar of the timeframe `place` that starts at `time`. */
  *#parts(
    instrument: InstrumentModel,
    time: number,
    bar: TickBar,
    place: number,
    wanted: number,
    range: TimeRange,
  ): Generator<Bar[], void, void> {
    if (place <= AT_ONCE || place === wanted) {
      const bars: Bar[] = [];
      this.#collect(instrument, time, bar, place, wanted, range, bars);
      yield bars;
      return;
    }
    for (const shorter of this.#shorter(instrument, time, bar, place, range))
      yield* this.#parts(instrument, shorter.time, shorter.bar, place - 1, wanted, range);
  }

  /** Appends the bars of the timeframe `wanted` in the bar of the timeframe `place` that starts at `time`. */
  #collect(
    instrument: InstrumentModel,
    time: number,
    bar: TickBar,
    place: number,
    wanted: number,
    range: TimeRange,
    into: Bar[],
  ): void {
    if (place === wanted) {
      if (time >= range.from && time <= range.to) into.push(fromTickBar(instrument, time, bar));
      return;
    }
    for (const shorter of this.#shorter(instrument, time, bar, place, range))
      this.#collect(instrument, shorter.time, shorter.bar, place - 1, wanted, range, into);
  }

  /** The bars of the next shorter timeframe, as far as they overlap the range. */
  #shorter(instrument: InstrumentModel, time: number, bar: TickBar, place: number, range: TimeRange) {
    const length = TIMEFRAME_MS[TIMEFRAMES[place - 1]!];
    const spans = this.#spansIn(instrument, time, time + TIMEFRAME_MS[TIMEFRAMES[place]!], length);
    if (spans.length === 0) return [];
    return this.#divide(instrument, bar, spans, place - 1)
      .map((shorter, at) => ({ time: spans[at]!.time, bar: shorter }))
      .filter((each) => each.time + length > range.from && each.time <= range.to);
  }

  /** Divides a bar into those of the timeframe `place`. */
  #divide(instrument: InstrumentModel, whole: TickBar, spans: readonly BarSpan[], place: number): TickBar[] {
    const pieces = place === 0 ? 1 : TIMEFRAME_MS[TIMEFRAMES[place]!] / TIMEFRAME_MS[TIMEFRAMES[place - 1]!];
    const { at } = this.#pricesOf(instrument, spans[0]!.from);
    let volatility = 1;
    return fitBars(
      whole,
      spans.map((span, index) => {
        // It hardly changes between the minutes of five.
        if (place > 0 || index === 0)
          volatility = volatilityOf(this.#model, instrument, Math.floor((span.from + span.to) / 2 / BUCKET_MS));
        return drawPart({ instrument, span, place, pieces, volatility, at });
      }),
    );
  }

  /** Reads all prices of a day, for which single ones would take longer. */
  #readPrices(instrument: InstrumentModel, day: number): void {
    const { prices } = this.#pricesOf(instrument, day);
    this.#paths.logPricesOfMinutes(instrument, day / UNIT_MS, prices);
    for (let minute = 0; minute < prices.length; minute++) prices[minute] = exp(prices[minute]!) * instrument.tickScale;
  }

  /** Mid prices at the minutes of the day of `time`, in ticks, not rounded. Each is read from the path once. */
  #pricesOf(instrument: InstrumentModel, time: number): DayPrices {
    const day = Math.floor(time / DAY_MS) * DAY_MS;
    const key = `${instrument.spec.symbol} ${day}`;
    const known = this.#prices.get(key);
    if (known) return known;
    const prices = new Float64Array(MINUTES_PER_DAY + 1);
    const at = (when: number): number => {
      const minute = (when - day) / MINUTE_MS;
      const read = prices[minute]!;
      if (read > 0) return read;
      const price = exp(this.#paths.logPrice(instrument, when / UNIT_MS)) * instrument.tickScale;
      prices[minute] = price;
      return price;
    };
    const made = { prices, at };
    this.#prices.set(key, made);
    return made;
  }

  #spansIn(instrument: InstrumentModel, start: number, end: number, length: number): BarSpan[] {
    const hours = this.#hoursOf(instrument);
    const spans: BarSpan[] = [];
    for (let time = start; time < end; time += length) {
      const span = openSpan(hours, time, time + length);
      if (span) spans.push(span);
    }
    return spans;
  }

  #hoursOf({ spec }: InstrumentModel): HoursName {
    return this.#hours === 'always' ? 'always' : spec.hours;
  }
}
