// A price that nobody can predict: a random walk of the middle price, so that without knowledge of the future every position is
// worth 0 on average, less the spread. Seeded.
import { asEpochMs } from '@tickwire/engine';
import { AttackArena, type Book } from './attack-arena.fixture.ts';
import { Random } from './random.fixture.ts';

export interface WalkOptions {
  readonly seed: number;
  /** In ticks. Without a spread the game is fair, which is the best case for an attacker. */
  readonly spread?: number;
  /** Milliseconds between quotes. */
  readonly interval?: number;
  /** Standard deviation of a step, in ticks. */
  readonly step?: number;
  readonly start?: number;
  /** Share of the steps that are 30 times as wide, as at news. */
  readonly jumps?: number;
  /** Milliseconds from the time of a quote at the venue, which it carries, to its arrival. */
  readonly delay?: number;
}

const JUMP = 30;

export class RandomWalk {
  readonly arena: AttackArena;
  readonly random: () => number;
  readonly #options: Required<WalkOptions>;
  /** Middle prices that an attacker may have seen before the service. */
  readonly #ahead: number[] = [];
  #middle: number;

  constructor(options: WalkOptions, arena = new AttackArena()) {
    this.#options = { spread: 0, interval: 250, step: 4, start: 110_000, delay: 0, jumps: 0, ...options };
    this.arena = arena;
    // Small seeds have similar first numbers.
    const random = new Random(Math.imul(options.seed, 0x9e3779b1));
    for (let count = 0; count < 20; count++) random.next();
    this.random = () => random.next();
    this.#middle = this.#options.start;
    this.next();
  }

  get spread(): number {
    return this.#options.spread;
  }

  /** The book after `count` more quotes. */
  ahead(count: number): Book {
    while (this.#ahead.length < count) this.#ahead.push(this.#step(this.#ahead.at(-1) ?? this.#middle));
    return this.#bookOf(count === 0 ? this.#middle : this.#ahead[count - 1]!);
  }

  /** The next quote reaches the service. */
  next(): void {
    const { arena } = this;
    this.ahead(1);
    this.#middle = this.#ahead.shift()!;
    const { bid, ask } = this.#bookOf(this.#middle);
    const { interval, delay } = this.#options;
    arena.now = asEpochMs(arena.now + interval);
    arena.quote(bid, ask, { time: arena.now - delay });
  }

  /** Moves on until a signal is closed, acting after each quote; gives up after `limit` quotes. */
  untilClosed(id: string, act: () => void = () => {}, limit = 20_000): void {
    for (let count = 0; count < limit && !this.arena.closed.has(id); count++) {
      this.next();
      if (!this.arena.closed.has(id)) act();
    }
  }

  #bookOf(middle: number): Book {
    const { spread } = this.#options;
    const bid = middle - Math.floor(spread / 2);
    return { bid, ask: bid + spread };
  }

  /** Symmetric, and kept within bounds at which it is reflected too rarely to matter. */
  #step(from: number): number {
    const { step, start, jumps } = this.#options;
    const width = jumps > 0 && this.random() < jumps ? JUMP * step : step;
    const sum = this.random() + this.random() + this.random() + this.random() - 2;
    const moved = from + Math.round(sum * Math.sqrt(3) * width);
    return moved > start / 2 && moved < start * 1.5 ? moved : from;
  }
}
