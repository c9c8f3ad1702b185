// The simulated markets: quotes and trades of all instruments at any time, as a pure function of seed, rate, hours mode,
// instruments and time. Nothing is carried over from one 125 ms slot to the next, so a restart, or another node that
// takes over, goes on with the very same events: no jump, no hole.
import type { EpochMs, InstrumentSpec } from '@tickwire/engine';
import { Conditions, PRESSURE_SIZE } from './conditions.ts';
import { buildModel, type InstrumentModel, type MarketModel, Paths, type SimOptions } from './model.ts';
import { keyed, STEP, scramble, uniform } from './noise.ts';
import { Sessions } from './sessions.ts';
import { SIZE_MULTIPLES } from './sizes.ts';
import { type SimEvent, Slot } from './slot.ts';
import { UNIT_MS, UNITS_PER_SECOND } from './time-grid.ts';

export type { SimOptions } from './model.ts';
export type { SimEvent } from './slot.ts';

/** Quotes per second vary between these multiples of the instrument's rate. */
const CALMEST_SECOND = 0.5;
const BUSIEST_SECOND = 1.5;
/** Standing sizes are this many times the mean trade. */
const DEPTH = 4;
/** In an absorption: trades are nearly all of one side, and the held side stands deeper. */
const PRESSURE_CHANCE = 0.93;
const HELD_DEPTH = 3;
/** How far quotes flicker around the path, in spreads. */
const FLICKER = 0.3;

export class SimMarket {
  readonly options: SimOptions;
  readonly model: MarketModel;
  readonly #paths: Paths;
  /** Cursors that look elsewhere than at the slot. */
  readonly #scout: Paths;
  readonly #conditions: readonly Conditions[];
  readonly #sessions = new Sessions();
  readonly #slot: Slot;
  /** The slot that is filled: its time in units. */
  #filled = -1;

  constructor(instruments: readonly InstrumentSpec[], options: SimOptions) {
    this.options = options;
    this.model = buildModel(instruments, options);
    this.#paths = new Paths(this.model.factors);
    this.#scout = new Paths(this.model.factors);
    this.#conditions = this.model.instruments.map((instrument) => new Conditions(this.model, instrument, this.#scout));
    let most = 0;
    for (const { quotesPerUnit } of this.model.instruments)
      most += 2 * (Math.floor(quotesPerUnit * BUSIEST_SECOND) + 1);
    this.#slot = new Slot(this.model.instruments, most);
  }

  /** All events with from ≤ time < to in the order of time, for long stretches: one slot is in memory at a time. */
  *events(from: EpochMs, to: EpochMs): Generator<SimEvent, void, undefined> {
    const batch: SimEvent[] = [];
    for (let start: number = from; start < to; ) {
      const end = Math.min(to, (Math.floor(start / UNIT_MS) + 1) * UNIT_MS);
      batch.length = 0;
      yield* this.collect(start as EpochMs, end as EpochMs, batch);
      start = end;
    }
  }

