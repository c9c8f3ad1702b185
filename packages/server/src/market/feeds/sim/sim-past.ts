// The past of simulated markets at any depth, without storing it. A day is drawn from the path, as in the history of a new
// store, and each longer bar determines the shorter ones in it: 1d → 4h → 1h → 15m → 5m → 1m. A bar of any timeframe therefore
// costs a few draws, and the bars of all timeframes agree exactly. Stored bars without shorter ones are continued in the same
// way.
import { TIMEFRAME_MS, TIMEFRAMES, type Timeframe } from '@tickwire/contract';
import { type Bar, DAY_MS, type HoursName, type MarketSymbol } from '@tickwire/engine';
import { drawBar } from './bar-draw.ts';
import { type BarSpan, openSpan } from './bar-plan.ts';
import { fitBars } from './fit-bars.ts';
import { buildModel, type InstrumentModel, type MarketModel, Paths, type SimOptions } from './model.ts';
import { fromBar, type TickBar, toBar, toTicks } from './tick-bar.ts';
import { UNIT_MS } from './time-grid.ts';

/** The past begins here, as do the holidays of the trading calendars. */
export const PAST_BEGINS = Date.UTC(2000, 0, 1);

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
    const drawn = toTicks(instrument, this.#draw(instrument, span, this.#at(instrument, span.from)).bar);
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
    { from, to }: TimeRange,
    into: Bar[],
  ): void {
    if (place === wanted) {
      if (time >= from && time <= to) into.push(toBar(instrument, time, bar));
      return;
    }
    const length = TIMEFRAME_MS[TIMEFRAMES[place - 1]!];
    const spans = this.#spansIn(instrument, time, time + TIMEFRAME_MS[TIMEFRAMES[place]!], length);
    if (spans.length === 0) return;
    const shorter = this.#fit(instrument, bar, spans);
    for (const [at, span] of spans.entries())
      if (span.time + length > from && span.time <= to)
        this.#collect(instrument, span.time, shorter[at]!, place - 1, wanted, { from, to }, into);
  }

  #fit(instrument: InstrumentModel, whole: TickBar, spans: readonly BarSpan[]): TickBar[] {
    let value = Number.NaN;
    const drawn = spans.map((span, at) => {
      const first = at > 0 && spans[at - 1]!.to === span.from ? value : this.#at(instrument, span.from);
      const { bar, last } = this.#draw(instrument, span, first);
      value = last;
      return bar;
    });
    return fitBars(whole, spans, drawn, instrument.tickScale);
  }

  #draw(instrument: InstrumentModel, span: BarSpan, first: number) {
    const last = this.#at(instrument, span.to);
    return { bar: drawBar(this.#model, instrument, span, first, last), last };
  }

  /** Log of the mid price. */
  #at(instrument: InstrumentModel, time: number): number {
    return this.#paths.logPrice(instrument, time / UNIT_MS);
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
