// The simulated markets: quotes and trades of all instruments at any time, as a pure function of seed, rate, hours mode,
// instruments and time. No state is carried from one 125 ms unit to the next, so after a restart, or on another node, the same
// events follow without a jump or a gap.
import { asEpochMs, type EpochMs, type InstrumentSpec, isMarketOpen, type PriceEvent } from '@tickwire/engine';
import { Conditions, PRESSURE_SIZE } from './conditions.ts';
import { SIZE_MULTIPLES } from './liquidity.ts';
import { buildModel, type InstrumentModel, type MarketModel, Paths, Purpose, type SimOptions } from './model.ts';
import { TickBuffer } from './tick-buffer.ts';
import { UNIT_MS, UNITS_PER_SECOND } from './time-grid.ts';

export type { SimOptions } from './model.ts';

/** Quotes per second vary between these multiples of the instrument's rate. */
const MIN_SECOND_RATE = 0.5;
const MAX_SECOND_RATE = 1.5;
/** Quote sizes are this many times the mean trade. */
const DEPTH = 4;
/** During absorption nearly all trades are of one side, and the absorbing side is deeper. */
const PRESSURE_CHANCE = 0.93;
const ABSORBING_DEPTH = 3;
/** How far quotes deviate from the path, in spreads. */
const QUOTE_NOISE = 0.3;

export class SimMarket {
  readonly options: SimOptions;
  readonly model: MarketModel;
  readonly #paths: Paths;
  /** Cursors for other times than the current unit. */
  readonly #lookahead: Paths;
  readonly #conditions: readonly Conditions[];
  readonly #buffer: TickBuffer;
  /** The unit that is in the buffer. */
  #bufferedUnit = -1;

  constructor(instruments: readonly InstrumentSpec[], options: SimOptions) {
    this.options = options;
    this.model = buildModel(instruments, options);
    this.#paths = new Paths(this.model.factors);
    this.#lookahead = new Paths(this.model.factors);
    this.#conditions = this.model.instruments.map(
      (instrument) => new Conditions(this.model, instrument, this.#lookahead),
    );
    let capacity = 0;
    for (const { quotesPerUnit } of this.model.instruments)
      capacity += 2 * (Math.floor(quotesPerUnit * MAX_SECOND_RATE) + 1);
    this.#buffer = new TickBuffer(this.model.instruments, capacity);
  }

  /** All events with from ≤ time < to, in the order of time. For long periods: one unit is in memory at a time. */
  *events(from: EpochMs, to: EpochMs): Generator<PriceEvent, void, undefined> {
    const batch: PriceEvent[] = [];
    for (let start: number = from; start < to; ) {
      const end = Math.min(to, (Math.floor(start / UNIT_MS) + 1) * UNIT_MS);
      batch.length = 0;
      yield* this.collect(start as EpochMs, end as EpochMs, batch);
      start = end;
    }
  }

