import { describe, expect, test } from 'bun:test';
import { inTurns, pauses } from '../../ops/pauses.ts';
import { RowCounting, TooManyRows } from './counted-rows.ts';

const SECOND = 1_000;

/** What each of 100 batches of a row takes, in milliseconds. */
interface BatchTimes {
  /** By the processor. */
  readonly computedMs: number;
  /** For its turn. */
  readonly waitedMs?: number;
  /** For other programs of the machine, or for the store. */
  readonly heldUpMs?: number;
}

function write({ computedMs, waitedMs = 0, heldUpMs = 0 }: BatchTimes): Promise<RowCounting> {
  let now = 0;
  let computed = 0;
  const next = async (): Promise<void> => {
    now += waitedMs;
    // By others, who have the thread meanwhile.
    computed += waitedMs;
  };
  const work = async (): Promise<RowCounting> => {
    const counting = new RowCounting(1_000, (end) => `to=${end}`);
    const pause = pauses();
    const batches = async function* (): AsyncGenerator<readonly number[]> {
      for (let at = 0; at < 100; at++) {
        now += computedMs + heldUpMs;
        computed += computedMs;
        await pause();
        yield [at];
      }
    };
    for await (const _ of counting.count(batches(), (row) => row));
    return counting;
  };
  return inTurns(next, work, { now: () => now, computed: () => computed });
}
const problemOf = (times: BatchTimes): Promise<unknown> => write(times).catch((error) => error);

describe('the time to write a file', () => {
  test('is that of its own computing: a range that is too long is refused with one that fits', async () => {
    expect((await write({ computedMs: 0.25 * SECOND, waitedMs: 0.1 * SECOND })).rows).toBe(100);
    for (const waitedMs of [0, 0.1 * SECOND]) {
      const problem = await problemOf({ computedMs: 0.5 * SECOND, waitedMs });
      expect(problem).toBeInstanceOf(TooManyRows);
      expect(problem).toMatchObject({ limit: 60, fits: 'to=60' });
    }
  });

  test('does not include what other programs of a busy machine take', async () => {
    expect((await write({ computedMs: 0.2 * SECOND, heldUpMs: 0.2 * SECOND })).rows).toBe(100);
  });

  test('is bounded in all, and then the range is not blamed', async () => {
    const problem = await problemOf({ computedMs: 0.01 * SECOND, waitedMs: 0.5 * SECOND });
    expect(problem).toMatchObject({ code: 'too_many_downloads', options: { retryAfterSeconds: 10 } });
    expect(String(problem)).toContain('not complete after 45 s: it computed for 1 s and waited 45 s for long reads');
    const heldUp = await problemOf({ computedMs: 0.1 * SECOND, heldUpMs: 0.9 * SECOND });
    expect(heldUp).toMatchObject({ code: 'too_many_downloads' });
    expect(String(heldUp)).toContain('computed for 5 s and waited 0 s for long reads of others. Try again later, or');
  });
});
