// How often something may be tried: so many at once, and then one after each pause. Counted before the trying, given back
// where it was right, so that many at once get no further than one after the other.

export interface Pace {
  readonly burst: number;
  readonly everyMs: number;
}

/** Bounds memory; the one tried longest ago is forgotten first. */
const MAX_KEPT = 20_000;

export class Attempts {
  readonly #pace: Pace;
  /** When each would be free of all it tried. */
  readonly #freeAt = new Map<string, number>();

  constructor(pace: Pace) {
    this.#pace = pace;
  }

  /** Counts an attempt and returns 0; or the milliseconds to wait, with nothing counted. */
  take(who: string, now: number): number {
    const { burst, everyMs } = this.#pace;
    const freeAt = Math.max(now, this.#freeAt.get(who) ?? 0) + everyMs;
    const wait = freeAt - now - burst * everyMs;
    if (wait > 0) return wait;
    this.#freeAt.delete(who);
    this.#freeAt.set(who, freeAt);
    if (this.#freeAt.size > MAX_KEPT) this.#freeAt.delete(this.#freeAt.keys().next().value!);
    return 0;
  }

  giveBack(who: string): void {
    const freeAt = this.#freeAt.get(who);
    if (freeAt !== undefined) this.#freeAt.set(who, freeAt - this.#pace.everyMs);
  }
}