  /** The same, appended to an array: faster for live steps. */
  collect(from: EpochMs, to: EpochMs, into: PriceEvent[] = []): PriceEvent[] {
    if (to <= from) return into;
    const last = Math.ceil(to / UNIT_MS);
    for (let unit = Math.floor(from / UNIT_MS); unit < last; unit++) {
      if (unit !== this.#bufferedUnit) this.#fill(unit);
      const start = unit * UNIT_MS;
      this.#buffer.emit(start, Math.max(0, from - start), Math.min(UNIT_MS, to - start), into);
    }
    return into;
  }

  /** Mid price of a time, not rounded, whether the market is open or closed. */
  midPrice(symbol: InstrumentSpec['symbol'], time: EpochMs): number {
    const instrument = this.model.instruments.find(({ spec }) => spec.symbol === symbol);
    if (!instrument) throw new Error(`${symbol} is not a simulated instrument`);
    return Math.exp(this.#lookahead.logPrice(instrument, Math.floor(time / UNIT_MS)));
  }

  #fill(unit: number): void {
    const { instruments } = this.model;
    const hasHours = this.options.hours === 'real';
    this.#buffer.count = 0;
    for (let index = 0; index < instruments.length; index++) {
      const instrument = instruments[index]!;
      if (hasHours && !isMarketOpen(instrument.spec.hours, asEpochMs(unit * UNIT_MS))) continue;
      const second = Math.floor(unit / UNITS_PER_SECOND);
      const rate =
        MIN_SECOND_RATE + (MAX_SECOND_RATE - MIN_SECOND_RATE) * instrument.noise.uniform(second, Purpose.rate);
      const quotes = Math.floor(instrument.quotesPerUnit * rate + instrument.noise.uniform(unit, Purpose.count));
      if (quotes === 0) continue;
      this.#conditions[index]!.refresh(second);
      this.#addTicks(index, instrument, unit, quotes);
    }
    this.#buffer.sort();
    this.#bufferedUnit = unit;
  }

  /** Adds an instrument's quotes of a unit, evenly spread with jitter, about half of them followed by a trade. */
  #addTicks(index: number, instrument: InstrumentModel, unit: number, quotes: number): void {
    const { spread: meanSpread, buyBias, pressure, tradeSteps } = this.#conditions[index]!;
    const { factors, noise: ticks, weights, tickScale } = instrument;
    let left = instrument.logBase;
    let change = 0;
    for (let at = 0; at < weights.length; at++) {
      const path = this.#paths.factors[factors[at]!]!;
      path.seek(unit);
      left += weights[at]! * path.left;
      change += weights[at]! * (path.right - path.left);
    }
    const middle = Math.exp(left) * tickScale;
    // Over 125 ms the log-change is so small that it equals the relative change.
    const slope = middle * change;
    const buyChance = pressure === 0 ? 0.5 + buyBias : pressure > 0 ? PRESSURE_CHANCE : 1 - PRESSURE_CHANCE;
    const size = pressure === 0 ? tradeSteps : tradeSteps * PRESSURE_SIZE;
    const bidDepth = tradeSteps * DEPTH * (pressure < 0 ? ABSORBING_DEPTH : 1);
    const askDepth = tradeSteps * DEPTH * (pressure > 0 ? ABSORBING_DEPTH : 1);
    const buffer = this.#buffer;
    for (let quote = 0; quote < quotes; quote++) {
      // Bit fields of three random words per quote: 10 bits of time, 8 of noise, 7 of spread, 1 for the trade.
      const { a: word, b: depths, c: taker } = ticks.draw(unit, Purpose.quote + quote);
      const jitter = (word >>> 22) / 1024;
      const when = (quote + jitter) / quotes;
      const noise = (((word >>> 14) & 255) / 255 - 0.5) * QUOTE_NOISE * meanSpread;
      const spread = Math.max(1, Math.round(meanSpread * (0.85 + (((word >>> 7) & 127) / 127) * 0.3)));
      const bid = Math.max(1, Math.round(middle + slope * when + noise - spread / 2));
      const bidSize = Math.max(1, Math.round(bidDepth * (0.2 + ((depths >>> 22) / 1024) * 1.6)));
      const askSize = Math.max(1, Math.round(askDepth * (0.2 + (((depths >>> 12) & 1023) / 1024) * 1.6)));
      buffer.addQuote(index, Math.floor(when * UNIT_MS), bid, bid + spread, bidSize, askSize);
      if ((word & 1) === 0) continue;
      const buys = (taker >>> 21) / 2048 < buyChance;
      const later = (quote + jitter + (1 - jitter) * ((depths & 1023) / 1024)) / quotes;
      const steps = Math.max(1, Math.round(size * SIZE_MULTIPLES[taker & 1023]!));
      buffer.addTrade(index, Math.floor(later * UNIT_MS), buys ? bid + spread : bid, steps, buys);
    }
  }
}
