// Merges several days of one instrument's ticks into one stream in order of seq. Days overlap around midnight: a late
// tick of the old day comes after the first ticks of the new one. The next day is therefore opened ahead and merged
// once its first seq is reached. Throws an EvidenceError unless the days begin in the order of their dates and no seq occurs
// twice.
import { EvidenceError } from './evidence-file.ts';
import type { EvidenceLine } from './evidence-line.ts';

type Batches = AsyncGenerator<EvidenceLine[], void, undefined>;

class Day {
  lines: EvidenceLine[] = [];
  at = 0;
  readonly #batches: Batches;

  constructor(batches: Batches) {
    this.#batches = batches;
  }

  get head(): number {
    return this.lines[this.at]!.seq;
  }

  get last(): number {
    return this.lines.at(-1)!.seq;
  }

  /** Makes sure there is a line to read; false at the end. */
  async load(): Promise<boolean> {
    while (this.at >= this.lines.length) {
      const { value, done } = await this.#batches.next();
      if (done) return false;
      this.lines = value;
      this.at = 0;
    }
    return true;
  }

  /** The lines of the batch with a seq below `limit`. */
  take(limit: number): EvidenceLine[] {
    const from = this.at;
    if (this.last < limit) this.at = this.lines.length;
    else while (this.head < limit) this.at++;
    return from === 0 && this.at === this.lines.length ? this.lines : this.lines.slice(from, this.at);
  }

  async close(): Promise<void> {
    await this.#batches.return();
  }
}

export async function* mergeDays(days: readonly (() => Batches)[]): Batches {
  let open: Day[] = [];
  let ahead: Day | null = null;
  let next = 0;
  let last = -1;
  const openNext = async (): Promise<Day | null> => {
    while (next < days.length) {
      const day = new Day(days[next++]!());
      if (await day.load()) return day;
    }
    return null;
  };
  try {
    ahead = await openNext();
    while (open.length > 0 || ahead) {
      let first: Day | undefined = open[0];
      for (const day of open) if (day.head < first!.head) first = day;
      if (ahead && (!first || ahead.head <= first.head)) {
        open.push(ahead);
        ahead = await openNext();
        continue;
      }
      let limit = ahead?.head ?? Number.POSITIVE_INFINITY;
      for (const day of open) if (day !== first && day.head < limit) limit = day.head;
      if (first!.head <= last || first!.head >= limit)
        throw new EvidenceError(`have the seq ${first!.head} twice, or in the wrong order`);
      const lines = first!.take(limit);
      last = lines.at(-1)!.seq;
      yield lines;
      if (!(await first!.load())) open = open.filter((day) => day !== first);
    }
  } finally {
    for (const day of [...open, ...(ahead ? [ahead] : [])]) await day.close();
  }
}
