// Trade ids of one symbol: tells a new trade from one seen before, and knows which are missing.
//
// Ids rise by one with each trade. A jump leaves a hole; a later arrival may fill it, in any order, or a backfill does. What
// lies at or below the first id ever seen is history, not a hole.

/** Ids from `from` to `to`, both included, that have not been seen. */
export interface Hole {
  readonly from: number;
  readonly to: number;
  /** When it was noticed. */
  readonly since: number;
  /** Time of the trade before it. */
  readonly afterTime: number;
  /** Set where its loss was declared before it was noticed. */
  readonly declared?: true;
}

/** More holes than this are one outage, not many: the oldest are given up as lost. */
const MAX_HOLES = 1_000;

export class Continuity {
  #last: number | null = null;
  #lastTime = 0;
  #holes: Hole[] = [];
  #declared = false;
  readonly #giveUp: (hole: Hole) => void;

  constructor(giveUp: (hole: Hole) => void) {
    this.#giveUp = giveUp;
  }

  get last(): number | null {
    return this.#last;
  }

  /** Time of the trade with the last id. */
  get lastTime(): number {
    return this.#lastTime;
  }

  /** Oldest first. */
  get holes(): readonly Hole[] {
    return this.#holes;
  }

  /** True for a trade that was not seen before. */
  take(id: number, time: number, now: number): boolean {
    if (this.#last === null || id > this.#last) {
      if (this.#last !== null && id > this.#last + 1) {
        const declared = this.#declared && { declared: true as const };
        this.#open({ from: this.#last + 1, to: id - 1, since: now, afterTime: this.#lastTime, ...declared });
      }
      this.#last = id;
      this.#lastTime = time;
      this.#declared = false;
      return true;
    }
    return this.#fill(id);
  }

  /** What comes after the last id is declared lost, whether or not the next one shows a hole. */
  declare(): void {
    this.#declared = true;
  }

  /** The ids cannot be had: they are lost for good. */
  abandon(hole: Hole): void {
    if (this.dismiss(hole)) this.#giveUp(hole);
  }

  /** The ids were never given, as the venue says itself. True where they were missed until now. */
  dismiss(hole: Hole): boolean {
    const kept = this.#holes.filter((each) => each.to < hole.from || each.from > hole.to);
    const missed = kept.length < this.#holes.length;
    this.#holes = kept;
    return missed;
  }

  #open(hole: Hole): void {
    this.#holes.push(hole);
    if (this.#holes.length > MAX_HOLES) this.abandon(this.#holes[0]!);
  }

  #fill(id: number): boolean {
    const at = this.#holes.findIndex((hole) => id >= hole.from && id <= hole.to);
    if (at < 0) return false;
    const hole = this.#holes[at]!;
    const rest = [
      { ...hole, to: id - 1 },
      { ...hole, from: id + 1 },
    ].filter((part) => part.from <= part.to);
    this.#holes.splice(at, 1, ...rest);
    return true;
  }
}
