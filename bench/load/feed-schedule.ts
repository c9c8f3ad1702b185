// The ticks of a feed and the times at which they are due. Symbols take turns, so the n-th tick of a symbol, and with it the time at
// which it was due, follows from n alone.
import { CATALOGUE, roundTo } from '@tickwire/engine';
import { tickBody } from '../../packages/server/src/market/streams/tick-messages.ts';
import type { Tick } from './wires/wire.ts';

export interface FeedPlan {
  readonly ticksPerSecond: number;
  /** Ticks that are due at the same time and written together; 1 for an even feed. */
  readonly perWrite: number;
}

/** Price in units of the last digit. It stays close to itself: a jump would be held back as a spike. */
const PRICE = 108_412;
const PRICES = 40;
const SPREAD = 12;
const SIZE = 1_250_000;

export class FeedSchedule {
  readonly stepMs: number;
  readonly #perWrite: number;
  readonly #symbols: readonly string[];
  readonly #digits: readonly number[];

  constructor({ ticksPerSecond, perWrite }: FeedPlan, symbols: readonly string[]) {
    this.stepMs = (1_000 * perWrite) / ticksPerSecond;
    this.#perWrite = perWrite;
    this.#symbols = symbols;
    this.#digits = symbols.map((symbol) => CATALOGUE.find((spec) => spec.symbol === symbol)!.digits);
  }

  /** When the n-th tick of a symbol is due, in milliseconds from the start of the feed; both count from 0. */
  dueOf(symbol: number, nth: number): number {
    return Math.floor((nth * this.#symbols.length + symbol) / this.#perWrite) * this.stepMs;
  }

  /** The ticks of a write, counted from 0. */
  ticksOf(write: number, now: number): Tick[] {
    return Array.from({ length: this.#perWrite }, (_, index) => this.#tick(write * this.#perWrite + index, now));
  }

  #tick(index: number, time: number): Tick {
    const symbol = this.#symbols[index % this.#symbols.length]!;
    const digits = this.#digits[index % this.#symbols.length]!;
    const units = PRICE + (Math.floor(index / this.#symbols.length) % PRICES);
    const bid = roundTo(units / 10 ** digits, digits);
    const ask = roundTo((units + SPREAD) / 10 ** digits, digits);
    const fields = { symbol, bid, ask, time } as Parameters<typeof tickBody>[0];
    return {
      symbol,
      payload: `${tickBody(fields, SIZE, digits)}}`,
      line: `{"symbol":"${symbol}","time":${time},"bid":${bid},"ask":${ask},"bid_size":${SIZE},"ask_size":${SIZE}}`,
    };
  }
}
