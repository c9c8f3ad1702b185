// seq must never be given twice, not even after a crash, because signals are judged by it. Numbers are therefore reserved in
// the store in blocks ahead of their use: whoever cannot know which was the last goes on behind the last block.
import type { Log } from '../ops/log.ts';

const BLOCK = 10_000_000;

export interface SeqReserve {
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

  /** Goes on behind the last block, or at `next` where that is known to be the first that was not given. */
  static async open(reserve: SeqReserve, log: Log, next?: number, least = 1): Promise<SeqBlocks> {
    const ceiling = await reserve.load();
    const first = next ?? Math.max(1, least, ceiling);
    await reserve.save(Math.max(ceiling, first + BLOCK));
    return new SeqBlocks(reserve, log, first);
  }

  /** The first of `count` numbers. */
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
      .catch((error) => this.#log.error('sequence numbers could not be reserved', { error }))
      .finally(() => {
        this.#reserving = false;
      });
  }
}
