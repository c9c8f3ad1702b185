// The past of simulated markets at any depth, without storing it. A day is drawn from the path, as in the history of a new
// store, and each longer bar determines the shorter ones in it: 1d → 4h → 1h → 15m → 5m → 1m. A bar of any timeframe therefore
// costs a few draws, and the bars of all timeframes agree exactly. Stored bars without shorter ones are continued in the same
// way.
import { TIMEFRAME_MS, TIMEFRAMES, type Timeframe } from '@tickwire/contract';
import { type Bar, DAY_MS, type HoursName, type MarketSymbol, MINUTE_MS } from '@tickwire/engine';
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

export class SimPast {
  readonly #model: MarketModel;
  readonly #hours: SimOptions['hours'];
  readonly #paths: Paths;
  readonly #instruments: ReadonlyMap<MarketSymbol, InstrumentModel>;
  /** Prices at the minutes of the day that was read last, including its end; 0 if not read yet. */
  readonly #prices = new Float64Array(MINUTES_PER_DAY + 1);
  #priced: { readonly instrument: InstrumentModel; readonly day: number; at(time: number): number } | null = null;

  constructor(instruments: Parameters<typeof buildModel>[0], options: SimOptions) {
    this.#model = buildModel(instruments, options);
    this.#hours = options.hours;
    this.#paths = new Paths(this.#model.factors);
    this.#instruments = new Map(this.#model.instruments.map((each) => [each.spec.symbol, each]));
  }

  has(symbol: MarketSymbol): boolean {
    return this.#instruments.has(symbol);
  }

  /** Bars of one UTC day, which starts at `day`, ascending. */
  barsOfDay(symbol: MarketSymbol, day: number, timeframe: Timeframe, range: TimeRange): Bar[] {
    const instrument = this.#instruments.get(symbol)!;
    const bars: Bar[] = [];
    const span = openSpan(this.#hoursOf(instrument), day, day + DAY_MS);
    if (!span) return bars;
    const [first, last] = [span.from, span.to].map((time) => this.#paths.logPrice(instrument, time / UNIT_MS));
    const drawn = toTickBar(instrument, drawBar(this.#model, instrument, span, first!, last!));
    if (timeframe === '1m' && range.from <= day && range.to >= day + DAY_MS / 2) this.#readPrices(instrument, day);
    this.#collect(instrument, day, drawn, TIMEFRAMES.length - 1, TIMEFRAMES.indexOf(timeframe), range, bars);
    return bars;
  }

  /** The shorter bars of a bar that is known, ascending. None if the market is closed all the time. */
  barsWithin(symbol: MarketSymbol, bar: Bar, length: Timeframe, timeframe: Timeframe, range: TimeRange): Bar[] {
    const instrument = this.#instruments.get(symbol)!;
    const bars: Bar[] = [];
    const [from, to] = [TIMEFRAMES.indexOf(length), TIMEFRAMES.indexOf(timeframe)];
    this.#collect(instrument, bar.time, fromBar(instrument, bar), from, to, range, bars);
    return bars;
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
    const length = TIMEFRAME_MS[TIMEFRAMES[place - 1]!];
    const spans = this.#spansIn(instrument, time, time + TIMEFRAME_MS[TIMEFRAMES[place]!], length);
    if (spans.length === 0) return;
    const shorter = this.#divide(instrument, bar, spans, place - 1);
    for (let at = 0; at < spans.length; at++) {
      const start = spans[at]!.time;
      if (start + length > range.from && start <= range.to)
        this.#collect(instrument, start, shorter[at]!, place - 1, wanted, range, into);
    }
  }

  /** Divides a bar into those of the timeframe `place`. */
  #divide(instrument: InstrumentModel, whole: TickBar, spans: readonly BarSpan[], place: number): TickBar[] {
    const pieces = place === 0 ? 1 : TIMEFRAME_MS[TIMEFRAMES[place]!] / TIMEFRAME_MS[TIMEFRAMES[place - 1]!];
    const at = this.#pricesOf(instrument, spans[0]!.from);
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
    this.#pricesOf(instrument, day);
    const prices = this.#prices;
    this.#paths.logPricesOfMinutes(instrument, day / UNIT_MS, prices);
    for (let minute = 0; minute < prices.length; minute++) prices[minute] = exp(prices[minute]!) * instrument.tickScale;
  }

  /** Mid prices at the minutes of the day of `time`, in ticks, not rounded. Each is read from the path once. */
  #pricesOf(instrument: InstrumentModel, time: number): (time: number) => number {
    const day = Math.floor(time / DAY_MS) * DAY_MS;
    if (this.#priced?.instrument !== instrument || this.#priced.day !== day) {
      const prices = this.#prices.fill(0);
      const at = (when: number): number => {
        const minute = (when - day) / MINUTE_MS;
        const known = prices[minute]!;
        if (known > 0) return known;
        const price = exp(this.#paths.logPrice(instrument, when / UNIT_MS)) * instrument.tickScale;
        prices[minute] = price;
        return price;
      };
      this.#priced = { instrument, day, at };
    }
    return this.#priced.at;
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
