// Assigns sequence numbers. A seq must never be assigned twice, not even after a crash, because signals are judged by
// it. Numbers are therefore reserved in the store in blocks, ahead of use; after a crash, numbering continues behind
// the last reserved block.
import type { Log } from '../ops/log.ts';

const BLOCK = 10_000_000;

export interface SeqReserve {
  /** The first number that is not reserved. */
  load(): Promise<number>;
  save(ceiling: number): Promise<void>;
}

export class SeqBlocks {
  next: number;
  #ceiling: number;
  #reserving = false;
  readonly #reserve: SeqReserve;
  readonly #log: Log;

  private constructor(reserve: SeqReserve, log: Log, next: number) {
    this.#reserve = reserve;
    this.#log = log;
    this.next = next;
    this.#ceiling = next + BLOCK;
  }

  /** Continues behind the last reserved block, or at `next` if the first unused number is known. */
  static async open(reserve: SeqReserve, log: Log, next?: number, least = 1): Promise<SeqBlocks> {
    const ceiling = await reserve.load();
    const first = next ?? Math.max(1, least, ceiling);
    await reserve.save(Math.max(ceiling, first + BLOCK));
    return new SeqBlocks(reserve, log, first);
  }

  /** The first of `count` consecutive numbers. */
  take(count: number): number {
    const first = this.next;
    this.next += count;
    if (this.next > this.#ceiling - BLOCK / 2) this.#reserveMore();
    return first;
  }

  #reserveMore(): void {
    if (this.#reserving) return;
    this.#reserving = true;
    const ceiling = this.next + BLOCK;
    this.#reserve
      .save(ceiling)
      .then(() => {
        this.#ceiling = ceiling;
      })
      .catch((error) => this.#log.error('could not reserve sequence numbers', { error }))
      .finally(() => {
        this.#reserving = false;
      });
  }
}
