import { afterEach, beforeEach, describe, expect, type Mock, spyOn, test } from 'bun:test';
import { inTurns, pauses } from '../../ops/pauses.ts';
import { RowCounting, TooManyRows } from './counted-rows.ts';

const SECOND = 1_000;

let now = 0;
let clock: Mock<typeof performance.now>;
beforeEach(() => {
  clock = spyOn(performance, 'now').mockImplementation(() => now);
});
afterEach(() => clock.mockRestore());

/** Writes 100 batches of a row. Each takes so long itself, and as long again to wait for its turn. */
function write(workMs: number, waitMs: number): Promise<RowCounting> {
  const next = async (): Promise<void> => {
    now += waitMs;
  };
  return inTurns(next, async () => {
    const counting = new RowCounting(1_000, (end) => `to=${end}`);
    const pause = pauses();
    const batches = async function* (): AsyncGenerator<readonly number[]> {
      for (let at = 0; at < 100; at++) {
        now += workMs;
        await pause();
        yield [at];
      }
    };
    for await (const _ of counting.count(batches(), (row) => row));
    return counting;
  });
}
const problemOf = (workMs: number, waitMs: number): Promise<unknown> => write(workMs, waitMs).catch((error) => error);

describe('the time to write a file', () => {
  test('is bounded without its waits: a range that is too long is refused with one that fits', async () => {
    expect((await write(0.25 * SECOND, 0.1 * SECOND)).rows).toBe(100);
    for (const waitMs of [0, 0.1 * SECOND]) {
      const problem = await problemOf(0.5 * SECOND, waitMs);
      expect(problem).toBeInstanceOf(TooManyRows);
      expect(problem).toMatchObject({ limit: 60, fits: 'to=60' });
    }
  });

  test('is bounded with its waits, and then the range is not blamed', async () => {
    const problem = await problemOf(0.01 * SECOND, 0.5 * SECOND);
    expect(problem).toMatchObject({ code: 'too_many_downloads', options: { retryAfterSeconds: 10 } });
    expect(String(problem)).toContain('waited 45 s');
  });
});
