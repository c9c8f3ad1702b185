// Measures how long the event loop of this process is held up: in computing time, because other programs may run at the same time.
import { existsSync, readFileSync } from 'node:fs';

/** Linux: nanoseconds that this thread has computed, and that it waited for a processor; a third number. */
const THREAD_TIMES = '/proc/thread-self/schedstat';

/** Computing time of this thread so far in milliseconds; of the whole process where the system does not tell. */
export function computed(): number {
  if (existsSync(THREAD_TIMES)) return Number.parseInt(readFileSync(THREAD_TIMES, 'utf8'), 10) / 1e6;
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

/** The part of a core that this process uses while `work` runs, of what other programs leave it. */
export async function shareOfCore(work: () => Promise<unknown>): Promise<number> {
  const waited = (): number =>
    existsSync(THREAD_TIMES) ? Number(readFileSync(THREAD_TIMES, 'utf8').split(' ')[1]) / 1e6 : 0;
  const [since, waitedBefore, before] = [performance.now(), waited(), process.cpuUsage()];
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000 / (performance.now() - since - (waited() - waitedBefore));
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

const TICK_MS = 10;

/**
 * Returns a function that says how many milliseconds have passed, as a test can compare them with a limit: of a time in which other
 * programs held this process up, 20 ms count. Blocking the event loop is not measured this way.
 */
export function startWatch(): () => number {
  let passed = 0;
  let last = performance.now();
  const tick = (): void => {
    const now = performance.now();
    passed += Math.min(now - last, 2 * TICK_MS);
    last = now;
  };
  const timer = setInterval(tick, TICK_MS);
  timer.unref();
  return () => {
    clearInterval(timer);
    tick();
    return passed;
  };
}
