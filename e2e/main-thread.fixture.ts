// The tasks of a page's main thread, from the trace of the browser: wall-clock time and CPU time of each. On a shared machine, only
// the CPU time is attributable to the page.
import type { Browser } from 'playwright-core';

export interface MainThreadTask {
  readonly clockMs: number;
  readonly cpuMs: number;
}

interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  /** Microseconds. */
  readonly dur?: number;
  readonly tdur?: number;
  readonly args?: { readonly name?: string };
}

/** Tasks that start within the next `ms` milliseconds. There are thousands per second, so use it for parts of a minute. */
export async function recordTasks(browser: Browser, ms: number): Promise<MainThreadTask[]> {
  const devtools = await browser.newBrowserCDPSession();
  const events: TraceEvent[] = [];
  devtools.on('Tracing.dataCollected', ({ value }) => events.push(...(value as unknown as TraceEvent[])));
  const complete = new Promise((resolve) => devtools.once('Tracing.tracingComplete', resolve));
  const traceConfig = { includedCategories: ['toplevel', '__metadata'] };
  await devtools.send('Tracing.start', { transferMode: 'ReportEvents', traceConfig });
  await Bun.sleep(ms);
  await devtools.send('Tracing.end');
  await complete;
  await devtools.detach();
  const threadKey = ({ pid, tid }: TraceEvent): string => `${pid} ${tid}`;
  const named = events.filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain');
  const mains = new Set(named.map(threadKey));
  return (
    events
      .filter((event) => event.ph === 'X' && event.name.endsWith('::RunTask') && mains.has(threadKey(event)))
      // On some machines CPU time has a coarser resolution, so limit it to the wall-clock time.
      .map(({ dur = 0, tdur = 0 }) => ({ clockMs: dur / 1_000, cpuMs: Math.min(dur, tdur) / 1_000 }))
  );
}

/** Rounds of the computation that `machineStretch` repeats: about as long as a frame. */
const ROUNDS = 6_000_000;
const REST_MS = 20;

/**
 * How often the machine makes equal work take how many times as long: the CPU time of one computation, repeated, as multiples of its
 * median. On a shared machine the system counts as CPU time what other guests take, so that one of a hundred takes three times as long.
 */
export async function machineStretch(ms: number): Promise<readonly number[]> {
  const taken: number[] = [];
  for (const ends = performance.now() + ms; performance.now() < ends; await Bun.sleep(REST_MS)) {
    const before = process.cpuUsage();
    let sum = 0;
    for (let round = 0; round < ROUNDS; round++) sum = (sum * 31 + round) | 0;
    const { user, system } = process.cpuUsage(before);
    taken.push(user + system + (sum & 0));
  }
  const median = taken.toSorted((a, b) => a - b)[taken.length >> 1]!;
  return taken.map((each) => each / median);
}
