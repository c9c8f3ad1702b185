// Finds stories in the simulated markets at a given time, the most remarkable first.
import { asEpochMs, DAY_MS, isMarketOpen, type MarketSymbol, MINUTE_MS } from '@tickwire/engine';
import { BUCKET_UNITS } from '../../market/feeds/sim/activity-profile.ts';
import { Conditions } from '../../market/feeds/sim/conditions.ts';
import { activityOf, type InstrumentModel, Paths, Purpose } from '../../market/feeds/sim/model.ts';
import type { SimMarket } from '../../market/feeds/sim/sim-market.ts';
import { UNITS_PER_MINUTE } from '../../market/feeds/sim/time-grid.ts';
import { MinutePrices } from './minute-prices.ts';
import type { Direction, DollarStory, ExtremeStory, MoveStory, PressureStory, QuietStory } from './story.ts';

const DAY_MINUTES = DAY_MS / MINUTE_MS;
const SPANS = [15, 60, 120, 240] as const;
/** A move is a story from this multiple of the usual move on. The scores of other stories are on the same scale. */
const MIN_MULTIPLE = 1.5;
const EXTREME_SCORE = 3.6;
const PRESSURE_SCORE = 3;
const QUIET_SCORE = 3;
const QUIET_MINUTES = 180;
/** Quiet: the range is below this multiple of the usual move. A usual range is about 1.6 times the usual move. */
const QUIET_RANGE = 0.75;
/** A new extreme exceeds that of all minutes by at least this part of the usual move of a minute. */
const EXTREME_MARGIN = 0.5;
/** Ticks between two minutes are checked if a minute came this near to the extreme, in usual moves of a minute. */
const NEAR_EXTREME = 4;
const CHECK_EVERY_MS = 5_000;
/** Earlier in the day nearly every price is an extreme. */
const EXTREMES_FROM_MINUTE = 180;
/** Factor per market: gold is one market of thirty but a quarter of the news. */
const INTEREST = { forex: 0.8, metal: 3, crypto: 1, index: 1, energy: 1, equity: 0.9 } as const;
const MAJORS: readonly (readonly [symbol: string, direction: Direction])[] = [
  ['EURUSD', -1],
  ['GBPUSD', -1],
  ['USDJPY', 1],
];
/** Smallest move of the dollar, in percent, that is a story. */
const MIN_DOLLAR_PERCENT = 0.04;

export type InstrumentStory = MoveStory | ExtremeStory | PressureStory | QuietStory;

export interface StoryCandidate {
  readonly symbol: MarketSymbol;
  readonly score: number;
  /** The story at the exact time; `null` if it does not hold there. */
  readonly create: (time: number) => InstrumentStory | null;
}

/** Highest and lowest log price of each instrument at the minutes of a day so far. */
export interface Extremes {
  readonly highs: Float64Array;
  readonly lows: Float64Array;
}

export class StoryFinder {
  readonly prices: MinutePrices;
  readonly #market: SimMarket;
  readonly #paths: Paths;
  readonly #conditions: readonly Conditions[];

  constructor(market: SimMarket) {
    this.#market = market;
    this.prices = new MinutePrices(market);
    this.#paths = new Paths(market.model.factors);
    this.#conditions = market.model.instruments.map((each) => new Conditions(market.model, each, this.#paths));
  }

