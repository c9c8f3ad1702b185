// Looks at the simulated markets at a time and says what there is to tell, the most remarkable first.
import { asEpochMs, type MarketSymbol } from '@tickwire/engine';
import { Conditions } from '../../feeds/sim/conditions.ts';
import type { SimMarket } from '../../feeds/sim/market.ts';
import { type InstrumentModel, Paths, rhythmOf } from '../../feeds/sim/model.ts';
import { keyed, uniform } from '../../feeds/sim/noise.ts';
import { BUCKET_UNITS } from '../../feeds/sim/rhythm.ts';
import { Sessions } from '../../feeds/sim/sessions.ts';
import { PriceGrid, UNITS_PER_MINUTE } from './price-grid.ts';
import type { DollarStory, ExtremeStory, MoveStory, PressureStory, QuietStory, Way } from './story.ts';

const MINUTE = 60_000;
const SPANS = [15, 60, 120, 240] as const;
/** A move is told from this multiple of the usual one on; an extreme and the rest count as much as such a multiple. */
const TOLD = 1.5;
const EXTREME_COUNTS = 3.6;
const PRESSURE_COUNTS = 3;
const QUIET_COUNTS = 3;
const QUIET_MINUTES = 180;
/** Quiet: the range stays under this many usual moves of its time. A usual range is about 1.6 of them. */
const QUIET_RANGE = 0.75;
/** A new extreme is beyond that of all minutes by this part of a minute's usual move. */
const BEYOND = 0.5;
/** What ticks did between two minutes is looked up where one of them came this near to the extreme, in usual moves of a minute. */
const NEAR = 4;
const LOOK_EVERY_MS = 5_000;
/** Before this minute of the day every price is an extreme. */
const EXTREMES_FROM = 180;
/** Gold is one market of thirty and a quarter of the news. */
const INTEREST = { forex: 0.8, metal: 3, crypto: 1, index: 1, energy: 1, equity: 0.9 } as const;
const MAJORS: readonly (readonly [symbol: string, way: Way])[] = [
  ['EURUSD', -1],
  ['GBPUSD', -1],
  ['USDJPY', 1],
];
/** Percent from which the dollar's move is worth a word. */
const DOLLAR_MOVES = 0.04;

export type InstrumentStory = MoveStory | ExtremeStory | PressureStory | QuietStory;

export interface Lead {
  readonly symbol: MarketSymbol;
  readonly score: number;
  readonly tell: (time: number) => InstrumentStory | null;
}

/** Highest and lowest of each instrument at the minutes of a day so far. */
export interface Extremes {
  readonly highs: Float64Array;
  readonly lows: Float64Array;
}

export class Reporter {
  readonly grid: PriceGrid;
  readonly #market: SimMarket;
  readonly #scout: Paths;
  readonly #conditions: readonly Conditions[];
  readonly #sessions = new Sessions();

  constructor(market: SimMarket) {
    this.#market = market;
    this.grid = new PriceGrid(market);
    this.#scout = new Paths(market.model.factors);
    this.#conditions = market.model.instruments.map((each) => new Conditions(market.model, each, this.#scout));
  }