  /** The same appended to an array: the quicker way for live steps. */
  collect(from: EpochMs, to: EpochMs, into: SimEvent[] = []): SimEvent[] {
    if (to <= from) return into;
    const last = Math.ceil(to / UNIT_MS);
    for (let unit = Math.floor(from / UNIT_MS); unit < last; unit++) {
      if (unit !== this.#filled) this.#fill(unit);
      const start = unit * UNIT_MS;
      this.#slot.emit(start, Math.max(0, from - start), Math.min(UNIT_MS, to - start), into);
    }
    return into;
  }

  /** Middle price around which the quotes of a time lie, not rounded; of any time, open or closed. */
  midPrice(symbol: InstrumentSpec['symbol'], time: EpochMs): number {
    const instrument = this.model.instruments.find(({ spec }) => spec.symbol === symbol);
    if (!instrument) throw new Error(`${symbol} is not one of the simulated instruments`);
    return Math.exp(this.#scout.logPrice(instrument, Math.floor(time / UNIT_MS)));
  }

  #fill(unit: number): void {
    const { instruments } = this.model;
    const real = this.options.hours === 'real';
    this.#slot.count = 0;
    for (let index = 0; index < instruments.length; index++) {
      const instrument = instruments[index]!;
      if (real && !this.#sessions.open(instrument.spec.hours, unit * UNIT_MS)) continue;
      const second = Math.floor(unit / UNITS_PER_SECOND);
      const busy = CALMEST_SECOND + (BUSIEST_SECOND - CALMEST_SECOND) * uniform(keyed(instrument.key + 5, second));
      const state = keyed(instrument.key, unit);
      const quotes = Math.floor(instrument.quotesPerUnit * busy + uniform(state));
      if (quotes === 0) continue;
      this.#conditions[index]!.refresh(second);
      this.#quote(index, instrument, unit, quotes, state);
    }
    this.#slot.sort();
    this.#filled = unit;
  }

  /** Adds an instrument's quotes of a slot, evenly spread with jitter, about every second one followed by a trade. */
  #quote(index: number, instrument: InstrumentModel, unit: number, quotes: number, seed: number): void {
    const { width, lean, pressed, tradeSteps } = this.#conditions[index]!;
    const { factors, weights, tickScale } = instrument;
    let left = instrument.logBase;
    let change = 0;
    for (let at = 0; at < weights.length; at++) {
      const path = this.#paths.factors[factors[at]!]!;
      path.seek(unit);
      left += weights[at]! * path.left;
      change += weights[at]! * (path.right - path.left);
    }
    const middle = Math.exp(left) * tickScale;
    // Over 125 ms a log-change is so small that it is the relative change.
    const slope = middle * change;
    const buyChance = pressed === 0 ? 0.5 + lean : pressed > 0 ? PRESSURE_CHANCE : 1 - PRESSURE_CHANCE;
    const size = pressed === 0 ? tradeSteps : tradeSteps * PRESSURE_SIZE;
    const bidDepth = tradeSteps * DEPTH * (pressed < 0 ? HELD_DEPTH : 1);
    const askDepth = tradeSteps * DEPTH * (pressed > 0 ? HELD_DEPTH : 1);
    const slot = this.#slot;
    let state = seed;
    for (let quote = 0; quote < quotes; quote++) {
      // Bit fields of two or three scrambled words per quote: 10 bits of time, 8 of flicker, 7 of spread, one for the trade.
      state = (state + STEP) | 0;
      const word = scramble(state);
      state = (state + STEP) | 0;
      const depths = scramble(state);
      const jitter = (word >>> 22) / 1024;
      const when = (quote + jitter) / quotes;
      const flicker = (((word >>> 14) & 255) / 255 - 0.5) * FLICKER * width;
      const spread = Math.max(1, Math.round(width * (0.85 + (((word >>> 7) & 127) / 127) * 0.3)));
      const bid = Math.max(1, Math.round(middle + slope * when + flicker - spread / 2));
      const bidSize = Math.max(1, Math.round(bidDepth * (0.2 + ((depths >>> 22) / 1024) * 1.6)));
      const askSize = Math.max(1, Math.round(askDepth * (0.2 + (((depths >>> 12) & 1023) / 1024) * 1.6)));
      slot.addQuote(index, Math.floor(when * UNIT_MS), bid, bid + spread, bidSize, askSize);
      if ((word & 1) === 0) continue;
      state = (state + STEP) | 0;
      const taker = scramble(state);
      const buys = (taker >>> 21) / 2048 < buyChance;
      const later = (quote + jitter + (1 - jitter) * ((depths & 1023) / 1024)) / quotes;
      const steps = Math.max(1, Math.round(size * SIZE_MULTIPLES[taker & 1023]!));
      slot.addTrade(index, Math.floor(later * UNIT_MS), buys ? bid + spread : bid, steps, buys);
    }
  }
}
