// Answers of a venue without a bar. They may be a fault of the venue, so they do not end a range: it is asked for again at growing
// intervals, and counts as empty once the venue has said so for a day.
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@tickwire/engine';
import { backOffMs } from '../../work/back-off.ts';
import type { TimeRange } from '../write/covered-ranges.ts';

const RETRY = { firstMs: 10 * MINUTE_MS, maxMs: 6 * HOUR_MS };
const BELIEVED_AFTER_MS = DAY_MS;

interface EmptyAnswer {
  readonly range: TimeRange;
  readonly since: number;
  answers: number;
  retryAt: number;
}

/** Of one level of an instrument. */
export class EmptyAnswers {
  #known: EmptyAnswer[] = [];

  /** Ranges that are not asked for now. */
  waiting(now: number): TimeRange[] {
    return this.#known.flatMap(({ range, retryAt }) => (now < retryAt ? range : []));
  }

  /** Returns whether the venue has said so for long enough. */
  note(range: TimeRange, now: number): boolean {
    const before = this.#known.find((each) => touches(each.range, range));
    if (before && now - before.since >= BELIEVED_AFTER_MS) {
      this.forget(range);
      return true;
    }
    const known = before ?? { range, since: now, answers: 0, retryAt: 0 };
    if (!before) this.#known.push(known);
    known.retryAt = now + backOffMs(++known.answers, RETRY);
    return false;
  }

  /** The range has bars after all, or is known to have none. */
  forget(range: TimeRange): void {
    this.#known = this.#known.filter((each) => !touches(each.range, range));
  }
}

const touches = (a: TimeRange, b: TimeRange): boolean => a.from < b.to && b.from < a.to;