  /** Instruments with something to tell at a minute, the most remarkable first. */
  leads(minute: number, extremes: Extremes): Lead[] {
    const { instruments } = this.#market.model;
    const leads: Lead[] = [];
    for (const [index, instrument] of instruments.entries()) {
      if (!this.#open(instrument, minute * MINUTE)) continue;
      const luck = 0.6 + 0.8 * uniform(keyed(instrument.key + 8, minute));
      const add = (counts: number, tell: Lead['tell']): void => {
        leads.push({ symbol: instrument.spec.symbol, score: counts * luck * INTEREST[instrument.spec.type], tell });
      };
      const now = this.grid.at(minute)[index]!;
      for (const span of SPANS) {
        const times = Math.abs(now - this.grid.at(minute - span)[index]!) / this.#usual(instrument, minute, span);
        if (times >= TOLD && this.#open(instrument, (minute - span) * MINUTE))
          add(times, (time) => this.#move(instrument, time, span, times));
      }
      if (minute % 1440 >= EXTREMES_FROM) {
        const margin = BEYOND * this.#usual(instrument, minute, 1);
        const way = now > extremes.highs[index]! + margin ? 1 : now < extremes.lows[index]! - margin ? -1 : 0;
        if (way !== 0) add(EXTREME_COUNTS, (time) => this.#extreme(instrument, index, minute, time, way));
      }
      // Pressure is dear to look up: each instrument is asked every few minutes.
      if ((minute + index) % 8 === 0) add(PRESSURE_COUNTS, (time) => this.#pressure(instrument, index, time));
      if ((minute + index) % 16 === 0) add(QUIET_COUNTS, (time) => this.#quiet(instrument, index, minute, time));
    }
    return leads.sort((a, b) => b.score - a.score);
  }

  dollar(time: number, minutes: number): DollarStory | null {
    const percent = this.dollarPercent(time, minutes);
    return Math.abs(percent) < DOLLAR_MOVES ? null : { kind: 'dollar', minutes, percent };
  }

  /** Average change against the majors that there are and that are open; 0 where there is none. */
  dollarPercent(time: number, minutes: number): number {
    let sum = 0;
    let count = 0;
    for (const [symbol, way] of MAJORS) {
      const instrument = this.#market.model.instruments.find(({ spec }) => spec.symbol === symbol);
      if (!instrument || !this.#open(instrument, time)) continue;
      sum += way * this.#percent(instrument, time, minutes);
      count++;
    }
    return count === 0 ? 0 : sum / count;
  }

  #move(instrument: InstrumentModel, time: number, minutes: number, times: number): MoveStory | null {
    const percent = this.#percent(instrument, time, minutes);
    // Less would be rounded to nothing, or have turned within the minute.
    if (Math.abs(percent) < 0.03) return null;
    const price = this.#price(instrument, time);
    return {
      kind: 'move',
      instrument,
      price,
      minutes,
      percent,
      times,
      around: this.#around(instrument, time, minutes, percent),
    };
  }

  /** What went along: named only if it really did. */
  #around({ spec }: InstrumentModel, time: number, minutes: number, percent: number): MoveStory['around'] {
    const way: Way = percent > 0 ? 1 : -1;
    if (spec.type === 'crypto') {
      const coins = this.#market.model.instruments.filter((each) => each.spec.type === 'crypto');
      const along = coins.filter((coin) => this.#percent(coin, time, minutes) * way > 0).length;
      return coins.length >= 4 && along >= 0.8 * coins.length ? { what: 'coins', way } : null;
    }
    const dollarSide = spec.symbol.startsWith('USD') ? 1 : spec.symbol.endsWith('USD') ? -1 : 0;
    const dollar = this.dollarPercent(time, minutes);
    if (dollarSide === 0 || Math.abs(dollar) < DOLLAR_MOVES || dollar * way * dollarSide < 0) return null;
    return { what: 'dollar', way: dollar > 0 ? 1 : -1 };
  }

  #extreme(instrument: InstrumentModel, index: number, minute: number, time: number, way: Way): ExtremeStory | null {
    const price = this.#price(instrument, time);
    const log = Math.log(price);
    if ((log - this.grid.at(minute)[index]!) * way < 0) return null;
    const near = NEAR * this.#usual(instrument, minute, 1);
    for (let past = minute - (minute % 1440); past < minute; past++) {
      const reached = Math.max(way * this.grid.at(past)[index]!, way * this.grid.at(past + 1)[index]!);
      if (way * log - reached > near) continue;
      for (let moment = past * MINUTE; moment < (past + 1) * MINUTE; moment += LOOK_EVERY_MS)
        if ((this.#price(instrument, moment) - price) * way > 0) return null;
    }
    return { kind: 'extreme', instrument, price, way };
  }

  #pressure(instrument: InstrumentModel, index: number, time: number): PressureStory | null {
    const conditions = this.#conditions[index]!;
    conditions.refresh(Math.floor(time / 1000));
    if (conditions.pressed === 0) return null;
    return { kind: 'pressure', instrument, price: this.#price(instrument, time), way: conditions.pressed };
  }

  #quiet(instrument: InstrumentModel, index: number, minute: number, time: number): QuietStory | null {
    const now = Math.log(this.#price(instrument, time));
    let low = now;
    let high = now;
    for (let back = 0; back <= QUIET_MINUTES; back++) {
      const value = this.grid.at(minute - back)[index]!;
      low = Math.min(low, value);
      high = Math.max(high, value);
    }
    if (high - low > QUIET_RANGE * this.#usual(instrument, minute, QUIET_MINUTES)) return null;
    if (!this.#open(instrument, (minute - QUIET_MINUTES) * MINUTE)) return null;
    return {
      kind: 'quiet',
      instrument,
      price: Math.exp(now),
      minutes: QUIET_MINUTES,
      low: Math.exp(low),
      high: Math.exp(high),
    };
  }

  /** Standard deviation of the log-change over so many minutes, at this time of the day. */
  #usual(instrument: InstrumentModel, minute: number, minutes: number): number {
    const bucket = Math.floor(((minute - minutes / 2) * UNITS_PER_MINUTE) / BUCKET_UNITS);
    return (
      instrument.unitVol * Math.sqrt(minutes * UNITS_PER_MINUTE) * rhythmOf(this.#market.model, instrument, bucket)
    );
  }

  #percent(instrument: InstrumentModel, time: number, minutes: number): number {
    return (this.#price(instrument, time) / this.#price(instrument, time - minutes * MINUTE) - 1) * 100;
  }

  #price({ spec }: InstrumentModel, time: number): number {
    return this.#market.midPrice(spec.symbol, asEpochMs(time));
  }

  #open({ spec }: InstrumentModel, time: number): boolean {
    return this.#market.options.hours === 'always' || this.#sessions.open(spec.hours, time);
  }
}
