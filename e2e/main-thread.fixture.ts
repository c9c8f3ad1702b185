// The tasks of a page's main thread, from the browser's own trace: how long each took by the clock, and how much of that the
// processor worked for it. On a machine that others use only the second is the page's doing.
import type { Browser } from 'playwright-core';

export interface Task {
  readonly clockMs: number;
  readonly cpuMs: number;
}

interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  /** In microseconds. */
  readonly dur?: number;
  readonly tdur?: number;
  readonly args?: { readonly name?: string };
}

/** Those that began within so many milliseconds from now. Thousands come in a second: minutes are looked at in parts. */
export async function tasksWithin(browser: Browser, ms: number): Promise<Task[]> {
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
  const place = ({ pid, tid }: TraceEvent): string => `${pid} ${tid}`;
  const named = events.filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain');
  const mains = new Set(named.map(place));
  return (
    events
      .filter((event) => event.ph === 'X' && event.name.endsWith('::RunTask') && mains.has(place(event)))
      // Work is counted in coarser steps than time on some machines: it cannot have been more than what passed.
      .map(({ dur = 0, tdur = 0 }) => ({ clockMs: dur / 1_000, cpuMs: Math.min(dur, tdur) / 1_000 }))
  );
}
