// Checks the trade ids of one symbol: drops duplicates and finds missing ids.
//
// Ids rise by one with each trade. A jump opens a gap of missing ids; late trades or a backfill close it, in any order.
// Ids at or below the first one seen are history, not a gap.

/** Missing ids from `from` to `to`, both inclusive. */
export interface IdGap {
  readonly from: number;
  readonly to: number;
  /** When the gap was detected, in milliseconds. */
  readonly detectedAt: number;
  /** Time of the trade before it. */
  readonly afterTime: number;
  /** Set if the loss was declared before the gap was detected. */
  readonly declared?: true;
}

/** Beyond this number, the oldest gaps are given up as lost. */
const MAX_GAPS = 1_000;

export class GapDetector {
  #lastId: number | null = null;
  #lastTime = 0;
  #gaps: IdGap[] = [];
  #declared = false;
  readonly #onLost: (gap: IdGap) => void;

  constructor(onLost: (gap: IdGap) => void) {
    this.#onLost = onLost;
  }

  get lastId(): number | null {
    return this.#lastId;
  }

  /** Time of the trade with the last id. */
  get lastTime(): number {
    return this.#lastTime;
  }

  /** Oldest first. */
  get gaps(): readonly IdGap[] {
    return this.#gaps;
  }

  /** Returns false for a trade that was seen before. */
  accept(id: number, time: number, now: number): boolean {
    if (this.#lastId === null || id > this.#lastId) {
      if (this.#lastId !== null && id > this.#lastId + 1) {
        const declared = this.#declared && { declared: true as const };
        this.#open({ from: this.#lastId + 1, to: id - 1, detectedAt: now, afterTime: this.#lastTime, ...declared });
      }
      this.#lastId = id;
      this.#lastTime = time;
      this.#declared = false;
      return true;
    }
    return this.#fill(id);
  }

  /** Marks the gap that the next trade may open as already declared. */
  declareLoss(): void {
    this.#declared = true;
  }

  /** The ids cannot be fetched: they are lost. */
  giveUp(gap: IdGap): void {
    if (this.dismiss(gap)) this.#onLost(gap);
  }

  /** The venue never assigned these ids. Returns whether they were missing until now. */
  dismiss(gap: IdGap): boolean {
    const kept = this.#gaps.filter((each) => each.to < gap.from || each.from > gap.to);
    const missed = kept.length < this.#gaps.length;
    this.#gaps = kept;
    return missed;
  }

  #open(gap: IdGap): void {
    this.#gaps.push(gap);
    if (this.#gaps.length > MAX_GAPS) this.giveUp(this.#gaps[0]!);
  }

  #fill(id: number): boolean {
    const at = this.#gaps.findIndex((gap) => id >= gap.from && id <= gap.to);
    if (at < 0) return false;
    const gap = this.#gaps[at]!;
    const rest = [
      { ...gap, to: id - 1 },
      { ...gap, from: id + 1 },
    ].filter((part) => part.from <= part.to);
    this.#gaps.splice(at, 1, ...rest);
    return true;
  }
}
