// Market conditions of one instrument, updated once a second: spread, trade size, buy/sell bias, and absorption.
//
// Absorption: in some periods of 45 seconds in which the price happens to stand still (known by looking ahead on the path),
// takers of one side trade several times the usual size without moving the price.

import { BUCKET_UNITS } from './activity-profile.ts';
import { activityOf, type InstrumentModel, type MarketModel, type Paths, Purpose, volatilityOf } from './model.ts';
import { SmoothNoise, uniform } from './noise.ts';
import { UNITS_PER_SECOND } from './time-grid.ts';

/** Takers follow the price move of their four seconds: bias per standard deviation of the move. */
const MOVE_SECONDS = 4;
const MOVE_BIAS = 0.2;

const EPISODE_SECONDS = 45;
const EPISODE_SAMPLES = 30;
/** The price stands still if its range is below this many standard deviations of the period. */
const STILL_RANGE = 1;
/** Share of the still periods that have absorption. */
const EPISODE_SHARE = 0.25;
/** Measured share of all time with absorption, and how much larger trades are then. */
export const PRESSURE_TIME_SHARE = 0.05;
export const PRESSURE_SIZE = 5;

export class Conditions {
  /** In ticks, not rounded. */
  spread = 1;
  /** As a multiple of its average. */
  volatility = 1;
  /** Mean size of a trade, in steps. */
  tradeSteps = 1;
  /** −0.4 to 0.4, added to the 50 % chance that a taker buys. */
  buyBias = 0;
  /** 1: buyers are absorbed, −1: sellers, 0: neither. */
  pressure: -1 | 0 | 1 = 0;
  readonly #market: MarketModel;
  readonly #model: InstrumentModel;
  /** Separate cursors: it looks ahead of the live ones. */
  readonly #lookahead: Paths;
  readonly #spreadNoise: SmoothNoise;
  readonly #quickBias: SmoothNoise;
  readonly #slowBias: SmoothNoise;
  #second = -1;
  #episode = -1;
  #movePeriod = -1;
  #move = 0;

  constructor(market: MarketModel, model: InstrumentModel, lookahead: Paths) {
    this.#market = market;
    this.#model = model;
    this.#lookahead = lookahead;
    this.#spreadNoise = new SmoothNoise(model.noise.derived(1), 3);
    this.#quickBias = new SmoothNoise(model.noise.derived(2), 3);
    this.#slowBias = new SmoothNoise(model.noise.derived(3), 6);
  }

  refresh(second: number): void {
    if (second === this.#second) return;
    this.#second = second;
    const { spreadTicks, tradeSteps } = this.#model;
    const bucket = Math.floor((second * UNITS_PER_SECOND) / BUCKET_UNITS);
    this.volatility = volatilityOf(this.#market, this.#model, bucket);
    const quietFactor = 1 + 0.7 * Math.max(0, 1 - activityOf(this.#market, this.#model, bucket));
    this.spread = spreadTicks * (0.6 + 0.4 * this.volatility) * quietFactor * (1 + 0.12 * this.#spreadNoise.at(second));
    this.tradeSteps = tradeSteps * sizeFactor(this.volatility);
    const period = Math.floor(second / MOVE_SECONDS);
    if (period !== this.#movePeriod) {
      this.#movePeriod = period;
      this.#move = this.#moveOf(period);
    }
    const bias = 0.14 * this.#quickBias.at(second) + 0.14 * this.#slowBias.at(second) + MOVE_BIAS * this.#move;
    this.buyBias = Math.max(-0.4, Math.min(0.4, bias));
    const episode = Math.floor(second / EPISODE_SECONDS);
    if (episode !== this.#episode) {
      this.#episode = episode;
      this.pressure = this.#pressureOf(episode);
    }
  }

  /** The price move of a period of a few seconds, in standard deviations. */
  #moveOf(period: number): number {
    const length = MOVE_SECONDS * UNITS_PER_SECOND;
    const from = this.#lookahead.logPrice(this.#model, period * length);
    const to = this.#lookahead.logPrice(this.#model, (period + 1) * length);
    return (to - from) / (this.#model.unitVol * this.volatility * Math.sqrt(length));
  }

  #pressureOf(episode: number): -1 | 0 | 1 {
    const { a, b } = this.#model.noise.draw(episode, Purpose.absorption);
    if (uniform(a) >= EPISODE_SHARE) return 0;
    const start = episode * EPISODE_SECONDS * UNITS_PER_SECOND;
    const length = EPISODE_SECONDS * UNITS_PER_SECOND;
    // The volatility at its start, not the current one: the result must be the same during the whole period.
    const volatility = volatilityOf(this.#market, this.#model, Math.floor(start / BUCKET_UNITS));
    const maxRange = STILL_RANGE * this.#model.unitVol * volatility * Math.sqrt(length);
    let lowest = Number.POSITIVE_INFINITY;
    let highest = Number.NEGATIVE_INFINITY;
    for (let sample = 0; sample <= EPISODE_SAMPLES; sample++) {
      const value = this.#lookahead.logPrice(this.#model, start + (sample * length) / EPISODE_SAMPLES);
      if (value < lowest) lowest = value;
      if (value > highest) highest = value;
      if (highest - lowest > maxRange) return 0;
    }
    return b & 1 ? 1 : -1;
  }
}

/** More volatile markets trade in larger sizes. */
export const sizeFactor = (volatility: number): number => 0.6 + 0.4 * volatility;
