// Measures how long the event loop of this process is held up: in computing time, because other programs may run at the same time.
import { existsSync, readFileSync } from 'node:fs';

/** Linux: nanoseconds that this thread has computed, first of three numbers. */
const THREAD_TIMES = '/proc/thread-self/schedstat';

/** Computing time of this thread so far in milliseconds; of the whole process where the system does not tell. */
export function computed(): number {
  if (existsSync(THREAD_TIMES)) return Number.parseInt(readFileSync(THREAD_TIMES, 'utf8'), 10) / 1e6;
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

/** The longest computation between two turns of the event loop while `work` ran, in milliseconds. */
export async function longestTurn(work: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let isRunning = true;
  let last = computed();
  const turn = (): void => {
    longest = Math.max(longest, computed() - last);
    last = computed();
    if (isRunning) setImmediate(turn);
  };
  setImmediate(turn);
  await work();
  isRunning = false;
  await new Promise((resolve) => setImmediate(resolve));
  return longest;
}
