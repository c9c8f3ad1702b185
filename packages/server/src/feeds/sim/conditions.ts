// What changes slowly around one instrument's ticks, worked out once a second: how wide the spread is, how large trades
// are, which way takers lean, and whether one side is being absorbed.
//
// Absorption: in some stretches of 45 seconds in which the path happens to stand still (which is looked up ahead, not
// made so), takers of one side press with several times the usual size and get nowhere.

import { type InstrumentModel, livelinessOf, type MarketModel, type Paths, rhythmOf } from './model.ts';
import { drift, keyed, scramble, uniform } from './noise.ts';
import { BUCKET_UNITS } from './rhythm.ts';
import { UNITS_PER_SECOND } from './time-grid.ts';

/** Takers go with the move of the four seconds they are in: by this much for each standard deviation of it. */
const MOVE_SECONDS = 4;
const FOLLOWING = 0.2;

const EPISODE_SECONDS = 45;
const EPISODE_SAMPLES = 30;
/** Standing still: the range stays under this many standard deviations of the stretch. */
const STILL_RANGE = 1;
/** Of the stretches that stand still, the share that is one side absorbing the other. */
const EPISODE_SHARE = 0.25;
/** The share of all time spent in such stretches, as measured, and by how much trades are larger in them. */
export const PRESSED_TIME = 0.05;
export const PRESSURE_SIZE = 5;

export class Conditions {
  /** Spread in ticks, not rounded. */
  width = 1;
  /** Volatility as a multiple of its average. */
  liveliness = 1;
  /** Mean size of a trade, in steps. */
  tradeSteps = 1;
  /** −0.4…0.4, added to the even chance that a taker buys. */
  lean = 0;
  /** 1: buyers press and are absorbed, −1: sellers, 0: neither. */
  pressed: -1 | 0 | 1 = 0;
  readonly #market: MarketModel;
  readonly #model: InstrumentModel;
  /** Looks ahead of the live cursors, so it has its own. */
  readonly #scout: Paths;
  #second = -1;
  #episode = -1;
  #stretch = -1;
  #move = 0;

  constructor(market: MarketModel, model: InstrumentModel, scout: Paths) {
    this.#market = market;
    this.#model = model;
    this.#scout = scout;
  }

  refresh(second: number): void {
    if (second === this.#second) return;
    this.#second = second;
    const { key, spreadTicks, tradeSteps } = this.#model;
    const bucket = Math.floor((second * UNITS_PER_SECOND) / BUCKET_UNITS);
    this.liveliness = livelinessOf(this.#market, this.#model, bucket);
    const quiet = 1 + 0.7 * Math.max(0, 1 - rhythmOf(this.#market, this.#model, bucket));
    this.width = spreadTicks * (0.6 + 0.4 * this.liveliness) * quiet * (1 + 0.12 * drift(key + 1, second, 3));
    this.tradeSteps = tradeSteps * sizeFactor(this.liveliness);
    const stretch = Math.floor(second / MOVE_SECONDS);
    if (stretch !== this.#stretch) {
      this.#stretch = stretch;
      this.#move = this.#moveOf(stretch);
    }
    const lean = 0.14 * drift(key + 2, second, 3) + 0.14 * drift(key + 3, second, 6) + FOLLOWING * this.#move;
    this.lean = Math.max(-0.4, Math.min(0.4, lean));
    const episode = Math.floor(second / EPISODE_SECONDS);
    if (episode !== this.#episode) {
      this.#episode = episode;
      this.pressed = this.#pressure(episode);
    }
  }

  /** The move of a stretch of a few seconds in standard deviations. */
  #moveOf(stretch: number): number {
    const length = MOVE_SECONDS * UNITS_PER_SECOND;
    const from = this.#scout.logPrice(this.#model, stretch * length);
    const to = this.#scout.logPrice(this.#model, (stretch + 1) * length);
    return (to - from) / (this.#model.unitVol * this.liveliness * Math.sqrt(length));
  }

  #pressure(episode: number): -1 | 0 | 1 {
    const draw = keyed(this.#model.key + 4, episode);
    if (uniform(draw) >= EPISODE_SHARE) return 0;
    const start = episode * EPISODE_SECONDS * UNITS_PER_SECOND;
    const length = EPISODE_SECONDS * UNITS_PER_SECOND;
    // The volatility at its beginning, not the current one: all of the stretch has to come to the same answer.
    const liveliness = livelinessOf(this.#market, this.#model, Math.floor(start / BUCKET_UNITS));
    const still = STILL_RANGE * this.#model.unitVol * liveliness * Math.sqrt(length);
    let lowest = Number.POSITIVE_INFINITY;
    let highest = Number.NEGATIVE_INFINITY;
    for (let sample = 0; sample <= EPISODE_SAMPLES; sample++) {
      const value = this.#scout.logPrice(this.#model, start + (sample * length) / EPISODE_SAMPLES);
      if (value < lowest) lowest = value;
      if (value > highest) highest = value;
      if (highest - lowest > still) return 0;
    }
    return scramble(draw) & 1 ? 1 : -1;
  }
}

/** Livelier markets trade in larger sizes. */
export const sizeFactor = (liveliness: number): number => 0.6 + 0.4 * liveliness;
