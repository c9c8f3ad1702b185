// Keeps paced lines to their rate. A line that something happened on speaks at once if its time has come, else when it comes:
// the newest is never left unsaid, and never said more often than asked for.
import type { PacedLine } from './line.ts';

/** How late the newest may be said, beyond the rate. */
const LATE_MS = 10;

/** Rates that are kept, 1, 2, 5, 10, 20…: readers share lines, and no one can ask for a thousand of them. */
const RATES = [0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000];

/** The highest of them that is no more than asked for. */
export const sharedRate = (most: number): number => RATES.findLast((rate) => rate <= most) ?? RATES[0]!;

export class Pacer {
  readonly #say: (line: PacedLine) => void;
  readonly #now: () => number;
  readonly #waiting = new Set<PacedLine>();
  /** No line that waits is due before this. */
  #nextAt = Number.POSITIVE_INFINITY;
  #timer: ReturnType<typeof setTimeout> | null = null;

  constructor(say: (line: PacedLine) => void, now: () => number) {
    this.#say = say;
    this.#now = now;
  }

  /** Something happened on the line. */
  touch(line: PacedLine, seq: number): void {
    line.pending = seq;
    this.#waiting.add(line);
    if (line.dueAt < this.#nextAt) this.#nextAt = line.dueAt;
  }

  /** What was to be said has been said, or is no longer true. */
  forget(line: PacedLine): void {
    line.pending = 0;
    this.#waiting.delete(line);
  }

  /** Lets those speak whose time has come. */
  readonly run = (): void => {
    if (this.#waiting.size === 0) return;
    const now = this.#now();
    if (now >= this.#nextAt) this.#speak(now);
    if (this.#waiting.size > 0) {
      this.#timer ??= setTimeout(() => {
        this.#timer = null;
        this.run();
      }, LATE_MS);
    }
  };

  #speak(now: number): void {
    this.#nextAt = Number.POSITIVE_INFINITY;
    for (const line of this.#waiting) {
      if (now < line.dueAt) {
        this.#nextAt = Math.min(this.#nextAt, line.dueAt);
        continue;
      }
      line.dueAt = now + line.everyMs;
      this.#say(line);
      this.forget(line);
    }
  }
}