  /** Possible stories at a minute, highest score first. */
  candidates(minute: number, extremes: Extremes): StoryCandidate[] {
    const { instruments } = this.#market.model;
    const candidates: StoryCandidate[] = [];
    for (const [index, instrument] of instruments.entries()) {
      if (!this.#isOpen(instrument, minute * MINUTE_MS)) continue;
      const noise = 0.6 + 0.8 * instrument.noise.uniform(minute, Purpose.story);
      const add = (score: number, create: StoryCandidate['create']): void => {
        candidates.push({
          symbol: instrument.spec.symbol,
          score: score * noise * INTEREST[instrument.spec.type],
          create,
        });
      };
      const now = this.prices.at(minute)[index]!;
      for (const span of SPANS) {
        const multiple =
          Math.abs(now - this.prices.at(minute - span)[index]!) / this.#usualMove(instrument, minute, span);
        if (multiple >= MIN_MULTIPLE && this.#isOpen(instrument, (minute - span) * MINUTE_MS))
          add(multiple, (time) => this.#move(instrument, time, span, multiple));
      }
      if (minute % DAY_MINUTES >= EXTREMES_FROM_MINUTE) {
        const margin = EXTREME_MARGIN * this.#usualMove(instrument, minute, 1);
        const direction = now > extremes.highs[index]! + margin ? 1 : now < extremes.lows[index]! - margin ? -1 : 0;
        if (direction !== 0) add(EXTREME_SCORE, (time) => this.#extreme(instrument, index, minute, time, direction));
      }
      // Pressure is expensive to compute: each instrument is checked every few minutes.
      if ((minute + index) % 8 === 0) add(PRESSURE_SCORE, (time) => this.#pressure(instrument, index, time));
      if ((minute + index) % 16 === 0) add(QUIET_SCORE, (time) => this.#quiet(instrument, index, minute, time));
    }
    return candidates.sort((a, b) => b.score - a.score);
  }

  dollar(time: number, minutes: number): DollarStory | null {
    const percent = this.dollarPercent(time, minutes);
    return Math.abs(percent) < MIN_DOLLAR_PERCENT ? null : { kind: 'dollar', minutes, percent };
  }

  /** Average percent change against the major currencies that exist and are open; 0 if there is none. */
  dollarPercent(time: number, minutes: number): number {
    let sum = 0;
    let count = 0;
    for (const [symbol, direction] of MAJORS) {
      const instrument = this.#market.model.instruments.find(({ spec }) => spec.symbol === symbol);
      if (!instrument || !this.#isOpen(instrument, time)) continue;
      sum += direction * this.#percent(instrument, time, minutes);
      count++;
    }
    return count === 0 ? 0 : sum / count;
  }

  #move(instrument: InstrumentModel, time: number, minutes: number, multiple: number): MoveStory | null {
    const percent = this.#percent(instrument, time, minutes);
    // A smaller move would round to zero, or may have reversed within the minute.
    if (Math.abs(percent) < 0.03) return null;
    const price = this.#price(instrument, time);
    return {
      kind: 'move',
      instrument,
      price,
      minutes,
      percent,
      multiple,
      related: this.#related(instrument, time, minutes, percent),
    };
  }

  /** `null` unless the related market really moved in line. */
  #related({ spec }: InstrumentModel, time: number, minutes: number, percent: number): MoveStory['related'] {
    const direction: Direction = percent > 0 ? 1 : -1;
    if (spec.type === 'crypto') {
      const coins = this.#market.model.instruments.filter((each) => each.spec.type === 'crypto');
      const aligned = coins.filter((coin) => this.#percent(coin, time, minutes) * direction > 0).length;
      return coins.length >= 4 && aligned >= 0.8 * coins.length ? { what: 'coins', direction } : null;
    }
    const dollarSide = spec.symbol.startsWith('USD') ? 1 : spec.symbol.endsWith('USD') ? -1 : 0;
    const dollar = this.dollarPercent(time, minutes);
    if (dollarSide === 0 || Math.abs(dollar) < MIN_DOLLAR_PERCENT || dollar * direction * dollarSide < 0) return null;
    return { what: 'dollar', direction: dollar > 0 ? 1 : -1 };
  }

  #extreme(
    instrument: InstrumentModel,
    index: number,
    minute: number,
    time: number,
    direction: Direction,
  ): ExtremeStory | null {
    const price = this.#price(instrument, time);
    const log = Math.log(price);
    if ((log - this.prices.at(minute)[index]!) * direction < 0) return null;
    const near = NEAR_EXTREME * this.#usualMove(instrument, minute, 1);
    for (let past = minute - (minute % DAY_MINUTES); past < minute; past++) {
      const reached = Math.max(direction * this.prices.at(past)[index]!, direction * this.prices.at(past + 1)[index]!);
      if (direction * log - reached > near) continue;
      for (let moment = past * MINUTE_MS; moment < (past + 1) * MINUTE_MS; moment += CHECK_EVERY_MS)
        if ((this.#price(instrument, moment) - price) * direction > 0) return null;
    }
    return { kind: 'extreme', instrument, price, direction };
  }

  #pressure(instrument: InstrumentModel, index: number, time: number): PressureStory | null {
    const conditions = this.#conditions[index]!;
    conditions.refresh(Math.floor(time / 1000));
    if (conditions.pressure === 0) return null;
    return { kind: 'pressure', instrument, price: this.#price(instrument, time), direction: conditions.pressure };
  }

  #quiet(instrument: InstrumentModel, index: number, minute: number, time: number): QuietStory | null {
    const now = Math.log(this.#price(instrument, time));
    let low = now;
    let high = now;
    for (let back = 0; back <= QUIET_MINUTES; back++) {
      const value = this.prices.at(minute - back)[index]!;
      low = Math.min(low, value);
      high = Math.max(high, value);
    }
    if (high - low > QUIET_RANGE * this.#usualMove(instrument, minute, QUIET_MINUTES)) return null;
    if (!this.#isOpen(instrument, (minute - QUIET_MINUTES) * MINUTE_MS)) return null;
    return {
      kind: 'quiet',
      instrument,
      price: Math.exp(now),
      minutes: QUIET_MINUTES,
      low: Math.exp(low),
      high: Math.exp(high),
    };
  }

  /** Standard deviation of the log price change over `minutes` at this time of the day. */
  #usualMove(instrument: InstrumentModel, minute: number, minutes: number): number {
    const bucket = Math.floor(((minute - minutes / 2) * UNITS_PER_MINUTE) / BUCKET_UNITS);
    return (
      instrument.unitVol * Math.sqrt(minutes * UNITS_PER_MINUTE) * activityOf(this.#market.model, instrument, bucket)
    );
  }

  #percent(instrument: InstrumentModel, time: number, minutes: number): number {
    return (this.#price(instrument, time) / this.#price(instrument, time - minutes * MINUTE_MS) - 1) * 100;
  }

  #price({ spec }: InstrumentModel, time: number): number {
    return this.#market.midPrice(spec.symbol, asEpochMs(time));
  }

  #isOpen({ spec }: InstrumentModel, time: number): boolean {
    return this.#market.options.hours === 'always' || isMarketOpen(spec.hours, asEpochMs(time));
  }
}
