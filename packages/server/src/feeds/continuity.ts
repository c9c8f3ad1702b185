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
}

/** More holes than this are one outage, not many: the oldest are given up as lost. */
const MAX_HOLES = 1_000;

export class Continuity {
  #last: number | null = null;
  #holes: Hole[] = [];
  readonly #giveUp: (hole: Hole) => void;

  constructor(giveUp: (hole: Hole) => void) {
    this.#giveUp = giveUp;
  }

  get last(): number | null {
    return this.#last;
  }

  /** Oldest first. */
  get holes(): readonly Hole[] {
    return this.#holes;
  }

  /** True for a trade that was not seen before. */
  take(id: number, now: number): boolean {
    if (this.#last === null || id > this.#last) {
      if (this.#last !== null && id > this.#last + 1) this.#open({ from: this.#last + 1, to: id - 1, since: now });
      this.#last = id;
      return true;
    }
    return this.#fill(id);
  }

  /** The ids cannot be had: they are lost for good. */
  abandon(hole: Hole): void {
    const kept = this.#holes.filter((each) => each.to < hole.from || each.from > hole.to);
    if (kept.length === this.#holes.length) return;
    this.#holes = kept;
    this.#giveUp(hole);
  }

  #open(hole: Hole): void {
    this.#holes.push(hole);
    if (this.#holes.length > MAX_HOLES) this.abandon(this.#holes[0]!);
  }

  #fill(id: number): boolean {
    const at = this.#holes.findIndex((hole) => id >= hole.from && id <= hole.to);
    if (at < 0) return false;
    const { from, to, since } = this.#holes[at]!;
    const rest = [
      { from, to: id - 1, since },
      { from: id + 1, to, since },
    ].filter((part) => part.from <= part.to);
    this.#holes.splice(at, 1, ...rest);
    return true;
  }
}
