// Runs the readers against a server, in a separate process on the load's core.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ReadersJob, ReadersResult } from '../load/ws-readers.ts';
import type { ServerChild } from '../processes/children.ts';
import { FANOUT_SYMBOLS } from './fanout-ticks.ts';
import type { Bench } from './scenario.ts';

const PROBES = 20;
/** Time to open thousands of connections on a server that accepts them slowly. */
const PATIENCE_MS = 60_000;

type Given = Pick<ReadersJob, 'connections' | 'key' | 'warmMs' | 'measureMs'> & Partial<ReadersJob>;

/** `folder` receives the job and the recorded arrivals. */
export function runReaders(
  { children, cores }: Bench,
  { port, pid }: ServerChild,
  folder: string,
  given: Given,
): Promise<ReadersResult> {
  const job: ReadersJob = {
    port,
    path: '/ws/market',
    symbols: FANOUT_SYMBOLS,
    probes: Math.min(PROBES, given.connections),
    stalled: false,
    deflate: false,
    arrivalFile: arrivalFileIn(folder),
    serverPid: pid,
    serverCore: cores.serverCore,
    loadCore: cores.loadCore,
    ...given,
  };
  const file = join(folder, 'readers-job.json');
  writeFileSync(file, JSON.stringify(job));
  const load = [...cores.load, process.execPath, join(import.meta.dir, '../load/ws-readers.ts'), file];
  return children.job<ReadersResult>(load, job.warmMs + job.measureMs + PATIENCE_MS);
}

export const arrivalFileIn = (folder: string): string => join(folder, 'arrivals');
